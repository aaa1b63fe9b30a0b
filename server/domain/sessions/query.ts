import type { SessionFilter, SessionFilterEntry, SessionList, SessionQueryRequest } from '../../../generated/types.ts'
import type { Condition, SortKey } from '../../store/conditions.ts'
import { searchSessions, type SessionColumn, type SessionRow } from '../../store/sessions.ts'
import { agentIdOf } from '../agents/agent.ts'
import { parseTimes } from './parse_times.ts'
import { requireDistinctSorts } from './parse_sorts.ts'
import { cutPage, positionOf, type PageRequest } from '../paging.ts'
import type { Scope } from '../scope.ts'
import { visibleSessions } from './access.ts'
import { presentDetails } from './present.ts'

const TIME_COLUMNS = { created_at: 'created_time', updated_at: 'updated_time' } as const

/** Sessions that the caller may see, the last changed first unless it asks otherwise. */
export async function querySessions(scope: Scope, query: SessionQueryRequest, request: PageRequest): Promise<SessionList> {
  const { db, actor, cursors } = scope
  const sort = parseSorts(query)
  const position = positionOf(cursors, request)
  const asked = query.filter === undefined ? [] : [parseFilter(scope, query.filter, 'body.filter')]
  const visible = await visibleSessions(scope)
  const rows = await searchSessions(db, actor.workspaceId, {
    titlePart: query.query?.toLowerCase(),
    condition: { all: [visible.condition, ...asked] },
    sort,
    behind: position?.map((value, index) => (sort[index]?.column === 'id' ? value : Number(value))),
    limit: request.pageSize + 1,
  })
  const page = cutPage(cursors, rows, request, (row) => sort.map(({ column }) => String(row[column])))
  return {
    object: 'list',
    type: 'session',
    session: {},
    results: await presentDetails(scope, page.items, (row: SessionRow) => visible.mayEdit(row)),
    has_more: page.hasMore,
    next_cursor: page.nextCursor,
  }
}

function parseSorts({ sorts = [] }: SessionQueryRequest): SortKey<'created_time' | 'updated_time' | 'id'>[] {
  requireDistinctSorts(sorts)
  const asked = sorts.map(({ property, direction }) => ({
    column: TIME_COLUMNS[property],
    isDescending: direction === 'descending',
  }))
  const keys = asked.length > 0 ? asked : [{ column: TIME_COLUMNS.updated_at, isDescending: true }]
  return [...keys, { column: 'id', isDescending: false }]
}

function parseFilter(scope: Scope, filter: SessionFilter | SessionFilterEntry, path: string): Condition<SessionColumn> {
  if ('and' in filter) return { all: filter.and.map((entry, index) => parseFilter(scope, entry, `${path}.and[${index}]`)) }
  if ('or' in filter) return { any: filter.or.map((entry, index) => parseFilter(scope, entry, `${path}.or[${index}]`)) }
  switch (filter.property) {
    case 'id':
    case 'agent_id':
      return { column: filter.property, operator: '=', value: agentIdOf(filter.string.equals) }
    case 'status': {
      const { equals, in: several } = filter.status
      return { column: 'status', in: equals === undefined ? (several ?? []) : [equals] }
    }
    case 'created_at':
    case 'updated_at':
      return { all: parseTimes(TIME_COLUMNS[filter.property], filter.timestamp, `${path}.timestamp`) }
  }
}
