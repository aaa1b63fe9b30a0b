import { agentColumns, agentFromRow, agentRow, type AgentRecord } from './agents.ts'
import { levelOfAccess, type AgentViewer } from './agent_access.ts'
import { agentTestSize, sqlOfAgentTest, timeColumn, type AgentTest } from './agent_tests.ts'
import type { Connection } from './database.ts'
import { raw, sql, type Sql } from './sql.ts'

/** One property that agents are sorted by; those without a value come last in both directions. */
export interface AgentOrder {
  readonly column: 'created_time' | 'last_run_time'
  readonly descending: boolean
}

/** Where an agent stands: its keys in the order of the sorts, and its id, which breaks ties. */
export interface AgentPosition {
  readonly keys: readonly (number | null)[]
  readonly id: string
}

export interface FoundAgent extends AgentPosition {
  /** What the viewer may do with it, from 1 to 3. */
  readonly level: number
}

interface AgentScan {
  readonly viewer: AgentViewer
  readonly test: AgentTest
  readonly orders: readonly AgentOrder[]
  readonly after: AgentPosition | undefined
  readonly limit: number
  readonly now: number
  /** Agents that were deleted until then are gone. */
  readonly goneBefore: number
}

/** How many agents one statement looks at, where the test is a single one: an engine inside the process does nothing else until it has. */
const AGENTS_AT_ONCE = 4_000
const AGENTS_AT_ONCE_MIN = 100
/** Most lists need no more than the first portion, which is small; each that follows is larger. */
const GROWTH = 4

/**
 * The first agents of a list that a viewer sees, in order. It looks at what the viewer was given in portions, oldest or newest first, and
 * keeps no more than the limit of it. In the order of their creation it begins behind the position and ends with the limit; else it looks
 * at everything.
 * @param rest called between portions; what it throws ends the scan
 */
export async function scanAgents(db: Connection, scan: AgentScan, rest: () => Promise<void>): Promise<FoundAgent[]> {
  const { workspaceId, subjectId, isFullMember } = scan.viewer
  const sizeMax = Math.max(AGENTS_AT_ONCE_MIN, Math.floor(AGENTS_AT_ONCE / Math.max(1, agentTestSize(scan.test))))
  const isInOrder = scan.orders[0]?.column === 'created_time'
  const sorted = (found: readonly FoundAgent[]): FoundAgent[] =>
    found.toSorted((one, other) => comparePositions(one, other, scan.orders)).slice(0, scan.limit)
  const best: FoundAgent[] = []
  for (const subject of isFullMember ? [subjectId, workspaceId] : [subjectId]) {
    let size = isInOrder ? Math.min(sizeMax, Math.max(AGENTS_AT_ONCE_MIN, scan.limit)) : sizeMax
    let own: FoundAgent[] = []
    for (let from = startOf(scan); from !== undefined;) {
      own = sorted([...own, ...(await scanPortion(db, scan, { subject, from, size }))])
      from = await endOfPortion(db, scan, { subject, from, size })
      // Of those made at the time where a portion ends, the next one may hold others.
      if (isInOrder && from !== undefined && own.length === scan.limit && own.at(-1)?.keys[0] !== from.time) break
      if (from !== undefined) await rest()
      size = Math.min(sizeMax, size * GROWTH)
    }
    best.push(...own)
  }
  return sorted(best)
}

/** Where something stands in the order of creation, which portions are cut in. */
interface Place {
  readonly time: number
  /** Undefined for the first one of that time. */
  readonly id: string | undefined
}

/** Agents of one subject that come behind `from`. */
interface Portion {
  readonly subject: string
  readonly from: Place
  readonly size: number
}

/** Times of creation are read from the latest to the earliest where they are sorted so. */
function isDescending({ orders: [first] }: AgentScan): boolean {
  return first?.column === 'created_time' && first.descending
}

/** @returns undefined where nothing can come behind the position */
function startOf(scan: AgentScan): Place | undefined {
  if (scan.after === undefined || scan.orders[0]?.column !== 'created_time')
    return { time: isDescending(scan) ? Number.MAX_SAFE_INTEGER : 0, id: undefined }
  const [time] = scan.after.keys
  return time === null || time === undefined ? undefined : { time, id: undefined }
}

/** Access rows from the beginning of a portion on, in the order of one index. */
function sqlOfPortion(scan: AgentScan, columns: string, { subject, from: { time, id } }: Portion): Sql {
  const [edge, direction] = isDescending(scan) ? [raw('<'), raw(' desc')] : [raw('>'), raw('')]
  const behind =
    id === undefined ? sql`agent_created_time ${edge}= ${time}` : sql`(agent_created_time, agent_id) ${edge} (${time}, ${id})`
  return sql`select ${raw(columns)} from agent_access where workspace_id = ${scan.viewer.workspaceId} and subject_id = ${subject}
    and ${behind} order by agent_created_time${direction}, agent_id${direction}`
}

/** @returns where a full portion ends; undefined when the subject has no more */
async function endOfPortion(db: Connection, scan: AgentScan, portion: Portion): Promise<Place | undefined> {
  const row = await db.get(
    { agent_id: 'text', agent_created_time: 'integer' },
    sql`${sqlOfPortion(scan, 'agent_id, agent_created_time', portion)} limit 1 offset ${portion.size - 1}`,
  )
  return row && { time: row.agent_created_time, id: row.agent_id }
}

async function scanPortion(db: Connection, scan: AgentScan, portion: Portion): Promise<FoundAgent[]> {
  const { viewer, test, orders, after, limit, now, goneBefore } = scan
  const { workspaceId, subjectId } = viewer
  const { subject } = portion
  const keys = orders.map(({ column }, index) => `${timeColumn(column)} as key_${index}`)
  const order = orders.map(({ descending }, index) => `b.key_${index} is null, b.key_${index}${descending ? ' desc' : ''}`)
  const passed = sqlOfAgentTest(test, workspaceId, now)
  const access = sqlOfPortion(scan, 'agent_id, level, shared_by', portion)
  const behind = after ? sqlBehind(after, orders) : sql`(1 = 1)`
  const notOwn =
    subject === subjectId
      ? sql`true`
      : sql`not exists (select 1 from agent_access o
          where o.workspace_id = ${workspaceId} and o.subject_id = ${subjectId} and o.agent_id = x.agent_id)`
  const rows = await db.all(
    { id: 'text', level: 'integer', key_0: 'integer?', ...(orders.length > 1 ? { key_1: 'integer?' as const } : {}) },
    sql`select b.* from (select a.id, a.level, ${raw(keys.join(', '))} from (
        select g.*, ${levelOfAccess(workspaceId)} as level from (${access} limit ${portion.size}) x
        ${db.lookUp('agents', 'g', sql`g.workspace_id = ${workspaceId} and g.id = x.agent_id`)} where ${notOwn}) a
      where a.level is not null and (a.deleted_time is null or a.deleted_time > ${goneBefore}) and ${passed}) b
      where ${behind} order by ${raw(order.join(', '))}, b.id limit ${limit}`,
  )
  return rows.map((row) => ({
    id: row.id,
    level: row.level,
    keys: orders.length > 1 ? [row.key_0, row.key_1 ?? null] : [row.key_0],
  }))
}

/** A condition on an agent `b` with its keys: that it comes behind a position. */
function sqlBehind({ keys, id }: AgentPosition, orders: readonly AgentOrder[]): Sql {
  let behind = sql`b.id > ${id}`
  for (const [index, { descending }] of [...orders.entries()].reverse()) {
    const [name, key] = [raw(`b.key_${index}`), keys[index] ?? null]
    behind =
      key === null
        ? sql`(${name} is null and ${behind})`
        : sql`(${name} ${raw(descending ? '<' : '>')} ${key} or ${name} is null or (${name} = ${key} and ${behind}))`
  }
  return behind
}

/** Below 0 when one agent comes before another. */
export function comparePositions(one: AgentPosition, other: AgentPosition, orders: readonly AgentOrder[]): number {
  for (const [index, { descending }] of orders.entries()) {
    const [key, otherKey] = [one.keys[index] ?? null, other.keys[index] ?? null]
    if (key === otherKey) continue
    if (key === null) return 1
    if (otherKey === null) return -1
    return descending ? otherKey - key : key - otherKey
  }
  return one.id === other.id ? 0 : one.id < other.id ? -1 : 1
}

export async function findAgentRecords(
  db: Connection,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, AgentRecord>> {
  if (ids.length === 0) return new Map()
  const rows = await db.all(
    agentRow,
    sql`select ${raw(agentColumns('a'))} from ${db.wanted(ids)}
      ${db.lookUp('agents', 'a', sql`a.workspace_id = ${workspaceId} and a.id = wanted.id`)}`,
  )
  return new Map(rows.map((row) => [row.id, agentFromRow(row)]))
}
