import { afterSql, conditionSql, orderSql, type Condition, type OrderColumn } from './conditions.ts'
import type { Connection, FollowedPosition, Transaction } from './database.ts'
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
  /** Of `session.status`. */
  status: [...sessionStatuses, null],
  created_time: 'integer',
  /** JSON; the domain knows its form. */
  content: 'text',
})
export type EventRow = RowOf<typeof eventRow>

const COLUMNS = Object.keys(eventRow).join(', ')
const COLUMNS_OF_E = COLUMNS.replaceAll(/\w+/g, 'e.$&')

/** Columns that events can be asked for by. */
export type EventColumn = 'id' | 'type' | 'sequence' | 'created_time'

/** Adds events, numbered already. */
export async function insertEvents(db: Transaction, workspaceId: string, rows: readonly EventRow[]): Promise<void> {
  const names = Object.keys(eventRow) as (keyof EventRow)[]
  await db.insert({
    table: 'session_events',
    columns: ['workspace_id', ...names],
    rows: rows.map((row) => [workspaceId, ...names.map((name) => row[name])]),
  })
}

export function findEvent(db: Connection, workspaceId: string, sessionId: string, id: string): Promise<EventRow | undefined> {
  return db.get(
    eventRow,
    sql`select ${raw(COLUMNS)} from session_events where workspace_id = ${workspaceId} and session_id = ${sessionId}
      and id = ${id}`,
  )
}

/** Events behind a number, in order. */
export function listEventsBehind(
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

/** The newest event of one type and turn, or of any turn before it. */
export function listMessages(db: Connection, workspaceId: string, sessionId: string, limit: number): Promise<EventRow[]> {
  return db.all(
    eventRow,
    sql`select ${raw(COLUMNS)} from session_events where workspace_id = ${workspaceId} and session_id = ${sessionId}
      and type in ('user.message', 'agent.message') order by sequence desc limit ${limit}`,
  )
}

/** What of many sessions has come behind a number each, by session and in order; from each session so many at the most. */
export function listNewEvents(db: Connection, positions: readonly FollowedPosition[], limit: number): Promise<EventRow[]> {
  return db.all(
    eventRow,
    sql`select ${raw(COLUMNS_OF_E)} from ${db.followed(positions)}
     ${db.lookUpEach('session_events', 'e', sql`e.workspace_id = followed.workspace_id and e.session_id = followed.id and e.sequence > followed.sequence`)}
     order by e.session_id, e.sequence limit ${limit}`,
  )
}

interface EventSearch {
  readonly condition: Condition<EventColumn>
  readonly sort: readonly OrderColumn<EventColumn>[]
  /** Values of the sort keys of the event to go on behind. */
  readonly behind: readonly SqlValue[] | undefined
  readonly limit: number
}

/** Events of a session, but for the statuses that only streams show. */
export function searchEvents(db: Connection, workspaceId: string, sessionId: string, search: EventSearch): Promise<EventRow[]> {
  const condition = conditionSql(search.condition)
  const behind = afterSql(search.sort, search.behind)
  return db.all(
    eventRow,
    sql`select ${raw(COLUMNS)} from session_events where workspace_id = ${workspaceId} and session_id = ${sessionId}
       and (status is null or status not in ('queued', 'in_progress'))
       and ${condition} and ${behind} order by ${raw(orderSql(search.sort))} limit ${search.limit}`,
  )
}
