import { LEVEL_OF_ACCESS, type AgentViewer } from './agent_access.ts'
import { conditionSql, type Condition } from './conditions.ts'
import type { Connection } from './database.ts'
import type { Sql as SqlCondition, SqlValue } from './sql.ts'
import type { SessionColumn } from './sessions.ts'

/** A list of sessions in each of their orders: all of a workspace, or those with one value in a column. */
export type SessionSource =
  { readonly column: 'id' | 'agent_id' | 'creator_id' | 'owner_id'; readonly value: string } | { readonly column: 'workspace_id' }

/** Who may see sessions: whoever began them, the person whose agent they are with, and whoever can see their agent. */
export interface SessionViewer {
  readonly agents: AgentViewer
  readonly userId: string
  /** Whose personal agent counts. */
  readonly personId: string | undefined
}

export interface SessionWalk {
  /** A session may be in several. */
  readonly sources: readonly SessionSource[]
  /** By whom sessions have to be seen, where the sources hold others too. */
  readonly viewer: SessionViewer | undefined
  /** Lower case; undefined for any title. */
  readonly titlePart: string | undefined
  readonly condition: Condition<SessionColumn>
  /** Bounds of the time that the walk goes along, which the condition has as well. */
  readonly bounds: readonly Condition<SessionColumn>[]
  readonly along: { readonly column: 'created_time' | 'updated_time'; readonly isDescending: boolean }
}

/** Where something stands along a walk. */
export interface WalkPlace {
  readonly time: number
  /** Undefined for the first one of that time. */
  readonly id: string | undefined
}

export interface WalkedSession {
  readonly id: string
  readonly created_time: number
  readonly updated_time: number
}

/** One step of a walk. */
export interface WalkedSessions {
  /** Those that pass, in any order. */
  readonly sessions: readonly WalkedSession[]
  /** Where the next step begins; undefined when all have been looked at. */
  readonly end: WalkPlace | undefined
}

const KEYS = ['id', 'agent_id', 'creator_id', 'owner_id', 'status', 'title_key', 'created_time', 'updated_time'].join(', ')

/** True of every time. Planners that know nothing of the rows believe that few are between two bounds, and take the index that has the order. */
const EVER = `time between 0 and ${Number.MAX_SAFE_INTEGER}`

/** Looks at the sessions that come next: of each source so many at the most, along an index. */
export async function walkSessions(
  db: Connection,
  workspaceId: string,
  walk: SessionWalk,
  from: WalkPlace | undefined,
  size: number,
): Promise<WalkedSessions> {
  const { column, isDescending } = walk.along
  const parts = walk.sources.map((source, index) => sourceSql(workspaceId, walk, source, { index, from, size }))
  const test = testSql(workspaceId, walk)
  const rows = await db.all(
    { source: 'integer', id: 'text', created_time: 'integer', updated_time: 'integer', passes: 'integer' },
    `select p.source, p.id, p.created_time, p.updated_time, case when ${test.sql} then 1 else 0 end as passes
     from (${parts.map(({ sql }) => sql).join(' union all ')}) as p`,
    ...test.parameters,
    ...parts.flatMap(({ parameters }) => parameters),
  )
  const direction = isDescending ? -1 : 1
  const compare = (one: Required<WalkPlace>, other: Required<WalkPlace>): number =>
    direction * (one.time - other.time || ((one.id ?? '') < (other.id ?? '') ? -1 : one.id === other.id ? 0 : 1))
  const placed = rows.map((row) => ({ row, place: { time: row[column], id: row.id } }))
  // Behind the end of a source that has more, others are not known to be next.
  const end = walk.sources
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
  { along: { column, isDescending }, bounds }: SessionWalk,
  source: SessionSource,
  step: { readonly index: number; readonly from: WalkPlace | undefined; readonly size: number },
): SqlCondition {
  const [edge, direction] = isDescending ? ['<', ' desc'] : ['>', '']
  const own = source.column === 'workspace_id' ? [] : [source.value]
  const bounded = conditionSql({ all: bounds })
  const { from } = step
  const start = from?.id === undefined ? `${column} ${edge}= ?` : `(${column}, id) ${edge} (?, ?)`
  return {
    sql: `select * from (select ${step.index} as source, ${KEYS} from sessions
      where workspace_id = ?${own.length > 0 ? ` and ${source.column} = ?` : ''} and ${EVER.replace('time', column)}
      and ${bounded.sql}${from ? ` and ${start}` : ''}
      order by ${column}${direction}, id${direction} limit ?) as s${step.index}`,
    parameters: [
      ...[workspaceId, ...own, ...bounded.parameters],
      ...(from ? [from.time, ...(from.id === undefined ? [] : [from.id])] : []),
      step.size,
    ],
  }
}

function testSql(workspaceId: string, { condition, titlePart, viewer }: SessionWalk): SqlCondition {
  const asked = conditionSql(condition)
  const tests: SqlCondition[] = [asked]
  if (titlePart !== undefined)
    tests.push({ sql: `title_key like ? escape '\\'`, parameters: [`%${titlePart.replaceAll(/[\\%_]/g, '\\$&')}%`] })
  if (viewer) tests.push(visibleSql(workspaceId, viewer))
  return { sql: tests.map(({ sql }) => sql).join(' and '), parameters: tests.flatMap(({ parameters }) => parameters) }
}

function visibleSql(workspaceId: string, { agents, userId, personId }: SessionViewer): SqlCondition {
  const { subjectId, isFullMember } = agents
  const owned: SqlValue[] = personId === undefined ? [] : [personId]
  return {
    sql: `(p.creator_id = ?${owned.length > 0 ? ' or p.owner_id = ?' : ''} or (select ${LEVEL_OF_ACCESS} from agent_access x
      where x.workspace_id = ? and x.subject_id in (?, ?) and x.agent_id = p.agent_id
      order by case when x.subject_id = ? then 0 else 1 end limit 1) is not null)`,
    parameters: [
      userId,
      ...owned,
      ...[workspaceId, workspaceId, workspaceId],
      ...[workspaceId, subjectId, isFullMember ? workspaceId : subjectId, subjectId],
    ],
  }
}
