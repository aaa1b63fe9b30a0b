import { ServiceError } from '../../../kernel/errors.ts'
import { isObject } from '../../../kernel/is_object.ts'
import { serviceUnavailable } from '../../../kernel/unavailable.ts'
import { beginTask, finishTask, retryTask, type RunningTask } from '../../../store/async_tasks.ts'
import type { Connection, Database } from '../../../store/database.ts'
import { actorOfUser, unauthorized } from '../../people/index.ts'
import {
  FinalFailure,
  Interrupted,
  withPreparation,
  withQuotaPlace,
  type Attempt,
  type Job,
  type JobKind,
  type JobDeps,
  type Scope,
  type WriteScope,
} from '../../shared/index.ts'
import { readUnlessDamaged } from '../../../store/stored/read_json.ts'
import { ASYNC_TASK, type TaskPayload } from './tasks.ts'

/**
 * Prepares the work of a task, outside a transaction. The function that it returns makes the changes, which are committed together with
 * its result, or not at all.
 */
export type Work = (scope: Scope, request: unknown) => Promise<(scope: WriteScope, request: unknown) => Promise<object>>

interface TaskDeps extends Pick<JobDeps, 'now' | 'scopeOf'> {
  readonly database: Pick<Database, 'engine' | 'read'>
  /** By operation. */
  readonly works: ReadonlyMap<string, Work>
}

const LEASE_MS = 120_000
/** Milliseconds before the second, third and fourth attempt. */
const PAUSES_MS: readonly number[] = [2_000, 8_000, 32_000]
/** SQLite runs one write transaction at a time, so more tasks would only wait for each other. */
const AT_ONCE = { sqlite: 1, postgresql: 4 } as const

/** The kind of jobs that run tasks. Callers see the row of the task, not the job. */
export function asyncTaskKind(deps: TaskDeps): JobKind {
  return {
    name: ASYNC_TASK,
    pauses: PAUSES_MS,
    leaseMilliseconds: LEASE_MS,
    atOnce: AT_ONCE[deps.database.engine],
    run: (job, attempt) => runTask(deps, job, attempt),
    died: (db, job, error) => finishTask(db, refOf(job), 'failed', JSON.stringify(failureOf(error)), deps.now()),
  }
}

/** Runs a task. The changes of an attempt are committed together with its success, so that no change is made twice. */
async function runTask(deps: TaskDeps, job: Job, attempt: Attempt): Promise<void> {
  const ref = refOf(job)
  let task: RunningTask | undefined
  await attempt.whileHeld(async (db) => {
    task = await beginTask(db, ref)
  })
  if (!task) return
  const running = task
  const request = readUnlessDamaged('async_tasks.request', ref.id, running.request)
  if (request === undefined) throw new FinalFailure('the request of the task is damaged')
  try {
    const scopeIn = (db: Connection): Promise<Scope> => scopeOfTask(deps, ref.workspaceId, running, db)
    await withPreparation(
      async () => deps.database.read(async (db) => workOf(deps, running)(await scopeIn(db), request)),
      (change) =>
        attempt.finish(async (db) => {
          const result = await change({ ...(await scopeIn(db)), db }, request)
          await finishTask(db, ref, 'succeeded', JSON.stringify(result), deps.now())
        }),
    )
  } catch (error) {
    if (isTemporary(error)) {
      if (job.attempts <= PAUSES_MS.length) await attempt.whileHeld((db) => retryTask(db, ref))
      throw error
    }
    await attempt.finish((db) =>
      finishTask(db, ref, 'failed', JSON.stringify(failureOf(withQuotaPlace(error, bodyIn(request)))), deps.now()),
    )
  }
}

/** The body of the request that started a task; undefined if no request with a body did. */
function bodyIn(request: unknown): unknown {
  return isObject(request) ? request['body'] : undefined
}

async function scopeOfTask(deps: TaskDeps, workspaceId: string, task: RunningTask, db: Connection): Promise<Scope> {
  const actor = await actorOfUser(db, workspaceId, task.actorId, deps.now())
  if (!actor) throw unauthorized()
  return deps.scopeOf(actor, task.version, db)
}

function workOf({ works }: TaskDeps, { operation }: RunningTask): Work {
  const work = works.get(operation)
  if (!work) throw serviceUnavailable(`This release does not know ${operation}.`)
  return work
}

function refOf({ workspaceId, payload }: Job): { workspaceId: string; id: string } {
  const { id } = payload as TaskPayload
  if (workspaceId === null) throw new Error('a task without a workspace')
  return { workspaceId, id }
}

function isTemporary(error: unknown): boolean {
  return !(error instanceof ServiceError) || error.status >= 500
}

/** The error of a failed task, as callers see it. */
function failureOf(thrown: unknown): object {
  const error =
    thrown instanceof Interrupted
      ? serviceUnavailable('The service was interrupted each time it tried this. Nothing was changed.')
      : thrown
  if (!(error instanceof ServiceError)) {
    return {
      object: 'error',
      status: 500,
      code: 'internal_server_error',
      message: 'The service failed to execute this task. Nothing was changed.',
    }
  }
  const { status, code, message, additionalData } = error
  return { object: 'error', status, code, message, ...(additionalData === undefined ? {} : { additional_data: additionalData }) }
}
