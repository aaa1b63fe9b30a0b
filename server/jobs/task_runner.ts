import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { runDueTask, type TaskParts } from '../domain/async_tasks/run.ts'
import { works } from '../domain/async_tasks/works.ts'
import type { FileTerms } from '../domain/file_uploads/terms.ts'
import type { Clock } from '../kernel/clock.ts'
import { ListCursors, type Cursors } from '../kernel/cursors.ts'
import type { Database } from '../domain/database.ts'

export interface TaskRunner {
  /** Waits for the current task to finish. */
  stop(): Promise<void>
}

interface RunnerParts {
  readonly database: Database
  readonly clock: Clock
  readonly cursors: Cursors
  readonly files: FileTerms
  readonly log: Logger
  baseUrl(): string
}

/** How often to look for due tasks. Clients poll every two seconds. */
const INTERVAL_MS = 400
/** Delay after a failure that is not the task's own, such as an unreachable database. */
const PATIENCE_MS = 5_000

/**
 * Runs async tasks one at a time while the process lives. All processes on a database share the tasks: one of them takes
 * a task, and if it dies, another does.
 */
export function startTaskRunner(parts: RunnerParts): TaskRunner {
  const ending = new AbortController()
  const done = run(taskParts(parts), parts.log, ending.signal)
  return {
    async stop() {
      ending.abort()
      await done
    },
  }
}

function taskParts({ database, clock, cursors, files, log, baseUrl }: RunnerParts): TaskParts {
  return {
    database,
    works,
    scopeOf: ({ version }, actor, db) => {
      const now = clock.now()
      const lists = new ListCursors(cursors, [actor.workspaceId, actor.userId, version], () => [], now)
      return { db, actor, now, baseUrl: baseUrl(), cursors: lists, version, files }
    },
    now: () => clock.now(),
    onFault: (error) => log.error({ err: error }, 'a task failed by a fault of the service'),
  }
}

async function run(parts: TaskParts, log: Logger, signal: AbortSignal): Promise<void> {
  let wait = INTERVAL_MS
  while (await waited(wait, signal)) {
    try {
      while (!signal.aborted && (await runDueTask(parts))) wait = INTERVAL_MS
    } catch (error) {
      log.warn({ err: error }, 'looking for tasks failed')
      wait = PATIENCE_MS
    }
  }
}

async function waited(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  return pause(milliseconds, true, { signal, ref: false }).catch(() => false)
}
