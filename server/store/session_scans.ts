import { levelOfAccess, type AgentViewer } from './agent_access.ts'
import { conditionSql, type Condition } from './conditions.ts'
import type { Connection } from './database.ts'
import { joinSql, raw, sql, type Sql } from './sql.ts'
import type { SessionColumn } from './sessions.ts'

/** Sessions for which each order has an index: all of a workspace, or those with one value in a column. */
export type SessionSource =
  | { readonly column: 'id' | 'agent_id' | 'creator_id' | 'owner_id'; readonly value: string }
  | { readonly column: 'workspace_id' }

/**
 * A viewer of sessions. It sees those that it or its person began, those of the person's personal agent, and those of the agents it can
 * see.
 */
export interface SessionViewer {
  readonly agents: AgentViewer
  readonly userId: string
  /** The person for whom the viewer acts, possibly the viewer itself, or undefined. */
  readonly personId: string | undefined
}

export interface SessionScan {
  /** The sources to scan. A session may be in several of them. */
  readonly sources: readonly SessionSource[]
  /** The viewer to whose visible sessions the result is restricted; undefined if the sources contain no others. */
  readonly viewer: SessionViewer | undefined
  /** In lower case; undefined for any title. */
  readonly titlePart: string | undefined
  readonly condition: Condition<SessionColumn>
  /** The bounds that `condition` sets for the column by which the scan is ordered. */
  readonly bounds: readonly Condition<SessionColumn>[]
  readonly along: { readonly column: 'created_time' | 'updated_time'; readonly isDescending: boolean }
}

export interface ScanPosition {
  readonly time: number
  /** Undefined before the first session with that time. */
  readonly id: string | undefined
}

export interface ScannedSession {
  readonly id: string
  readonly created_time: number
  readonly updated_time: number
}

export interface ScannedBatch {
  /** The sessions that match the condition, in no particular order. */
  readonly sessions: readonly ScannedSession[]
  /** The position after which to continue; undefined if all sessions have been examined. */
  readonly end: ScanPosition | undefined
}

const KEYS = ['id', 'agent_id', 'creator_id', 'owner_id', 'status', 'title_key', 'created_time', 'updated_time'].join(', ')

/**
 * A condition that is always true. Without statistics, a planner assumes that few rows are between two bounds, so it chooses the index in
 * this order.
 */
const EVER = `time between 0 and ${Number.MAX_SAFE_INTEGER}`

/** Examines the next sessions of a scan: at most `size` of each source, in the order of an index. */
export async function scanSessions(
  db: Connection,
  workspaceId: string,
  scan: SessionScan,
  from: ScanPosition | undefined,
  size: number,
): Promise<ScannedBatch> {
  const { column, isDescending } = scan.along
  const parts = scan.sources.map((source, index) => sourceSql(workspaceId, scan, source, { index, from, size }))
  const rows = await db.all(
    { source: 'integer', id: 'text', created_time: 'integer', updated_time: 'integer', passes: 'integer' },
    sql`select p.source, p.id, p.created_time, p.updated_time, case when ${testSql(workspaceId, scan)} then 1 else 0 end as passes
      from (${joinSql(parts, ' union all ')}) as p`,
  )
  const direction = isDescending ? -1 : 1
  const compare = (one: Required<ScanPosition>, other: Required<ScanPosition>): number =>
    direction * (one.time - other.time || ((one.id ?? '') < (other.id ?? '') ? -1 : one.id === other.id ? 0 : 1))
  const placed = rows.map((row) => ({ row, place: { time: row[column], id: row.id } }))
  // A source with more sessions may continue before the ends of the other batches, so the whole batch ends where the first such source
  // ends.
  const end = scan.sources
    .flatMap((_source, index) => {
      const places = placed.filter(({ row }) => row.source === index).map(({ place }) => place)
      return places.length < size ? [] : places.sort(compare).slice(-1)
    })
    .sort(compare)[0]
  const passing = placed.filter(({ row, place }) => row.passes > 0 && (end === undefined || compare(place, end) <= 0))
  return { sessions: [...new Map(passing.map(({ row }) => [row.id, row])).values()], end }
}

function sourceSql(
  workspaceId: string,
  { along: { column, isDescending }, bounds }: SessionScan,
  source: SessionSource,
  step: { readonly index: number; readonly from: ScanPosition | undefined; readonly size: number },
): Sql {
  const [edge, direction] = isDescending ? [raw('<'), raw(' desc')] : [raw('>'), raw('')]
  const [time, own] = [raw(column), source.column === 'workspace_id' ? sql`` : sql` and ${raw(source.column)} = ${source.value}`]
  const { index, from, size } = step
  const start =
    from === undefined
      ? sql``
      : from.id === undefined
        ? sql` and ${time} ${edge}= ${from.time}`
        : sql` and (${time}, id) ${edge} (${from.time}, ${from.id})`
  return sql`select * from (select ${raw(index)} as source, ${raw(KEYS)} from sessions
    where workspace_id = ${workspaceId}${own} and ${raw(EVER.replace('time', column))} and ${conditionSql({ all: bounds })}${start}
    order by ${time}${direction}, id${direction} limit ${size}) as ${raw(`s${index}`)}`
}

function testSql(workspaceId: string, { condition, titlePart, viewer }: SessionScan): Sql {
  const tests = [conditionSql(condition)]
  if (titlePart !== undefined) tests.push(sql`title_key like ${`%${titlePart.replaceAll(/[\\%_]/g, '\\$&')}%`} escape '\\'`)
  if (viewer) tests.push(visibleSql(workspaceId, viewer))
  return joinSql(tests, ' and ')
}

function visibleSql(workspaceId: string, { agents, userId, personId }: SessionViewer): Sql {
  const { subjectId, isFullMember } = agents
  const person = personId ?? userId
  return sql`(p.creator_id in (${userId}, ${person})${personId === undefined ? sql`` : sql` or p.owner_id = ${person}`}
    or (select ${levelOfAccess(workspaceId)} from agent_access x where x.workspace_id = ${workspaceId}
      and x.subject_id in (${subjectId}, ${isFullMember ? workspaceId : subjectId}) and x.agent_id = p.agent_id
      order by case when x.subject_id = ${subjectId} then 0 else 1 end limit 1) is not null)`
}
