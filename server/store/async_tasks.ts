import type { Connection, Transaction } from './database.ts'
import { rowOf, type RowOf } from './row_shape.ts'

const taskStatuses = ['queued', 'running', 'retrying', 'succeeded', 'failed'] as const

/** What a caller sees of a task. */
const taskRow = rowOf({
  id: 'text',
  /** Name of the operation, as tasks show it. */
  operation: 'text',
  status: taskStatuses,
  /** JSON, once it has succeeded or failed. */
  result: 'text?',
  error: 'text?',
  created_time: 'integer',
})
export type TaskRow = RowOf<typeof taskRow>

export interface NewTask {
  readonly id: string
  /** The bot or member that asked for it. */
  readonly actorId: string
  readonly operation: string
  readonly version: string
  /** JSON of what the operation works on. */
  readonly request: string
}

export async function insertTask(db: Transaction, workspaceId: string, task: NewTask, now: number): Promise<void> {
  await db.run(
    `insert into async_tasks (workspace_id, id, actor_id, operation, version, request, status, due_time, created_time)
     values (?, ?, ?, ?, ?, ?, 'queued', ?, ?)`,
    workspaceId,
    task.id,
    task.actorId,
    task.operation,
    task.version,
    task.request,
    now,
    now,
  )
}

/** A task of one actor. What has ended at or before `finishedSince` is there no more. */
export function findTask(
  db: Connection,
  workspaceId: string,
  actorId: string,
  id: string,
  finishedSince: number,
): Promise<TaskRow | undefined> {
  return db.get(
    taskRow,
    `select id, operation, status, result, error, created_time from async_tasks
     where workspace_id = ? and id = ? and actor_id = ? and (finished_time is null or finished_time > ?)`,
    workspaceId,
    id,
    actorId,
    finishedSince,
  )
}

/** A task that a worker has taken. */
export interface ClaimedTask {
  readonly workspaceId: string
  readonly id: string
  readonly actorId: string
  readonly operation: string
  readonly version: string
  readonly request: string
  /** This one included. */
  readonly attempts: number
  /** Tells this attempt from any later one. */
  readonly claim: string
}

/** Whether a task waits for a worker. */
export async function hasDueTask(db: Connection, now: number): Promise<boolean> {
  return (
    (await db.get({}, 'select 1 as due from async_tasks where finished_time is null and due_time <= ? limit 1', now)) !==
    undefined
  )
}

const dueRow = rowOf({
  workspace_id: 'text',
  id: 'text',
  actor_id: 'text',
  operation: 'text',
  version: 'text',
  request: 'text',
  attempts: 'integer',
})

/**
 * Takes the task that has waited longest: a new one, one to be tried again, or one whose worker died.
 * @param until when the attempt counts as dead
 */
export async function claimTask(db: Transaction, claim: string, now: number, until: number): Promise<ClaimedTask | undefined> {
  const row = await db.get(
    dueRow,
    `select workspace_id, id, actor_id, operation, version, request, attempts from async_tasks
     where finished_time is null and due_time <= ? order by due_time limit 1${db.forUpdate}`,
    now,
  )
  if (!row) return undefined
  const attempts = row.attempts + 1
  await db.run(
    `update async_tasks set status = 'running', attempts = ?, claim = ?, due_time = ? where workspace_id = ? and id = ?`,
    attempts,
    claim,
    until,
    row.workspace_id,
    row.id,
  )
  return {
    workspaceId: row.workspace_id,
    id: row.id,
    actorId: row.actor_id,
    operation: row.operation,
    version: row.version,
    request: row.request,
    attempts,
    claim,
  }
}

/** Whether an attempt is still the one that counts. The row is held until the transaction ends. */
export async function holdsTask(db: Transaction, { workspaceId, id, claim }: ClaimedTask): Promise<boolean> {
  const row = await db.get(
    {},
    `select id from async_tasks where workspace_id = ? and id = ? and claim = ? and finished_time is null${db.forUpdate}`,
    workspaceId,
    id,
    claim,
  )
  return row !== undefined
}

/** Ends a task for good. @param outcome JSON */
export async function finishTask(
  db: Transaction,
  { workspaceId, id, claim }: ClaimedTask,
  status: 'succeeded' | 'failed',
  outcome: string,
  now: number,
): Promise<void> {
  await db.run(
    `update async_tasks set status = ?, ${status === 'succeeded' ? 'result' : 'error'} = ?, request = null, claim = null, finished_time = ?
     where workspace_id = ? and id = ? and claim = ?`,
    status,
    outcome,
    now,
    workspaceId,
    id,
    claim,
  )
}

/** Puts a task back, to be tried again later. */
export async function postponeTask(db: Transaction, { workspaceId, id, claim }: ClaimedTask, dueTime: number): Promise<void> {
  await db.run(
    `update async_tasks set status = 'retrying', claim = null, due_time = ? where workspace_id = ? and id = ? and claim = ?`,
    dueTime,
    workspaceId,
    id,
    claim,
  )
}

/** Drops tasks that ended at or before a time. @returns how many */
export async function dropFinishedTasks(db: Transaction, finishedUntil: number, limit: number): Promise<number> {
  const last = await db.get(
    { finished_time: 'integer' },
    'select finished_time from async_tasks where finished_time is not null and finished_time <= ? order by finished_time limit 1 offset ?',
    finishedUntil,
    limit - 1,
  )
  return db.run(
    'delete from async_tasks where finished_time is not null and finished_time <= ?',
    last?.finished_time ?? finishedUntil,
  )
}
