import type {
  DatabaseObject,
  DataSourceObject,
  DataSourceQueryResponse,
  PageObject,
  PartialDataSource,
  ViewObject,
} from '../../../generated/types.ts'
import { plainTitles, readPageTree, type PageTree } from '../../domain/content/index.ts'
import {
  listViewRows,
  listViews,
  queryDataSource,
  retrieveDatabase,
  retrieveDataSource,
  retrieveView,
  type DateRange,
} from '../../domain/data/index.ts'
import type { PageRequest, Scope } from '../../domain/shared/index.ts'
import { unlessHidden } from './load_page.ts'
import { relatedIds } from './values/columns.ts'
import { monthOf, type Month } from './views/calendar_view.ts'

/** A database as one of its views shows it. */
export interface LoadedDatabase {
  readonly database: DatabaseObject
  readonly tabs: readonly ViewObject[]
  /** Undefined if the database has no views. */
  readonly active: ViewObject | undefined
  /** The views of a dashboard. */
  readonly widgets: readonly ViewObject[]
  /** Undefined if the reader does not see the data source. */
  readonly source: DataSourceObject | PartialDataSource | undefined
  /** Undefined if the database is in the trash or its data source is hidden. */
  readonly rows: RowPage | undefined
  readonly month: Month
  readonly tree: PageTree
  readonly titles: ReadonlyMap<string, string>
}

interface RowPage {
  readonly rows: readonly PageObject[]
  readonly next: string | null
  /** Whether the view has more rows than a query returns. */
  readonly isIncomplete: boolean
}

/** The query parameters in the address of a database. */
export interface DatabaseQuery {
  readonly viewId: string | undefined
  readonly from: string | undefined
  readonly month: string | undefined
}

type RowsFound = Pick<DataSourceQueryResponse, 'results' | 'next_cursor' | 'request_status'>

const TABS_MAX = 40
const ROWS_MAX = 50
/** The maximum number of rows on boards and calendars, which people do not read from top to bottom. */
const CARDS_MAX = 100

export async function loadDatabase(scope: Scope, id: string, query: DatabaseQuery): Promise<LoadedDatabase> {
  const database = await retrieveDatabase(scope, id)
  if (!('data_sources' in database)) throw new Error(`database ${id} is not complete`)
  const tabs = await tabsOf(scope, id)
  const chosen = query.viewId === undefined ? undefined : await viewOf(scope, query.viewId)
  const active = chosen?.parent.database_id === database.id ? chosen : tabs[0]
  const sourceId = active?.data_source_id ?? database.data_sources[0]?.id
  const source = sourceId === undefined ? undefined : await unlessHidden(retrieveDataSource(scope, sourceId))
  const month = monthOf(query.month, scope.now)
  const rows = source && active?.type !== 'dashboard' ? await rowsOf(scope, active, source.id, query.from, month) : undefined
  return {
    database,
    tabs,
    active,
    widgets: await widgetsOf(scope, active),
    source,
    rows,
    month,
    tree: await readPageTree(scope, database.id),
    titles: await plainTitles(scope, relatedIds(rows?.rows ?? [])),
  }
}

async function tabsOf(scope: Scope, databaseId: string): Promise<ViewObject[]> {
  const page = { startCursor: undefined, pageSize: TABS_MAX, cursorPath: 'query.tabs' }
  const { results } = await listViews(scope, { database_id: databaseId }, page)
  return viewsOf(scope, results)
}

async function viewsOf(scope: Scope, references: readonly { readonly id: string }[]): Promise<ViewObject[]> {
  const views: ViewObject[] = []
  for (const { id } of references) {
    const view = await viewOf(scope, id)
    if (view) views.push(view)
  }
  return views
}

async function viewOf(scope: Scope, id: string): Promise<ViewObject | undefined> {
  const view = await unlessHidden(retrieveView(scope, id))
  return view && 'name' in view ? view : undefined
}

function widgetsOf(scope: Scope, active: ViewObject | undefined): Promise<ViewObject[]> {
  const rows = active?.configuration?.type === 'dashboard' ? active.configuration.rows : []
  const ids = rows.flatMap(({ widgets }) => widgets.map(({ view_id: id }) => ({ id })))
  return viewsOf(scope, ids.slice(0, TABS_MAX))
}

async function rowsOf(
  scope: Scope,
  active: ViewObject | undefined,
  sourceId: string,
  from: string | undefined,
  month: Month,
): Promise<RowPage | undefined> {
  const pageSize = active?.type === 'board' || active?.type === 'calendar' ? CARDS_MAX : ROWS_MAX
  const page = { startCursor: from, pageSize, cursorPath: 'query.from' }
  const found = await unlessHidden<RowsFound>(
    active ? listViewRows(scope, active.id, page, datesOf(active, month)) : rowsOfSource(scope, sourceId, page),
  )
  if (!found) return undefined
  return {
    rows: found.results.filter((row) => row.object === 'page').filter((row) => 'parent' in row),
    next: found.next_cursor,
    isIncomplete: found.request_status?.type === 'incomplete',
  }
}

function rowsOfSource(scope: Scope, id: string, page: PageRequest): Promise<DataSourceQueryResponse> {
  return queryDataSource(scope, id, {}, { page, shown: undefined })
}

function datesOf({ configuration }: ViewObject, month: Month): DateRange | undefined {
  if (configuration?.type !== 'calendar') return undefined
  const [from = '', to = ''] = [month.days[0], month.days.at(-1)]
  return { propertyId: configuration.date_property_id, from, to }
}
