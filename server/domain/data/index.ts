export { asyncTaskKind, type Work } from './async_tasks/task_kind.ts'
export {
  ASYNC_TASK,
  countUnauthorizedTasks,
  operationName,
  retrieveAsyncTask,
  startTask,
  sweepTasks,
  taskPayloadForm,
} from './async_tasks/tasks.ts'
export { createPageLater, updatePageMarkdownLater, works } from './async_tasks/works.ts'
export { createDataSource } from './data_sources/create.ts'
export { loadDataSources, type DataSource } from './data_sources/load.ts'
export { retrieveDataSource } from './data_sources/present.ts'
export { presentSchemas } from './data_sources/present_schema.ts'
export { listDataSourceTemplates } from './data_sources/templates.ts'
export { updateDataSource } from './data_sources/update.ts'
export { createDatabase } from './databases/create.ts'
export { listDatabases } from './databases/list.ts'
export { databasesOf, dataSourcesOf } from './databases/lookups.ts'
export { retrieveDatabase } from './databases/present.ts'
export { updateDatabase } from './databases/update.ts'
export { APPLY_TEMPLATE } from './pages/apply_template.ts'
export { TooLargeError } from './pages/copy_tree.ts'
export { findCopyablePage, insertDuplicate, prepareDuplicate, type PreparedDuplicate } from './pages/duplicate.ts'
export { movePage } from './pages/move.ts'
export { createPage, draftPageMarkdown, parsePageMarkdown, retrievePage } from './pages/pages.ts'
export { pageUrl } from './pages/present.ts'
export { retrievePageProperty } from './pages/property_items.ts'
export { updatePage } from './pages/update.ts'
export type { PropertyType, StoredProperty } from './properties/stored.ts'
export { storedLinks } from './properties/stored_values.ts'
export { facetsOf, isComputed, isPropertyType } from './property_types/index.ts'
export type { PayloadOf } from './property_types/property_facets.ts'
export { isWithin } from './queries/checks.ts'
export {
  boundsOfDay,
  boundsOfInstant,
  RELATIVE_DAYS,
  WINDOWS,
  type DateComparison,
  type DateWindow,
} from './queries/date_ranges.ts'
export { queryDatabase, queryDataSource, type QueryOptions } from './queries/query.ts'
export { computeValues } from './rows/computed.ts'
export { allLinks } from './rows/links.ts'
export { presentPayload, valueFacts } from './rows/payload.ts'
export type { Row } from './rows/row.ts'
export { insertRowValues } from './rows/write.ts'
export { searchLimits, type SearchLimits } from './search/limits.ts'
export { ranked, type Order } from './search/order.ts'
export { search } from './search/search.ts'
export { TitleVisibility } from './search/title_visibility.ts'
export { createView } from './views/create.ts'
export { findViewRows } from './views/find_view_rows.ts'
export { listViewRows, type DateRange } from './views/list_view_rows.ts'
export { listViews } from './views/list.ts'
export { retrieveView } from './views/present.ts'
export { deleteViewQuery, keepViewQuery, listViewQueryResults, sweepViewQueries } from './views/queries.ts'
export { NO_SETTINGS, type ViewSettings } from './views/settings.ts'
export { deleteView, updateView } from './views/update.ts'
