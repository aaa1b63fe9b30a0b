import { yieldToEventLoop } from '../../../kernel/yield_to_event_loop.ts'
import { findAgentLevels, listFewAgents } from '../../../store/agent_levels.ts'
import type { Condition, OrderColumn } from '../../../store/conditions.ts'
import {
  scanSessions,
  type SessionSource,
  type SessionViewer,
  type SessionScan,
  type ScannedSession,
  type ScanPosition,
} from '../../../store/session_scans.ts'
import { findSessions, type SessionColumn, type SessionRow } from '../../../store/sessions.ts'
import { cutPage, positionOf, type Page, type PageRequest, type Scope } from '../../shared/index.ts'

type SessionSort = OrderColumn<'created_time' | 'updated_time' | 'id'>

export interface SessionSearch extends Pick<SessionScan, 'titlePart' | 'condition'> {
  /** Sort keys: one time or both, then the id. */
  readonly sort: readonly [OrderColumn<'created_time' | 'updated_time'>, ...SessionSort[]]
}

/** The number of sessions examined by one statement if not all of them pass: SQLite blocks the process during a statement. */
const SESSIONS_AT_ONCE = 2_000
/** Up to this number of agents, sessions are read from the list of each agent; for more, from the list of the workspace. */
const AGENTS_FEW = 16

/** A page of the sessions visible to the caller, from scans of an index in the requested order, in batches. */
export async function findSessionPage(
  scope: Scope,
  viewer: SessionViewer,
  search: SessionSearch,
  request: PageRequest,
): Promise<Page<SessionRow>> {
  const { db, actor, cursors } = scope
  const { sort } = search
  const [{ column }] = sort
  const after = parsePosition(scope, search, request)
  const scan = await planScan(scope, viewer, search)
  const wanted = request.pageSize + 1
  const size = Math.max(wanted, allPass(scan) ? 0 : Math.floor(SESSIONS_AT_ONCE / scan.sources.length))
  let found: ScannedSession[] = []
  for (let from = after && ({ time: Number(after[0]), id: undefined } as ScanPosition | undefined), more = true; more;) {
    const { sessions, end } = await scanSessions(db, actor.workspaceId, scan, from, size)
    const next = sessions.filter((one) => after === undefined || comparePositions(positionIn(one, sort), after, sort) > 0)
    found = [...found, ...next]
      .sort((one, other) => comparePositions(positionIn(one, sort), positionIn(other, sort), sort))
      .slice(0, wanted)
    from = end
    // Sessions with the same time as the end of this batch may follow in the next one.
    more = end !== undefined && (found.length < wanted || found.at(-1)?.[column] === end.time)
    if (!more) continue
    await yieldToEventLoop()
    scope.requireTime?.()
  }
  const known = await findSessions(
    db,
    actor.workspaceId,
    found.map(({ id }) => id),
  )
  const rows = found.flatMap(({ id }) => known.get(id) ?? [])
  return cutPage(cursors, rows, request, (row) => positionIn(row, sort).map(String))
}

/** The values of a session's sort keys. */
type Position = readonly (number | string)[]

function positionIn(session: ScannedSession, sort: readonly SessionSort[]): Position {
  return sort.map(({ column }) => session[column])
}

function comparePositions(one: Position, other: Position, sort: readonly SessionSort[]): number {
  for (const [index, { isDescending }] of sort.entries()) {
    const [key, otherKey] = [one[index] ?? 0, other[index] ?? 0]
    if (key !== otherKey) return key < otherKey === isDescending ? 1 : -1
  }
  return 0
}

function parsePosition({ cursors }: Scope, { sort }: SessionSearch, request: PageRequest): Position | undefined {
  return positionOf(cursors, request)?.map((value, index) => (sort[index]?.column === 'id' ? value : Number(value)))
}

/** Whether the list contains every session of the sources. */
function allPass({ viewer, titlePart, condition, bounds }: SessionScan): boolean {
  return viewer === undefined && titlePart === undefined && conjuncts(condition).length === bounds.length
}

async function planScan(scope: Scope, viewer: SessionViewer, search: SessionSearch): Promise<SessionScan> {
  const asked = conjuncts(search.condition)
  const [along] = search.sort
  const bounds = asked.filter((part) => 'operator' in part && part.column === along.column)
  const { titlePart, condition } = search
  const scan = { titlePart, condition, bounds, along }
  const named = asked.flatMap((part): SessionSource[] =>
    'operator' in part && (part.column === 'id' || part.column === 'agent_id') && part.operator === '='
      ? [{ column: part.column, value: String(part.value) }]
      : [],
  )
  const source = named.find(({ column }) => column === 'id') ?? named[0]
  if (source) return { ...scan, viewer, sources: [source] }
  const few = await sourcesIfFew(scope, viewer)
  return few ? { ...scan, viewer: undefined, sources: few } : { ...scan, viewer, sources: [{ column: 'workspace_id' }] }
}

/** Sources that contain exactly the sessions visible to the viewer. @returns undefined if that takes many sources */
async function sourcesIfFew({ db }: Scope, { agents, userId, personId }: SessionViewer): Promise<SessionSource[] | undefined> {
  const few = await listFewAgents(db, agents, AGENTS_FEW)
  if (!few) return undefined
  const reachable = await findAgentLevels(db, agents, few)
  const creators = new Set([userId, personId ?? userId])
  return [
    ...Array.from(creators, (value) => ({ column: 'creator_id', value }) as const),
    ...(personId === undefined ? [] : [{ column: 'owner_id', value: personId } as const]),
    ...Array.from(reachable.keys(), (value) => ({ column: 'agent_id', value }) as const),
  ]
}

/** The parts of a condition that must all hold. */
function conjuncts(condition: Condition<SessionColumn>): Condition<SessionColumn>[] {
  return 'all' in condition ? condition.all.flatMap(conjuncts) : [condition]
}
