import type { Connection, Transaction } from './database.ts'
import { rowOf, type RowOf } from './row_shape.ts'
import { raw, sql, valueList } from './sql.ts'

export const sessionStatuses = [
  'queued',
  'in_progress',
  'requires_action',
  'completed',
  'failed',
  'canceled',
  'terminated',
] as const
export type StoredSessionStatus = (typeof sessionStatuses)[number]
const creatorKinds = ['user', 'bot'] as const

const sessionRow = rowOf({
  id: 'text',
  agent_id: 'text',
  /** The owner of the personal agent in the session; null for any other agent. */
  owner_id: 'text?',
  title: 'text',
  status: sessionStatuses,
  creator_id: 'text',
  creator_kind: creatorKinds,
  /** The published version with which the last turn runs, as JSON. */
  agent_version: 'text?',
  /** The models as JSON. */
  models: 'text',
  trigger_type: 'text',
  type_label: ['chat', 'setup', 'triggered'],
  /** A JSON list of the agents whose runs led to the session, the first one first; null if a person began the session. */
  trigger_chain: 'text?',
  /** The number of the last turn, starting with 1. */
  turn: 'integer',
  last_sequence: 'integer',
  /** The error as JSON, if the session has failed or was terminated. */
  error: 'text?',
  /** A JSON list of the people who wrote messages. */
  writers: 'text',
  /** A JSON list of the names of the tools that were used. */
  tool_types: 'text',
  tool_call_count: 'integer',
  credits_used: 'number',
  runs_completed: 'integer',
  message_count: 'integer',
  created_time: 'integer',
  updated_time: 'integer',
})
export type SessionRow = RowOf<typeof sessionRow>

/** The initial state of a session, before its first turn. */
export const untouchedSession = {
  turn: 0,
  last_sequence: 0,
  error: null,
  writers: '[]',
  tool_types: '[]',
  tool_call_count: 0,
  credits_used: 0,
  runs_completed: 0,
  message_count: 0,
  trigger_chain: null,
} as const satisfies Partial<SessionRow>

const COLUMNS = Object.keys(sessionRow).join(', ')

/** The columns by which sessions can be filtered. */
export type SessionColumn = 'id' | 'agent_id' | 'owner_id' | 'creator_id' | 'status' | 'created_time' | 'updated_time'

export async function insertSession(db: Transaction, workspaceId: string, row: SessionRow): Promise<void> {
  await db.run(
    sql`insert into sessions (workspace_id, title_key, ${raw(COLUMNS)}) values (${workspaceId}, cast(${row.title.toLowerCase()} as text),
      ${valueList((Object.keys(sessionRow) as (keyof SessionRow)[]).map((name) => row[name]))})`,
  )
}

export async function findSession(db: Connection, workspaceId: string, id: string): Promise<SessionRow | undefined> {
  return db.get(sessionRow, sql`select ${raw(COLUMNS)} from sessions where workspace_id = ${workspaceId} and id = ${id}`)
}

/** Like `findSession`, and locks the row against other writers until the transaction ends. */
export async function lockSession(db: Transaction, workspaceId: string, id: string): Promise<SessionRow | undefined> {
  return db.get(
    sessionRow,
    sql`select ${raw(COLUMNS)} from sessions where workspace_id = ${workspaceId}
    and id = ${id}${raw(db.forUpdate)}`,
  )
}

/** Stores the fields of a session that its turns change. */
export async function updateSession(db: Transaction, workspaceId: string, row: SessionRow): Promise<void> {
  await db.run(
    sql`update sessions set status = ${row.status}, agent_version = ${row.agent_version}, turn = ${row.turn}, last_sequence =
      ${row.last_sequence}, error = ${row.error}, writers = ${row.writers}, tool_types = ${row.tool_types},
       tool_call_count = ${row.tool_call_count}, credits_used = ${row.credits_used}, runs_completed = ${row.runs_completed},
       message_count = ${row.message_count}, updated_time = ${row.updated_time}
     where workspace_id = ${workspaceId} and id = ${row.id}`,
  )
}

/** A position in the list of an agent's sessions. */
export interface SessionPlace {
  readonly id: string
  readonly updatedTime: number
}

/** Some unfinished sessions of an agent, the most recently changed last. */
export async function listUnfinishedSessions(
  db: Connection,
  workspaceId: string,
  agentId: string,
  wanted: {
    /** Whether to return only sessions that wait for a decision. */
    readonly waiting: boolean
    readonly after: SessionPlace | undefined
    readonly limit: number
  },
): Promise<SessionPlace[]> {
  const { waiting, after, limit } = wanted
  const statuses = `'requires_action'${waiting ? '' : `, 'queued', 'in_progress'`}`
  const rows = await db.all(
    { id: 'text', updated_time: 'integer' },
    sql`select id, updated_time from sessions where workspace_id = ${workspaceId} and agent_id = ${agentId}
      and status in (${raw(statuses)}) ${after ? sql`and (updated_time, id) > (${after.updatedTime}, ${after.id})` : sql``}
      order by updated_time, id limit ${limit}`,
  )
  return rows.map(({ id, updated_time: updatedTime }) => ({ id, updatedTime }))
}

/** The sessions with these ids. Unknown ids are omitted. */
export async function findSessions(
  db: Connection,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, SessionRow>> {
  if (ids.length === 0) return new Map()
  const rows = await db.all(
    sessionRow,
    sql`select ${raw(COLUMNS.replaceAll(/\w+/g, 's.$&'))} from ${db.wanted(ids)}
     ${db.lookUp('sessions', 's', sql`s.workspace_id = ${workspaceId} and s.id = wanted.id`)}`,
  )
  return new Map(rows.map((row) => [row.id, row]))
}
