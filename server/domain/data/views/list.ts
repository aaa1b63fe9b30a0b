import type { ViewList } from '../../../../generated/types.ts'
import { visibleAmong } from '../../../store/access.ts'
import { findBlocks } from '../../../store/blocks.ts'
import { findViewInRange, listViewsAfter, type ListedView, type ViewScope } from '../../../store/views.ts'
import { requireVisible } from '../../content/index.ts'
import { requireDataSource } from '../data_sources/load.ts'
import { invalid, cutPageById, presentPaging, rowAtCursor, type Page, type PageRequest, type Scope } from '../../shared/index.ts'
import { canonicalId } from '../../../kernel/ids.ts'

/**
 * The maximum number of batches of views read for one page. Several may be needed, because views in databases that are not visible are
 * skipped.
 */
const RUNS_MAX = 50
const RUN_MIN = 100

interface ViewFilter {
  readonly database_id?: string
  readonly data_source_id?: string
}

/** Lists the tabs of a database, all views of a data source, or the tabs of a database for one data source. */
export async function listViews(scope: Scope, filter: ViewFilter, request: PageRequest): Promise<ViewList> {
  const list = listOf(filter)
  const { db, actor, cursors } = scope
  const after = await rowAtCursor(cursors, request, (range) => findViewInRange(db, actor.workspaceId, list, range))
  if (list.databaseId !== undefined) await requireVisible(scope, list.databaseId, 'database')
  const source = list.dataSourceId === undefined ? undefined : await requireDataSource(scope, list.dataSourceId)
  const page =
    source && list.databaseId === undefined
      ? await visiblePage(scope, source.id, source.database.id, after, request)
      : cutPageById(cursors, await listViewsAfter(db, actor.workspaceId, list, after, request.pageSize + 1), request)
  return {
    object: 'list',
    type: 'view',
    view: {},
    results: page.items.map(({ id }) => ({ object: 'view', id })),
    ...presentPaging(page),
  }
}

function listOf({ database_id: databaseId, data_source_id: dataSourceId }: ViewFilter): ViewScope {
  const source = dataSourceId === undefined ? undefined : canonicalId(dataSourceId)
  if (databaseId !== undefined) return { databaseId: canonicalId(databaseId), dataSourceId: source }
  if (source !== undefined) return { dataSourceId: source }
  throw invalid('query.database_id', 'should be defined, unless `data_source_id` is')
}

/** One page of the views of a data source, without those in databases that are not visible or in the trash. */
async function visiblePage(
  scope: Scope,
  dataSourceId: string,
  ownDatabaseId: string,
  start: ListedView | undefined,
  request: PageRequest,
): Promise<Page<ListedView>> {
  const { db, actor, cursors } = scope
  const limit = Math.max(request.pageSize + 1, RUN_MIN)
  const found: ListedView[] = []
  let after = start
  for (let run = 0; run < RUNS_MAX; run += 1) {
    const rows = await listViewsAfter(db, actor.workspaceId, { dataSourceId }, after, limit)
    const shown = await shownDatabases(scope, [...new Set(rows.map(({ databaseId }) => databaseId))], ownDatabaseId)
    found.push(...rows.filter(({ databaseId }) => shown.has(databaseId)))
    after = rows.at(-1) ?? after
    if (rows.length < limit || found.length > request.pageSize) return cutPageById(cursors, found, request)
  }
  return { items: found, hasMore: true, nextCursor: after ? cursors.encodeId(after.id) : null }
}

async function shownDatabases({ db, actor }: Scope, ids: readonly string[], ownId: string): Promise<Set<string>> {
  const visible = await visibleAmong(db, actor, ids)
  const blocks = await findBlocks(db, actor.workspaceId, [...visible])
  return new Set([...visible].filter((id) => id === ownId || blocks.get(id)?.inTrash === false))
}
