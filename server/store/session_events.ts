import { afterSql, conditionSql, orderSql, type Condition, type OrderColumn } from './conditions.ts'
import type { Connection, Transaction } from './database.ts'
import { raw, sql, type SqlValue } from './sql.ts'
import { rowOf, type RowOf } from './row_shape.ts'
import { sessionStatuses } from './sessions.ts'

const sessionEventTypes = [
  'user.message',
  'agent.message',
  'agent.thinking',
  'agent.tool_use',
  'agent.tool_result',
  'session.status',
] as const

const eventRow = rowOf({
  session_id: 'text',
  sequence: 'integer',
  id: 'text',
  turn: 'integer',
  type: sessionEventTypes,
  /** The status in a `session.status` event; null for other types. */
  status: [...sessionStatuses, null],
  created_time: 'integer',
  /** The content as JSON. The domain defines its form. */
  content: 'text',
})
export type EventRow = RowOf<typeof eventRow>

const COLUMNS = Object.keys(eventRow).join(', ')
const COLUMNS_OF_E = COLUMNS.replaceAll(/\w+/g, 'e.$&')

/** The columns by which events can be filtered and sorted. */
export type EventColumn = 'id' | 'type' | 'sequence' | 'created_time'

/** Adds events, which must already have their numbers. */
export async function insertEvents(db: Transaction, workspaceId: string, rows: readonly EventRow[]): Promise<void> {
  const names = Object.keys(eventRow) as (keyof EventRow)[]
  await db.insert({
    table: 'session_events',
    columns: ['workspace_id', ...names],
    rows: rows.map((row) => [workspaceId, ...names.map((name) => row[name])]),
  })
}

export async function findEvent(
  db: Connection,
  workspaceId: string,
  sessionId: string,
  id: string,
): Promise<EventRow | undefined> {
  return db.get(
    eventRow,
    sql`select ${raw(COLUMNS)} from session_events where workspace_id = ${workspaceId} and session_id = ${sessionId}
      and id = ${id}`,
  )
}

/** The events of a session after a number, in order. */
export async function listEventsAfter(
  db: Connection,
  workspaceId: string,
  sessionId: string,
  sequence: number,
  limit: number,
): Promise<EventRow[]> {
  return db.all(
    eventRow,
    sql`select ${raw(COLUMNS)} from session_events where workspace_id = ${workspaceId} and session_id = ${sessionId}
      and sequence > ${sequence} order by sequence limit ${limit}`,
  )
}

/** The last messages of a session, from people and the agent, newest first. */
export async function listMessages(db: Connection, workspaceId: string, sessionId: string, limit: number): Promise<EventRow[]> {
  return db.all(
    eventRow,
    sql`select ${raw(COLUMNS)} from session_events where workspace_id = ${workspaceId} and session_id = ${sessionId}
      and type in ('user.message', 'agent.message') order by sequence desc limit ${limit}`,
  )
}

/** The position of a reader in a session: the number of the last event that it has read. */
interface FollowedPosition {
  readonly session_id: string
  readonly sequence: number
}

/** The events of several sessions of a workspace, each after its position, by session and in order; at most `limit` in total. */
export async function listNewEvents(
  db: Connection,
  workspaceId: string,
  positions: readonly FollowedPosition[],
  limit: number,
): Promise<EventRow[]> {
  const followed = db.records('followed', { session_id: 'id', sequence: 'integer' }, positions)
  const isNew = sql`e.workspace_id = ${workspaceId} and e.session_id = followed.session_id and e.sequence > followed.sequence`
  return db.all(
    eventRow,
    sql`select ${raw(COLUMNS_OF_E)} from ${followed} ${db.lookUpEach('session_events', 'e', isNew)}
     order by e.session_id, e.sequence limit ${limit}`,
  )
}

interface EventSearch {
  readonly condition: Condition<EventColumn>
  readonly sort: readonly OrderColumn<EventColumn>[]
  /** The sort keys of the event after which to continue. */
  readonly after: readonly SqlValue[] | undefined
  readonly limit: number
}

/** The events of a session that pass a search, without the status events that only streams show. */
export async function searchEvents(
  db: Connection,
  workspaceId: string,
  sessionId: string,
  search: EventSearch,
): Promise<EventRow[]> {
  const condition = conditionSql(search.condition)
  const following = afterSql(search.sort, search.after)
  return db.all(
    eventRow,
    sql`select ${raw(COLUMNS)} from session_events where workspace_id = ${workspaceId} and session_id = ${sessionId}
       and (status is null or status not in ('queued', 'in_progress'))
       and ${condition} and ${following} order by ${raw(orderSql(search.sort))} limit ${search.limit}`,
  )
}
