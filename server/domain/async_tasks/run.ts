import { newId } from '../../kernel/ids.ts'
import { ServiceError } from '../../kernel/errors.ts'
import { serviceUnavailable } from '../../kernel/unavailable.ts'
import { claimTask, finishTask, hasDueTask, holdsTask, postponeTask, type ClaimedTask } from '../../store/async_tasks.ts'
import type { Database } from '../../store/database.ts'
import type { Actor } from '../actor.ts'
import { actorOfUser, unauthorized } from '../authenticate.ts'
import type { WriteScope } from '../scope.ts'

/** Carries out what a task was left with. All of it is kept together with its result, or nothing. */
export type Work = (scope: WriteScope, request: unknown) => Promise<object>

/** What running tasks needs. */
export interface TaskParts {
  readonly database: Database
  /** Work by the name of its operation. */
  readonly works: ReadonlyMap<string, Work>
  /** The scope of one attempt, in its transaction. */
  scopeOf(task: ClaimedTask, actor: Actor, db: WriteScope['db']): WriteScope
  now(): number
  /** Told of faults that are ours. */
  onFault(error: unknown): void
}

/** Seconds before the second, third and fourth attempt. */
const PAUSES: readonly number[] = [2, 8, 32]
/** An attempt that takes longer has died with its process. */
const LEASE_MS = 120_000

/** Runs the task that has waited longest. @returns whether there was one */
export async function runDueTask(parts: TaskParts): Promise<boolean> {
  const { database } = parts
  if (!(await database.read((db) => hasDueTask(db, parts.now())))) return false
  const task = await database.write((db) => claimTask(db, newId(), parts.now(), parts.now() + LEASE_MS))
  if (!task) return false
  try {
    if (task.attempts > PAUSES.length + 1)
      throw serviceUnavailable('The service was interrupted each time it tried this. Nothing was changed.')
    await database.write((db) => attempt(parts, task, db), task.workspaceId)
  } catch (error) {
    await afterFailure(parts, task, error)
  }
  return true
}

/** What an attempt changes and that it has succeeded are kept together, so that no write is ever repeated. */
async function attempt(parts: TaskParts, task: ClaimedTask, db: WriteScope['db']): Promise<void> {
  if (!(await holdsTask(db, task))) return
  const actor = await actorOfUser(db, task.workspaceId, task.actorId, parts.now())
  if (!actor) throw unauthorized()
  const work = parts.works.get(task.operation)
  if (!work) throw serviceUnavailable(`This release does not know ${task.operation}.`)
  const result = await work(parts.scopeOf(task, actor, db), JSON.parse(task.request))
  await finishTask(db, task, 'succeeded', JSON.stringify(result), parts.now())
}

async function afterFailure({ database, now, onFault }: TaskParts, task: ClaimedTask, thrown: unknown): Promise<void> {
  const error = thrown instanceof ServiceError ? thrown : undefined
  if (error === undefined || error.status >= 500) onFault(thrown)
  const pause = PAUSES[task.attempts - 1]
  const mayPass = error === undefined || error.status >= 500
  if (mayPass && pause !== undefined) await database.write((db) => postponeTask(db, task, now() + pause * 1000))
  else await database.write((db) => finishTask(db, task, 'failed', JSON.stringify(failureOf(error)), now()))
}

/** An error as it appears in a failed task. */
function failureOf(error: ServiceError | undefined): object {
  if (!error) {
    return {
      object: 'error',
      status: 500,
      code: 'internal_server_error',
      message: 'The service failed to carry this out. Nothing was changed.',
    }
  }
  const { status, code, message, additionalData } = error
  return { object: 'error', status, code, message, ...(additionalData === undefined ? {} : { additional_data: additionalData }) }
}
