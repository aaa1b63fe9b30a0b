import type { Connection, Transaction } from './database.ts'
import { rowOf, type RowOf } from './row_shape.ts'
import { raw, sql } from './sql.ts'

const taskStatuses = ['queued', 'running', 'retrying', 'succeeded', 'failed'] as const

/** A task as the caller of its operation sees it. */
const taskRow = rowOf({
  id: 'text',
  /** The name of the operation, for example `POST /v1/pages`. */
  operation: 'text',
  status: taskStatuses,
  /** The result as JSON, once the task has succeeded. */
  result: 'text?',
  error: 'text?',
  created_time: 'integer',
})
export type TaskRow = RowOf<typeof taskRow>

interface NewTask {
  readonly id: string
  /** The bot or member that started the task. */
  readonly actorId: string
  readonly operation: string
  readonly version: string
  /** The input of the operation, as JSON. */
  readonly request: string
}

export async function insertTask(db: Transaction, workspaceId: string, task: NewTask, now: number): Promise<void> {
  await db.run(
    sql`insert into async_tasks (workspace_id, id, actor_id, operation, version, request, status, created_time)
      values (${workspaceId}, ${task.id}, ${task.actorId}, ${task.operation}, ${task.version}, ${task.request}, 'queued',
      ${now})`,
  )
}

/** A task of one actor; undefined if it finished at or before `finishedSince`. */
export async function findTask(
  db: Connection,
  workspaceId: string,
  actorId: string,
  id: string,
  finishedSince: number,
): Promise<TaskRow | undefined> {
  return db.get(
    taskRow,
    sql`select id, operation, status, result, error, created_time from async_tasks
     where workspace_id = ${workspaceId} and id = ${id} and actor_id = ${actorId}
     and (finished_time is null or finished_time > ${finishedSince})`,
  )
}

/** The bots and members that wait for unfinished tasks, and the numbers of these tasks. */
export async function listWaitingActors(
  db: Connection,
  workspaceId: string,
): Promise<{ readonly actorId: string; readonly tasks: number }[]> {
  const rows = await db.all(
    { actor_id: 'text', tasks: 'integer' },
    sql`select actor_id, count(*) as tasks from async_tasks where workspace_id = ${workspaceId} and finished_time is null
      group by actor_id`,
  )
  return rows.map(({ actor_id: actorId, tasks }) => ({ actorId, tasks }))
}

interface TaskRef {
  readonly workspaceId: string
  readonly id: string
}

export interface RunningTask {
  readonly actorId: string
  readonly operation: string
  readonly version: string
  readonly request: string
}

/** Marks a task as running. @returns undefined if it has already finished */
export async function beginTask(db: Transaction, { workspaceId, id }: TaskRef): Promise<RunningTask | undefined> {
  const unfinished = sql`workspace_id = ${workspaceId} and id = ${id} and finished_time is null`
  await db.run(sql`update async_tasks set status = 'running' where ${unfinished}`)
  const row = await db.get(
    { actor_id: 'text', operation: 'text', version: 'text', request: 'text?' },
    sql`select actor_id, operation, version, request from async_tasks where ${unfinished}`,
  )
  return row && { actorId: row.actor_id, operation: row.operation, version: row.version, request: row.request ?? 'null' }
}

/** Finishes a task. @param outcome the result or the error, as JSON */
export async function finishTask(
  db: Transaction,
  { workspaceId, id }: TaskRef,
  status: 'succeeded' | 'failed',
  outcome: string,
  now: number,
): Promise<void> {
  await db.run(
    sql`update async_tasks set status = ${status}, ${raw(status === 'succeeded' ? 'result' : 'error')} = ${outcome}, request = null,
      finished_time = ${now} where workspace_id = ${workspaceId} and id = ${id} and finished_time is null`,
  )
}

/** Marks a task as waiting for another attempt. */
export async function retryTask(db: Transaction, { workspaceId, id }: TaskRef): Promise<void> {
  await db.run(
    sql`update async_tasks set status = 'retrying' where workspace_id = ${workspaceId} and id = ${id} and finished_time is null`,
  )
}

/**
 * Deletes tasks that finished at or before a time. @returns the number of tasks: at most about `limit`, more if several finished at the
 * same time
 */
export async function dropFinishedTasks(db: Transaction, finishedUntil: number, limit: number): Promise<number> {
  const last = await db.get(
    { finished_time: 'integer' },
    sql`select finished_time from async_tasks where finished_time is not null and finished_time <= ${finishedUntil}
      order by finished_time limit 1 offset ${limit - 1}`,
  )
  return db.change(
    sql`delete from async_tasks where finished_time is not null and finished_time <= ${last?.finished_time ?? finishedUntil}`,
  )
}
