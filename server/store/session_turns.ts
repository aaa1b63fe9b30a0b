import type { Connection, Transaction } from './database.ts'
import { rowOf, type RowOf } from './row_shape.ts'
import { raw, sql } from './sql.ts'

const turnRow = rowOf({
  turn: 'integer',
  /** The author of the message that began the turn; null for a trigger. */
  actor_id: 'text?',
  /** The API version of the request with the message that began the turn. */
  version: 'text',
  /** The agent as it was when the turn began, as JSON. */
  agent: 'text',
  prompt_context: 'text?',
  /** The number of the run, starting with 1: the runtime runs again after decisions. */
  run: 'integer',
  /** The number of the status event that began the run. */
  run_sequence: 'integer',
  /** When the run started; null while it waits. */
  run_time: 'integer?',
  /** The duration of earlier runs in milliseconds. */
  worked_time: 'integer',
  input_tokens: 'integer',
  output_tokens: 'integer',
  /** The credits that the turn has spent so far. */
  credits: 'number',
})
export type TurnRow = RowOf<typeof turnRow>

const TURN_COLUMNS = Object.keys(turnRow).join(', ')
const turnNames = Object.keys(turnRow) as (keyof TurnRow)[]

export async function insertTurn(db: Transaction, workspaceId: string, sessionId: string, row: TurnRow): Promise<void> {
  await db.insert({
    table: 'session_turns',
    columns: ['workspace_id', 'session_id', ...turnNames],
    rows: [[workspaceId, sessionId, ...turnNames.map((name) => row[name])]],
  })
}

export async function findTurn(db: Connection, workspaceId: string, sessionId: string, turn: number): Promise<TurnRow> {
  const row = await db.get(
    turnRow,
    sql`select ${raw(TURN_COLUMNS)} from session_turns where workspace_id = ${workspaceId} and session_id = ${sessionId}
      and turn = ${turn}`,
  )
  if (!row) throw new Error(`session ${sessionId} has no turn ${turn}`)
  return row
}

/** Stores the fields of a turn that can change. */
export async function updateTurn(db: Transaction, workspaceId: string, sessionId: string, row: TurnRow): Promise<void> {
  await db.run(
    sql`update session_turns set run = ${row.run}, run_sequence = ${row.run_sequence}, run_time = ${row.run_time}, worked_time =
      ${row.worked_time}, input_tokens = ${row.input_tokens}, output_tokens = ${row.output_tokens}, credits = ${row.credits}
     where workspace_id = ${workspaceId} and session_id = ${sessionId} and turn = ${row.turn}`,
  )
}

const callRow = rowOf({
  turn: 'integer',
  position: 'integer',
  /** The id in the API: the id of the required action. The ids of the call's events begin with it. */
  id: 'text',
  /** The id that the runtime gave to the call. */
  call_id: 'text',
  tool: 'text',
  kind: ['read', 'write'],
  /** The arguments as JSON. */
  arguments: 'text',
  /** The question that a person is asked to approve; null for calls that need no decision. */
  title: 'text?',
  /** The run in which the runtime made or proposed the call. */
  run: 'integer',
  decision: ['approve', 'reject', null],
  decider_id: 'text?',
  /** Whether the decider was signed in with a browser, and needs no token. */
  is_signed_in: 'integer',
  /** The data that came with the decision, as JSON. */
  metadata: 'text?',
  /** The result as JSON, once the call has ended. */
  result: 'text?',
  is_error: 'integer?',
  /** The artifact as JSON. */
  artifact: 'text?',
})
export type CallRow = RowOf<typeof callRow>

const CALL_COLUMNS = Object.keys(callRow).join(', ')
const callNames = Object.keys(callRow) as (keyof CallRow)[]

export async function insertCalls(
  db: Transaction,
  workspaceId: string,
  sessionId: string,
  rows: readonly CallRow[],
): Promise<void> {
  await db.insert({
    table: 'session_calls',
    columns: ['workspace_id', 'session_id', ...callNames],
    rows: rows.map((row) => [workspaceId, sessionId, ...callNames.map((name) => row[name])]),
  })
}

/** The tool calls of one turn, in order. */
export async function listCalls(db: Connection, workspaceId: string, sessionId: string, turn: number): Promise<CallRow[]> {
  return db.all(
    callRow,
    sql`select ${raw(CALL_COLUMNS)} from session_calls where workspace_id = ${workspaceId} and session_id = ${sessionId}
      and turn = ${turn} order by position`,
  )
}

/** Stores the decision on a call, and its result. */
export async function updateCall(db: Transaction, workspaceId: string, sessionId: string, row: CallRow): Promise<void> {
  await db.run(
    sql`update session_calls set decision = ${row.decision}, decider_id = ${row.decider_id}, is_signed_in =
      ${row.is_signed_in}, metadata = ${row.metadata}, result = ${row.result}, is_error = ${row.is_error}, artifact = ${row.artifact}
     where workspace_id = ${workspaceId} and session_id = ${sessionId} and turn = ${row.turn} and position = ${row.position}`,
  )
}

/** The tool calls of several sessions that wait for a decision. */
export async function listOpenActions(
  db: Connection,
  workspaceId: string,
  sessionIds: readonly string[],
): Promise<{ session_id: string; turn: number; id: string; title: string | null }[]> {
  return db.all(
    { session_id: 'text', turn: 'integer', id: 'text', title: 'text?' },
    sql`select c.session_id, c.turn, c.id, c.title from ${db.wanted(sessionIds)}
     ${db.lookUpEach('session_calls', 'c', sql`c.workspace_id = ${workspaceId} and c.session_id = wanted.id and c.kind = 'write' and c.decision is null`)}
     order by c.session_id, c.turn, c.position`,
  )
}
