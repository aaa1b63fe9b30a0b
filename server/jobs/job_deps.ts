import type { Logger } from 'pino'
import type { Database, FileTerms, JobDeps } from '../domain/shared/index.ts'
import type { NoteDeps } from '../domain/agents/index.ts'
import type { ImportTerms } from '../domain/files/index.ts'
import type { Clock } from '../kernel/clock.ts'
import { ListCursors, type Cursors } from '../kernel/cursors.ts'

/** Dependencies of job kinds that only some modules need. */
interface OwnDeps extends Pick<NoteDeps, 'vault' | 'meetingNotes'> {
  readonly files: FileTerms & ImportTerms
  /** How long entries of the audit log are kept. */
  readonly auditLogDays: number
}

interface ServiceDeps extends OwnDeps {
  readonly database: Database
  readonly clock: Clock
  readonly cursors: Cursors
  readonly log: Logger
  baseUrl(): string
}

/** Creates the dependencies of job kinds from the service's. */
export function jobDeps({ clock, cursors, log, baseUrl, ...deps }: ServiceDeps): JobDeps & OwnDeps {
  const { database, vault, files, meetingNotes, auditLogDays } = deps
  return {
    database,
    vault,
    files,
    meetingNotes,
    auditLogDays,
    now: () => clock.now(),
    onFault: (error) => log.error({ err: error }, 'a job failed because of an error inside the service'),
    scopeOf(actor, version, db) {
      const now = clock.now()
      const lists = new ListCursors(cursors, [actor.workspaceId, actor.userId, version], () => [], now)
      return { db, actor, now, baseUrl: baseUrl(), cursors: lists, version, files }
    },
  }
}
