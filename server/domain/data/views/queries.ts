import type { DeletedViewQuery, ViewQuery, ViewQueryResultList } from '../../../../generated/types.ts'
import { toTimestamp } from '../../../kernel/clock.ts'
import type { ListCursors } from '../../../kernel/cursors.ts'
import { canonicalId, newId, undashed } from '../../../kernel/ids.ts'
import type { Transaction } from '../../../store/database.ts'
import {
  deleteViewQueryRows,
  dropEndedViewQueries,
  findViewQuery,
  insertViewQuery,
  listOwnQueries,
  listViewQueryIds,
  type ViewQuery as StoredQuery,
} from '../../../store/view_queries.ts'
import { notFound, badCursor, type Actor, type PageRequest, type Scope, type WriteScope } from '../../shared/index.ts'
import { requireView } from './access.ts'
import type { FoundViewRows } from './find_view_rows.ts'

const LIFETIME_MS = 15 * 60 * 1000
/** The maximum number of queries stored for a connection or member. Beyond it, the oldest query is deleted early. */
const KEPT_QUERIES_MAX = 1_000
const KEPT_IDS_MAX = 2_000_000

/** Stores the result of a view query and returns its first page. */
export async function keepViewQuery(scope: WriteScope, found: FoundViewRows, pageSize: number): Promise<ViewQuery> {
  const { db, actor, now } = scope
  const { viewId, ids, isIncomplete } = found
  const expiresTime = now + LIFETIME_MS
  const counts = { totalCount: ids.length, isIncomplete }
  const query: StoredQuery = { id: newId(), viewId, ownerId: ownerOf(actor), ...counts, createdTime: now, expiresTime }
  await makeRoom(scope, ids.length)
  await insertViewQuery(db, actor.workspaceId, query, ids)
  return {
    object: 'view_query',
    id: query.id,
    view_id: viewId,
    expires_at: toTimestamp(expiresTime),
    total_count: ids.length,
    ...pageOf(scope, query, ids.slice(0, pageSize), 0),
  }
}

/** The owner of a query: the connection, if any, because it may have several bots in a workspace, one for each person who authorized it. */
function ownerOf({ connectionId, userId }: Actor): string {
  return connectionId ?? userId
}

async function makeRoom({ db, actor }: WriteScope, newIds: number): Promise<void> {
  const own = await listOwnQueries(db, actor.workspaceId, ownerOf(actor), KEPT_QUERIES_MAX)
  let kept = newIds
  for (const [index, { id, totalCount }] of own.entries()) {
    kept += totalCount
    if (kept > KEPT_IDS_MAX || index >= KEPT_QUERIES_MAX - 1) await deleteViewQueryRows(db, actor.workspaceId, id)
  }
}

/** One page of the stored rows of a query. */
export async function listViewQueryResults(
  scope: Scope,
  viewId: string,
  queryId: string,
  request: PageRequest,
): Promise<ViewQueryResultList> {
  const id = canonicalId(queryId)
  const start = request.startCursor === undefined ? 0 : placeIn(cursorsOf(scope, id), id, request.startCursor)
  if (start === undefined) throw badCursor(request)
  const query = await requireQuery(scope, viewId, id)
  const ids = await listViewQueryIds(scope.db, scope.actor.workspaceId, id, start, request.pageSize)
  return { object: 'list', type: 'page', page: {}, ...pageOf(scope, query, ids, start) }
}

/** Deletes a query before it expires. */
export async function deleteViewQuery(scope: WriteScope, viewId: string, queryId: string): Promise<DeletedViewQuery> {
  const { id } = await requireQuery(scope, viewId, canonicalId(queryId))
  await deleteViewQueryRows(scope.db, scope.actor.workspaceId, id)
  return { object: 'view_query', id, deleted: true }
}

/** @throws ServiceError `object_not_found` also if the query has expired, or belongs to another view or connection */
async function requireQuery(scope: Scope, viewId: string, id: string): Promise<StoredQuery> {
  const { db, actor, now } = scope
  const { view } = await requireView(scope, viewId)
  const query = await findViewQuery(db, actor.workspaceId, id)
  const isOpen = query?.viewId === view.id && query.ownerId === ownerOf(actor) && query.expiresTime > now
  if (!query || !isOpen) throw notFound(actor, 'view query', id)
  return query
}

type PageOfIds = Pick<ViewQueryResultList, 'results' | 'has_more' | 'next_cursor' | 'request_status'>

function pageOf(scope: Scope, query: StoredQuery, ids: readonly string[], start: number): PageOfIds {
  const end = start + ids.length
  const hasMore = end < query.totalCount
  return {
    results: ids.map((id) => ({ object: 'page', id })),
    has_more: hasMore,
    next_cursor: hasMore ? cursorsOf(scope, query.id).encodeId(placeAsId(query.id, end)) : null,
    ...(query.isIncomplete && { request_status: { type: 'incomplete', incomplete_reason: 'query_result_limit_reached' } }),
  }
}

/** The cursors of a query, which both the operation that starts it and the one that continues it use. */
function cursorsOf({ cursors }: Scope, queryId: string): ListCursors {
  return cursors.of('view query', queryId)
}

const PLACE_DIGITS = 8
/** The number of digits of an id that a cursor contains. */
const DIGITS_KEPT = 24

/**
 * A position in the list in the form of an id. It consists of the index and the first digits of the query's id, by which it can be told
 * from other ids.
 */
function placeAsId(queryId: string, place: number): string {
  const digits = place.toString(16).padStart(PLACE_DIGITS, '0') + undashed(queryId)
  return canonicalId(digits.slice(0, DIGITS_KEPT).padEnd(32, '0'))
}

function placeIn(cursors: ListCursors, queryId: string, cursor: string): number | undefined {
  const range = cursors.decodeId(cursor)
  if (!range) return undefined
  const place = Number.parseInt(undashed(range.from).slice(0, PLACE_DIGITS), 16)
  return placeAsId(queryId, place) === range.from ? place : undefined
}

/** Deletes expired queries. */
export async function sweepViewQueries(db: Transaction, now: number, limit: number): Promise<number> {
  return (await dropEndedViewQueries(db, now)) ? limit : 0
}
