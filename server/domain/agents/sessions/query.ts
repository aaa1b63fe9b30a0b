import type { SessionFilter, SessionFilterEntry, SessionList, SessionQueryRequest } from '../../../../generated/types.ts'
import type { Condition } from '../../../store/conditions.ts'
import type { SessionColumn, SessionRow } from '../../../store/sessions.ts'
import { agentIdOf } from '../agent.ts'
import { parseTimes } from './parse_times.ts'
import { requireDistinctSorts } from './parse_sorts.ts'
import type { PageRequest, Scope } from '../../shared/index.ts'
import { sessionViewerOf, visibleSessions } from './access.ts'
import { findSessionPage, type SessionSearch } from './find_page.ts'
import { presentDetails } from './present.ts'

const TIME_COLUMNS = { created_at: 'created_time', updated_at: 'updated_time' } as const

/** The sessions visible to the caller; by default in the order of their last change, newest first. */
export async function querySessions(scope: Scope, query: SessionQueryRequest, request: PageRequest): Promise<SessionList> {
  const sort = parseSorts(query)
  const condition = query.filter === undefined ? { all: [] } : parseFilter(query.filter, 'body.filter')
  const viewer = await sessionViewerOf(scope)
  const titlePart = query.query?.toLowerCase()
  const page = await findSessionPage(scope, viewer, { titlePart, condition, sort }, request)
  const visible = await visibleSessions(scope, viewer, page.items)
  return {
    object: 'list',
    type: 'session',
    session: {},
    results: await presentDetails(scope, page.items, (row: SessionRow) => visible.mayEdit(row)),
    has_more: page.hasMore,
    next_cursor: page.nextCursor,
  }
}

function parseSorts({ sorts = [] }: SessionQueryRequest): SessionSearch['sort'] {
  requireDistinctSorts(sorts)
  const [first = { column: TIME_COLUMNS.updated_at, isDescending: true }, ...others] = sorts.map(({ property, direction }) => ({
    column: TIME_COLUMNS[property],
    isDescending: direction === 'descending',
  }))
  return [first, ...others, { column: 'id', isDescending: first.isDescending }]
}

function parseFilter(filter: SessionFilter | SessionFilterEntry, path: string): Condition<SessionColumn> {
  if ('and' in filter) return { all: filter.and.map((entry, index) => parseFilter(entry, `${path}.and[${index}]`)) }
  if ('or' in filter) return { any: filter.or.map((entry, index) => parseFilter(entry, `${path}.or[${index}]`)) }
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
