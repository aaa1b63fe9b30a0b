import type { AgentViewer } from './agent_access.ts'
import { neededRun, type AgentTest } from './agent_tests.ts'
import type { Connection } from './database.ts'
import { raw, sql, type Sql } from './sql.ts'

/** A property that agents are sorted by; those without a value come last in either direction. */
export interface AgentOrder {
  readonly column: 'created_time' | 'last_run_time'
  readonly descending: boolean
}

/** The position of an agent in the list: its sort keys in order, and its id, which breaks ties. */
export interface AgentPosition {
  readonly keys: readonly (number | null)[]
  readonly id: string
}

export interface AgentScan {
  readonly viewer: AgentViewer
  readonly test: AgentTest
  readonly orders: readonly AgentOrder[]
  readonly after: AgentPosition | undefined
  readonly limit: number
  readonly now: number
  /** Agents that were deleted up to this time are left out. */
  readonly goneBefore: number
}

/** What access rows say of an agent, by what agents are sorted by. */
export const COLUMNS = { created_time: 'agent_created_time', last_run_time: 'agent_run_time' } as const

/** Access rows of one subject along an index. */
export interface AgentRange {
  readonly subject: string
  /** What the rows are ordered by, then by the agent's id. */
  readonly column: (typeof COLUMNS)[AgentOrder['column']] | 'agent_id'
  readonly isDescending: boolean
  readonly condition: Sql
  /** Whether the list has the order of the column. */
  readonly isInOrder: boolean
  readonly start: RangePlace
}

/** Where something stands in a range: without an id, before the first of this value; without a value, before everything. */
export interface RangePlace {
  readonly value: number | string | undefined
  readonly id: string | undefined
}

const BEGINNING: RangePlace = { value: undefined, id: undefined }
/** So few are looked at in any order. */
const FEW = 1_000

/** The ranges in which a list continues, one behind the other. */
export async function rangesOf(db: Connection, scan: AgentScan, subject: string): Promise<AgentRange[]> {
  const [order] = scan.orders
  if (order?.column === 'last_run_time') return rangesByRun(scan, subject)
  // Every agent has a time of creation.
  if (scan.after?.keys[0] === null) return []
  const few = await fewWithRun(db, scan, subject)
  const start = { value: scan.after?.keys[0] ?? undefined, id: undefined }
  return few
    ? [few]
    : [
        {
          subject,
          column: 'agent_created_time',
          isDescending: order?.descending ?? true,
          condition: sql``,
          isInOrder: true,
          start,
        },
      ]
}

/** Those that have run, as far as the subject sees that, and the others behind them. */
function rangesByRun({ orders: [order, next], after, test }: AgentScan, subject: string): AgentRange[] {
  const isBehind = after?.keys[0] === null
  if (isBehind && after.keys[1] === null) return []
  const ran: AgentRange = {
    subject,
    column: 'agent_run_time',
    isDescending: order?.descending ?? true,
    condition: hasRun(test),
    isInOrder: true,
    start: { value: after?.keys[0] ?? undefined, id: undefined },
  }
  const others: AgentRange = {
    subject,
    column: next ? COLUMNS[next.column] : 'agent_id',
    isDescending: next?.descending ?? false,
    condition: sql`and agent_run_time = -1`,
    isInOrder: true,
    start: isBehind ? { value: next ? (after.keys[1] ?? undefined) : after.id, id: undefined } : BEGINNING,
  }
  return [...(isBehind ? [] : [ran]), ...(neededRun(test) ? [] : [others])]
}

function hasRun(test: AgentScan['test']): Sql {
  const { after, before } = neededRun(test) ?? {}
  const bound = before === undefined ? sql`` : sql`and agent_run_time < ${before}`
  return sql`and agent_run_time >= ${Math.max(0, (after ?? -1) + 1)} ${bound}`
}

/** Undefined where nothing is asked of the last run, or many ran then. */
async function fewWithRun(db: Connection, { viewer, test }: AgentScan, subject: string): Promise<AgentRange | undefined> {
  if (neededRun(test) === undefined) return undefined
  const range: AgentRange = {
    subject,
    column: 'agent_run_time',
    isDescending: true,
    condition: hasRun(test),
    isInOrder: false,
    start: BEGINNING,
  }
  const more = await db.get({ agent_id: 'text' }, sql`${sqlOfRange(viewer, range, BEGINNING, 'agent_id')} limit 1 offset ${FEW}`)
  return more ? undefined : range
}

/** Access rows behind a place of a range, in its order. */
export function sqlOfRange(
  { workspaceId }: AgentViewer,
  { subject, column, isDescending, condition }: AgentRange,
  { value, id }: RangePlace,
  columns: string,
): Sql {
  const [edge, direction] = isDescending ? [raw('<'), raw(' desc')] : [raw('>'), raw('')]
  const name = raw(column)
  const keys = column === 'agent_id' ? sql`agent_id` : sql`${name}, agent_id`
  let behind = sql``
  if (value !== undefined && id === undefined) behind = sql`and ${name} ${edge}= ${value}`
  else if (value !== undefined && id !== undefined)
    behind = column === 'agent_id' ? sql`and agent_id ${edge} ${id}` : sql`and (${keys}) ${edge} (${value}, ${id})`
  const order = column === 'agent_id' ? sql`agent_id${direction}` : sql`${name}${direction}, agent_id${direction}`
  return sql`select ${raw(columns)} from agent_access where workspace_id = ${workspaceId} and subject_id = ${subject}
    ${condition} ${behind} order by ${order}`
}
