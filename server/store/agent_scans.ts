import { agentColumns, agentFromRow, agentRow, type AgentRecord } from './agents.ts'
import { levelOfAccess, type AgentViewer } from './agent_access.ts'
import { agentTestSize, sqlOfAgentTest, timeColumn, type AgentTest } from './agent_tests.ts'
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
  /** Agents that were deleted up to this time are left out. */
  readonly goneBefore: number
}

/** The most agents that one statement examines, for a test without parts: an engine inside the process blocks it meanwhile. */
const BATCH_SIZE_MAX = 4_000
const BATCH_SIZE_MIN = 100
/** Most lists need only the first batch, which is small; each batch is this many times as large as the one before. */
const GROWTH = 4

/**
 * The first agents that a viewer sees after a position, in order. Examines the viewer's access rows in batches, oldest or newest first,
 * and keeps no more agents than the limit. If agents are sorted by creation, the scan starts at the position and ends at the limit;
 * otherwise it examines every row.
 * @param yieldBetween called between batches; an error that it throws ends the scan
 */
export async function scanAgents(db: Connection, scan: AgentScan, yieldBetween: () => Promise<void>): Promise<FoundAgent[]> {
  const { workspaceId, subjectId, isFullMember } = scan.viewer
  const sizeMax = Math.max(BATCH_SIZE_MIN, Math.floor(BATCH_SIZE_MAX / Math.max(1, agentTestSize(scan.test))))
  const isByCreation = scan.orders[0]?.column === 'created_time'
  const sorted = (found: readonly FoundAgent[]): FoundAgent[] =>
    found.toSorted((one, other) => comparePositions(one, other, scan.orders)).slice(0, scan.limit)
  const found: FoundAgent[] = []
  for (const subject of isFullMember ? [subjectId, workspaceId] : [subjectId]) {
    let size = isByCreation ? Math.min(sizeMax, Math.max(BATCH_SIZE_MIN, scan.limit)) : sizeMax
    let own: FoundAgent[] = []
    for (let from = startPosition(scan); from !== undefined;) {
      own = sorted([...own, ...(await scanBatch(db, scan, { subject, from, size }))])
      from = await endOfBatch(db, scan, { subject, from, size })
      // The next batch may contain others created at the very time at which this one ends.
      if (isByCreation && from !== undefined && own.length === scan.limit && own.at(-1)?.keys[0] !== from.time) break
      if (from !== undefined) await yieldBetween()
      size = Math.min(sizeMax, size * GROWTH)
    }
    found.push(...own)
  }
  return sorted(found)
}

/** A position in the order of creation, in which the scan proceeds. */
interface ScanPosition {
  readonly time: number
  /** Undefined for the first one of that time. */
  readonly id: string | undefined
}

/** Access rows of one subject after `from`. */
interface Batch {
  readonly subject: string
  readonly from: ScanPosition
  readonly size: number
}

/** Whether the scan goes from the latest to the earliest creation time. */
function isDescending({ orders: [first] }: AgentScan): boolean {
  return first?.column === 'created_time' && first.descending
}

/** @returns undefined if nothing can follow the position */
function startPosition(scan: AgentScan): ScanPosition | undefined {
  if (scan.after === undefined || scan.orders[0]?.column !== 'created_time')
    return { time: isDescending(scan) ? Number.MAX_SAFE_INTEGER : 0, id: undefined }
  const [time] = scan.after.keys
  return time === null || time === undefined ? undefined : { time, id: undefined }
}

/** Access rows from the start of a batch on, in the order of one index. */
function batchSql(scan: AgentScan, columns: string, { subject, from: { time, id } }: Batch): Sql {
  const [edge, direction] = isDescending(scan) ? [raw('<'), raw(' desc')] : [raw('>'), raw('')]
  const following =
    id === undefined ? sql`agent_created_time ${edge}= ${time}` : sql`(agent_created_time, agent_id) ${edge} (${time}, ${id})`
  return sql`select ${raw(columns)} from agent_access where workspace_id = ${scan.viewer.workspaceId} and subject_id = ${subject}
    and ${following} order by agent_created_time${direction}, agent_id${direction}`
}

/** @returns where a full batch ends; undefined if the subject has no more rows */
async function endOfBatch(db: Connection, scan: AgentScan, batch: Batch): Promise<ScanPosition | undefined> {
  const row = await db.get(
    { agent_id: 'text', agent_created_time: 'integer' },
    sql`${batchSql(scan, 'agent_id, agent_created_time', batch)} limit 1 offset ${batch.size - 1}`,
  )
  return row && { time: row.agent_created_time, id: row.agent_id }
}

async function scanBatch(db: Connection, scan: AgentScan, batch: Batch): Promise<FoundAgent[]> {
  const { viewer, test, orders, after, limit, now, goneBefore } = scan
  const { workspaceId, subjectId } = viewer
  const { subject } = batch
  const keys = orders.map(({ column }, index) => `${timeColumn(column)} as key_${index}`)
  const order = orders.map(({ descending }, index) => `b.key_${index} is null, b.key_${index}${descending ? ' desc' : ''}`)
  const passed = sqlOfAgentTest(test, workspaceId, now)
  const access = batchSql(scan, 'agent_id, level, shared_by', batch)
  const following = after ? sqlAfter(after, orders) : sql`(1 = 1)`
  const notOwn =
    subject === subjectId
      ? sql`true`
      : sql`not exists (select 1 from agent_access o
          where o.workspace_id = ${workspaceId} and o.subject_id = ${subjectId} and o.agent_id = x.agent_id)`
  const rows = await db.all(
    { id: 'text', level: 'integer', key_0: 'integer?', ...(orders.length > 1 ? { key_1: 'integer?' as const } : {}) },
    sql`select b.* from (select a.id, a.level, ${raw(keys.join(', '))} from (
        select g.*, ${levelOfAccess(workspaceId)} as level from (${access} limit ${batch.size}) x
        ${db.lookUp('agents', 'g', sql`g.workspace_id = ${workspaceId} and g.id = x.agent_id`)} where ${notOwn}) a
      where a.level is not null and (a.deleted_time is null or a.deleted_time > ${goneBefore}) and ${passed}) b
      where ${following} order by ${raw(order.join(', '))}, b.id limit ${limit}`,
  )
  return rows.map((row) => ({
    id: row.id,
    level: row.level,
    keys: orders.length > 1 ? [row.key_0, row.key_1 ?? null] : [row.key_0],
  }))
}

/** The condition that an agent `b` comes after a position. */
function sqlAfter({ keys, id }: AgentPosition, orders: readonly AgentOrder[]): Sql {
  let following = sql`b.id > ${id}`
  for (const [index, { descending }] of [...orders.entries()].reverse()) {
    const [name, key] = [raw(`b.key_${index}`), keys[index] ?? null]
    following =
      key === null
        ? sql`(${name} is null and ${following})`
        : sql`(${name} ${raw(descending ? '<' : '>')} ${key} or ${name} is null or (${name} = ${key} and ${following}))`
  }
  return following
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
