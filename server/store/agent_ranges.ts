import type { AgentViewer } from './agent_access.ts'
import { neededRun, type AgentTest } from './agent_tests.ts'
import type { Connection } from './database.ts'
import { raw, sql, type Sql } from './sql.ts'

/** One sort of a list of agents. Agents without a value come last in either direction. */
export interface AgentOrder {
  readonly column: 'created_time' | 'last_run_time'
  readonly descending: boolean
}

/** The position of an agent in the list: its sort keys in order and, for equal keys, its id. */
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
  /** Agents deleted at or before this time are excluded. */
  readonly goneBefore: number
}

/** The columns of access rows that copy a sort key of the agent. */
export const COLUMNS = { created_time: 'agent_created_time', last_run_time: 'agent_run_time' } as const

/** A range of the access rows of one subject in an index. */
export interface AgentRange {
  readonly subject: string
  /** The column that orders the rows; the agent's id breaks ties. */
  readonly column: (typeof COLUMNS)[AgentOrder['column']] | 'agent_id'
  readonly isDescending: boolean
  readonly condition: Sql
  /** Whether the list has the same order. */
  readonly isInOrder: boolean
  readonly start: RangePlace
}

/** A position in a range. Without an id, it is before the first row with the value; without a value, at the beginning. */
export interface RangePlace {
  readonly value: number | string | undefined
  readonly id: string | undefined
}

const BEGINNING: RangePlace = { value: undefined, id: undefined }
/** Up to this number, agents are sorted in memory rather than read in the order of an index. */
const FEW = 1_000

/** The ranges of a subject's access rows in which a list continues, in the order of the list. */
export async function rangesOf(db: Connection, scan: AgentScan, subject: string): Promise<AgentRange[]> {
  const [order] = scan.orders
  if (order?.column === 'last_run_time') return rangesByRun(scan, subject)
  // Every agent has a creation time, so nothing comes after a position without one.
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

/** The ranges of agents that have a last run that the subject may see, then of the others. */
function rangesByRun({ orders: [order, next], after, test }: AgentScan, subject: string): AgentRange[] {
  const hasNoRun = after?.keys[0] === null
  if (hasNoRun && after.keys[1] === null) return []
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
    start: hasNoRun ? { value: next ? (after.keys[1] ?? undefined) : after.id, id: undefined } : BEGINNING,
  }
  return [...(hasNoRun ? [] : [ran]), ...(neededRun(test) ? [] : [others])]
}

function hasRun(test: AgentScan['test']): Sql {
  const { after, before } = neededRun(test) ?? {}
  const bound = before === undefined ? sql`` : sql`and agent_run_time < ${before}`
  return sql`and agent_run_time >= ${Math.max(0, (after ?? -1) + 1)} ${bound}`
}

/** The range of agents whose last run is in the time that a filter selects; undefined without such a filter, or if there are many. */
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

/** Selects the access rows after a position in a range, in the order of the range. */
export function sqlOfRange(
  { workspaceId }: AgentViewer,
  { subject, column, isDescending, condition }: AgentRange,
  { value, id }: RangePlace,
  columns: string,
): Sql {
  const [edge, direction] = isDescending ? [raw('<'), raw(' desc')] : [raw('>'), raw('')]
  const name = raw(column)
  const keys = column === 'agent_id' ? sql`agent_id` : sql`${name}, agent_id`
  let following = sql``
  if (value !== undefined && id === undefined) following = sql`and ${name} ${edge}= ${value}`
  else if (value !== undefined && id !== undefined)
    following = column === 'agent_id' ? sql`and agent_id ${edge} ${id}` : sql`and (${keys}) ${edge} (${value}, ${id})`
  const order = column === 'agent_id' ? sql`agent_id${direction}` : sql`${name}${direction}, agent_id${direction}`
  return sql`select ${raw(columns)} from agent_access where workspace_id = ${workspaceId} and subject_id = ${subject}
    ${condition} ${following} order by ${order}`
}
