import type { SearchRequest, SearchResultList } from '../../../../generated/types.ts'
import { parseTitleQuery } from '../../../kernel/words.ts'
import type { TitleKind, TitleRow } from '../../../store/titles.ts'
import { loadDataSources } from '../data_sources/load.ts'
import { presentDataSources } from '../data_sources/present.ts'
import { presentPages } from '../pages/present.ts'
import { cutPage, positionOf, type PageRequest, type Scope } from '../../shared/index.ts'
import { searchLimits, type SearchLimits } from './limits.ts'
import { ranked, type Hit, type Order, type Search } from './order.ts'
import { TitleVisibility } from './title_visibility.ts'

/**
 * The kinds of titles for each filter value. Databases are in the index for other operations; search returns their data sources instead.
 */
const KINDS = { page: ['page'], data_source: ['data_source'], all: ['page', 'data_source'] } as const

/** Finds pages and data sources that are visible to the caller by their titles. */
export async function search(
  scope: Scope,
  request: SearchRequest,
  paging: PageRequest,
  limits: SearchLimits = searchLimits,
): Promise<SearchResultList> {
  const position = positionOf(scope.cursors, paging)
  const query = parseTitleQuery(request.query)
  if (query?.parts.length === 0) return resultList([], false, null)
  const field = {
    workspaceId: scope.actor.workspaceId,
    kinds: KINDS[request.filter?.value ?? 'all'],
    inTrash: request.filter?.in_trash ?? false,
  }
  const visibility = new TitleVisibility(scope.db, scope.actor, field.inTrash)
  const wanted = paging.pageSize + 1
  const asked: Search = { db: scope.db, field, query, order: orderOf(request), visibility, limits, wanted }
  const { hits, isComplete } = await firstVisible(asked, position)
  const page = cutPage(scope.cursors, hits, paging, ({ rank, row }) => [String(rank), String(row.time), row.id])
  const results = await presentResults(
    scope,
    page.items.map(({ row }) => row),
  )
  return resultList(results, page.hasMore, page.nextCursor, isComplete || page.hasMore)
}

function orderOf({ sort }: SearchRequest): Order {
  if (sort === undefined) return 'descending'
  return 'property' in sort ? 'relevance' : sort.direction
}

/** The first hits after a position that are visible to the caller. */
async function firstVisible(
  asked: Search,
  position: readonly string[] | undefined,
): Promise<{ hits: Hit[]; isComplete: boolean }> {
  const hits: Hit[] = []
  const [rank, time, id] = position ?? []
  const from = id === undefined ? undefined : { rank: Number(rank), time: Number(time), id }
  for await (const batch of ranked(asked, from)) {
    if (batch === 'too deep') return { hits, isComplete: false }
    const visible = await asked.visibility.among(batch.map(({ row }) => row))
    hits.push(...batch.filter(({ row }) => visible.has(row.id)))
    if (hits.length >= asked.wanted) return { hits: hits.slice(0, asked.wanted), isComplete: true }
    if (asked.visibility.checked > asked.limits.checked) return { hits, isComplete: false }
  }
  return { hits, isComplete: true }
}

type Result = SearchResultList['results'][number]

/** Presents results of one kind, many at once. Databases are not returned. */
const presenters: Readonly<Record<TitleKind, (scope: Scope, ids: readonly string[]) => Promise<readonly Result[]>>> = {
  page: presentPages,
  database: () => Promise.resolve([]),
  data_source: async (scope, ids) => presentDataSources(scope, [...(await loadDataSources(scope, ids)).values()]),
}

async function presentResults(scope: Scope, rows: readonly TitleRow[]): Promise<Result[]> {
  const results = new Map<string, Result>()
  for (const kind of new Set(rows.map((row) => row.kind))) {
    const ids = rows.filter((row) => row.kind === kind).map(({ id }) => id)
    for (const result of await presenters[kind](scope, ids)) results.set(result.id, result)
  }
  return rows.flatMap(({ id }) => results.get(id) ?? [])
}

function resultList(results: Result[], hasMore: boolean, nextCursor: string | null, isComplete = true): SearchResultList {
  return {
    object: 'list',
    type: 'page_or_data_source',
    page_or_data_source: {},
    results,
    has_more: hasMore,
    next_cursor: nextCursor,
    ...(isComplete ? {} : { request_status: { type: 'incomplete', incomplete_reason: 'query_result_limit_reached' } }),
  }
}
