import { agentColumns, agentFromRow, agentRow, type AgentRecord } from './agents.ts'
import { levelOfAccess, type AgentViewer } from './agent_access.ts'
import { agentTestSize, sqlOfAgentTest, timeColumn } from './agent_tests.ts'
import {
  COLUMNS,
  rangesOf,
  sqlOfRange,
  type AgentOrder,
  type AgentPosition,
  type AgentRange,
  type AgentScan,
  type RangePlace,
} from './agent_ranges.ts'
import type { Connection } from './database.ts'
import { raw, sql, type Sql } from './sql.ts'

export interface FoundAgent extends AgentPosition {
  /** The viewer's level, from 1 to 3. */
  readonly level: number
}

/** The maximum number of agents that one statement examines, if the filter has one test: SQLite blocks the process meanwhile. */
const BATCH_SIZE_MAX = 4_000
const BATCH_SIZE_MIN = 100
/** Most lists need only the first batch, so it is small. Each batch is larger than the previous one by this factor. */
const GROWTH = 4

/**
 * The first agents after a position that a viewer can see, in order. Scans the viewer's access rows range by range and in batches until the
 * limit is reached. Ranges are in the order of the first sort, but a filter that few agents can match has a range of its own.
 * @param yieldBetween called between batches; an error that it throws ends the scan
 */
export async function scanAgents(db: Connection, scan: AgentScan, yieldBetween: () => Promise<void>): Promise<FoundAgent[]> {
  const { workspaceId, subjectId, isFullMember } = scan.viewer
  const best: FoundAgent[] = []
  for (const subject of isFullMember ? [subjectId, workspaceId] : [subjectId]) {
    const own: FoundAgent[] = []
    for (const range of await rangesOf(db, scan, subject)) {
      await scanRange(db, scan, range, own, yieldBetween)
      if (own.length === scan.limit) break
    }
    best.push(...own)
  }
  return firstOf(best, scan)
}

function firstOf(found: readonly FoundAgent[], { orders, limit }: AgentScan): FoundAgent[] {
  return found.toSorted((one, other) => comparePositions(one, other, orders)).slice(0, limit)
}

/** Adds the agents of a range to `found`, which keeps the first `limit` in order. */
async function scanRange(
  db: Connection,
  scan: AgentScan,
  range: AgentRange,
  found: FoundAgent[],
  yieldBetween: () => Promise<void>,
): Promise<void> {
  const sizeMax = Math.max(BATCH_SIZE_MIN, Math.floor(BATCH_SIZE_MAX / Math.max(1, agentTestSize(scan.test))))
  let size = Math.min(sizeMax, Math.max(BATCH_SIZE_MIN, scan.limit))
  for (let from: RangePlace | undefined = range.start; from !== undefined;) {
    found.splice(0, found.length, ...firstOf([...found, ...(await scanBatch(db, scan, { range, from, size }))], scan))
    from = await endOfBatch(db, scan.viewer, { range, from, size })
    const last = found.length === scan.limit ? found.at(-1) : undefined
    // The next batch may contain more agents with the value of this batch's last row.
    if (range.isInOrder && from && last && valueIn(range, last, scan.orders) !== from.value) return
    if (from !== undefined) await yieldBetween()
    size = Math.min(sizeMax, size * GROWTH)
  }
}

function valueIn(
  { column }: AgentRange,
  { keys, id }: FoundAgent,
  orders: readonly AgentOrder[],
): number | string | null | undefined {
  if (column === 'agent_id') return id
  return keys[orders.findIndex(({ column: sorted }) => COLUMNS[sorted] === column)]
}

/** A part of a range. */
interface Batch {
  readonly range: AgentRange
  readonly from: RangePlace
  readonly size: number
}

/** @returns the position of the last row of a full batch; undefined if the range ends earlier */
async function endOfBatch(db: Connection, viewer: AgentViewer, { range, from, size }: Batch): Promise<RangePlace | undefined> {
  const row = await db.get(
    { agent_id: 'text', value: 'key' },
    sql`${sqlOfRange(viewer, range, from, `agent_id, ${range.column} as value`)} limit 1 offset ${size - 1}`,
  )
  return row && { value: row.value ?? undefined, id: row.agent_id }
}

async function scanBatch(db: Connection, scan: AgentScan, batch: Batch): Promise<FoundAgent[]> {
  const { viewer, test, orders, after, limit, now, goneBefore } = scan
  const { workspaceId, subjectId } = viewer
  const { subject } = batch.range
  const keys = orders.map(({ column }, index) => `${timeColumn(column)} as key_${index}`)
  const order = orders.map(({ descending }, index) => `b.key_${index} is null, b.key_${index}${descending ? ' desc' : ''}`)
  const passed = sqlOfAgentTest(test, workspaceId, now)
  const access = sqlOfRange(viewer, batch.range, batch.from, 'agent_id, level, shared_by')
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

/** A condition in SQL: an agent `b`, with its sort keys, comes after a position. */
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

/** Compares the positions of two agents in a list, like a comparator of `Array.prototype.sort`. */
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
