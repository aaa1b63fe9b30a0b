import type { AsyncTask, PendingAsyncTask } from '../../../../generated/types.ts'
import { operations } from '../../../../generated/operations.ts'
import { toTimestamp } from '../../../kernel/clock.ts'
import { newId, oneSpelling } from '../../../kernel/ids.ts'
import { dropFinishedTasks, findTask, insertTask, listWaitingActors, type TaskRow } from '../../../store/async_tasks.ts'
import type { Connection, Transaction } from '../../../store/database.ts'
import { actorOfUser } from '../../people/index.ts'
import { notFound, enqueue, type Scope, type WriteScope } from '../../shared/index.ts'
import { id as idForm, object } from '../../../store/stored/form.ts'
import { readJson } from '../../../store/stored/read_json.ts'

export const ASYNC_TASK = 'async_task'

export interface TaskPayload {
  readonly id: string
}

export const taskPayloadForm = object({ id: idForm })

const POLL_AFTER_SECONDS = 2
const DAY_MS = 86_400_000
/** How long a finished task can be retrieved. */
const KEPT_MS = 7 * DAY_MS

/** The name of an operation in tasks, such as `POST /v1/pages`. */
export function operationName(id: keyof typeof operations): string {
  const { method, path } = operations[id]
  return `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`
}

/** Operations that callers can request. Other tasks are internal. */
const requested: ReadonlySet<string> = new Set(Object.values(operations).map(({ id }) => operationName(id)))

/**
 * Starts a task once the transaction has committed. Its result is the response of the operation.
 * @param request the input of the work, as JSON; see `works`
 */
export async function startTask(scope: WriteScope, operation: string, request: object): Promise<PendingAsyncTask> {
  const { db, actor, version, now } = scope
  const id = newId()
  await insertTask(
    db,
    actor.workspaceId,
    { id, actorId: actor.userId, operation, version, request: JSON.stringify(request) },
    now,
  )
  const payload: TaskPayload = { id }
  await enqueue(db, { kind: ASYNC_TASK, workspaceId: actor.workspaceId, key: id, payload, dueTime: now })
  return { ...shared(scope, { id, operation, created_time: now }), status: 'queued', poll_after_seconds: POLL_AFTER_SECONDS }
}

/** A task of the calling bot or member. */
export async function retrieveAsyncTask(scope: Scope, id: string): Promise<AsyncTask> {
  const { db, actor, now } = scope
  // Stored ids have one spelling. No other text can be the id of a task.
  const row = isId(id) ? await findTask(db, actor.workspaceId, actor.userId, id, now - KEPT_MS) : undefined
  // Internal tasks, such as filling a page from a template, are not shown: callers do not know their ids.
  if (!row || !requested.has(row.operation)) throw notFound(actor, 'async task', id)
  const base = shared(scope, row)
  switch (row.status) {
    case 'succeeded':
      return { ...base, status: row.status, result: readJson('async_tasks.result', row.id, row.result ?? '{}') as Result }
    case 'failed':
      return { ...base, status: row.status, error: readJson('async_tasks.error', row.id, row.error ?? '{}') as Failure }
    case 'queued':
    case 'running':
    case 'retrying':
      return { ...base, status: row.status, poll_after_seconds: POLL_AFTER_SECONDS }
  }
}

type Result = Extract<AsyncTask, { status: 'succeeded' }>['result']
type Failure = Extract<AsyncTask, { status: 'failed' }>['error']

function isId(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text) && oneSpelling(text) === text
}

function shared(
  scope: Scope,
  { id, operation, created_time: time }: Pick<TaskRow, 'id' | 'operation' | 'created_time'>,
): Pick<AsyncTask, 'object' | 'id' | 'status_url' | 'created_time' | 'operation'> {
  return {
    object: 'async_task',
    id,
    status_url: `${scope.baseUrl}/v1/async_tasks/${id}`,
    created_time: toTimestamp(time),
    operation: { surface: 'rest', name: operation },
  }
}

/** The number of unfinished tasks that will fail as `unauthorized` because their bot or member has no valid token. */
export async function countUnauthorizedTasks(db: Connection, workspaceId: string, now: number): Promise<number> {
  let count = 0
  for (const { actorId, tasks } of await listWaitingActors(db, workspaceId))
    if (!(await actorOfUser(db, workspaceId, actorId, now))) count += tasks
  return count
}

/** Deletes expired tasks. @returns the number of tasks */
export function sweepTasks(db: Transaction, now: number, limit: number): Promise<number> {
  return dropFinishedTasks(db, now - KEPT_MS, limit)
}
