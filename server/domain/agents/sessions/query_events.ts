import type {
  SessionEventFilter,
  SessionEventFilterEntry,
  SessionEventList,
  SessionEventQueryRequest,
} from '../../../../generated/types.ts'
import type { Condition, OrderColumn } from '../../../store/conditions.ts'
import { searchEvents, type EventColumn } from '../../../store/session_events.ts'
import { cutPage, positionOf, type PageRequest, type Scope } from '../../shared/index.ts'
import { requireSession } from './access.ts'
import { requireDistinctSorts } from './parse_sorts.ts'
import { parseTimes } from './parse_times.ts'
import { presentListed } from './present.ts'

const SEQUENCE_MAX = 2_147_483_647
const SORT_COLUMNS = { sequence: 'sequence', created_at: 'created_time' } as const
/** The events of a session; by default oldest first. */
export async function querySessionEvents(
  scope: Scope,
  writtenId: string,
  query: SessionEventQueryRequest,
  request: PageRequest,
): Promise<SessionEventList> {
  const { db, actor, cursors } = scope
  const sort = parseSorts(query)
  const condition = query.filter === undefined ? { all: [] } : parseFilter(query.filter, 'body.filter')
  const position = positionOf(cursors, request)
  const { session } = await requireSession(scope, writtenId)
  const rows = await searchEvents(db, actor.workspaceId, session.id, {
    condition,
    sort,
    after: position?.map(Number),
    limit: request.pageSize + 1,
  })
  const page = cutPage(cursors, rows, request, (row) => sort.map(({ column }) => String(row[column])))
  return {
    object: 'list',
    type: 'session_event',
    session_event: {},
    results: await presentListed(scope, page.items),
    has_more: page.hasMore,
    next_cursor: page.nextCursor,
  }
}

function parseSorts({ sorts = [] }: SessionEventQueryRequest): OrderColumn<'sequence' | 'created_time'>[] {
  requireDistinctSorts(sorts)
  const keys = sorts.map(({ property, direction }) => ({
    column: SORT_COLUMNS[property],
    isDescending: direction === 'descending',
  }))
  // An event's number is unique within its session.
  return keys.some(({ column }) => column === 'sequence') ? keys : [...keys, { column: 'sequence', isDescending: false }]
}

function parseFilter(filter: SessionEventFilter | SessionEventFilterEntry, path: string): Condition<EventColumn> {
  if ('and' in filter) return { all: filter.and.map((entry, index) => parseFilter(entry, `${path}.and[${index}]`)) }
  if ('or' in filter) return { any: filter.or.map((entry, index) => parseFilter(entry, `${path}.or[${index}]`)) }
  switch (filter.property) {
    case 'id':
      return { column: 'id', operator: '=', value: filter.string.equals }
    case 'type': {
      const { equals, in: several } = filter.event_type
      return { column: 'type', in: equals === undefined ? (several ?? []) : [equals] }
    }
    case 'sequence':
      return { all: parseNumbers(filter.number) }
    case 'created_at':
      return { all: parseTimes('created_time', filter.timestamp, `${path}.timestamp`) }
  }
}

type NumberCondition = Extract<SessionEventFilter, { property: 'sequence' }>['number']

/** The numbers of events are integers from 1; bounds may be any number. */
function parseNumbers(bounds: NumberCondition): Condition<EventColumn>[] {
  const { greater_than: above, greater_than_or_equal_to: from, less_than: below, less_than_or_equal_to: to } = bounds
  const least = Math.max(0, above === undefined ? 0 : Math.floor(above) + 1, from === undefined ? 0 : Math.ceil(from))
  const greatest = Math.min(
    SEQUENCE_MAX,
    below === undefined ? SEQUENCE_MAX : Math.ceil(below) - 1,
    to === undefined ? SEQUENCE_MAX : Math.floor(to),
  )
  return [
    { column: 'sequence', operator: '>=', value: Math.min(least, SEQUENCE_MAX) },
    { column: 'sequence', operator: '<=', value: Math.max(greatest, 0) },
  ]
}
