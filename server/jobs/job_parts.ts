import type { Logger } from 'pino'
import type { Database } from '../domain/shared/database.ts'
import type { FileVault } from '../domain/files/vault.ts'
import type { JobParts } from '../domain/shared/jobs/job.ts'
import type { Clock } from '../kernel/clock.ts'
import { ListCursors, type Cursors } from '../kernel/cursors.ts'

interface ServiceParts {
  readonly database: Database
  readonly vault: FileVault
  readonly receivers: JobParts['receivers']
  readonly files: JobParts['files']
  readonly meetingNotes: JobParts['meetingNotes']
  readonly clock: Clock
  readonly cursors: Cursors
  readonly log: Logger
  baseUrl(): string
}

/** Makes the dependencies of job kinds from those of the service. */
export function jobParts({ clock, cursors, log, baseUrl, ...parts }: ServiceParts): JobParts {
  const { database, vault, receivers, files, meetingNotes } = parts
  return {
    database,
    vault,
    receivers,
    files,
    meetingNotes,
    now: () => clock.now(),
    onFault: (error) => log.error({ err: error }, 'a job failed because of a fault of the service'),
    scopeOf(actor, version, db) {
      const now = clock.now()
      const lists = new ListCursors(cursors, [actor.workspaceId, actor.userId, version], () => [], now)
      return { db, actor, now, baseUrl: baseUrl(), cursors: lists, version, files }
    },
  }
}
