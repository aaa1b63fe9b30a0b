import { stateError } from '../../../kernel/errors.ts'
import { isBelowTrash } from '../../../store/access.ts'
import { seenBelow, notFound, type Scope } from '../../shared/index.ts'
import type { DataSource } from '../data_sources/load.ts'
import { queryRows, type RowQuery } from '../queries/query_rows.ts'
import { requireView, checkedSchema } from './access.ts'
import { runnableConditions, runnableFilter } from './conditions.ts'
import type { ViewSettings } from './settings.ts'
import { runnableSorts } from './sorts.ts'

/** The current rows of a view, in order. */
export interface FoundViewRows {
  readonly viewId: string
  readonly ids: readonly string[]
  /** Whether there are more rows than a query returns. */
  readonly isIncomplete: boolean
}

const IDS_MAX = 10_000

/**
 * Runs a view: the filter and quick filters select the rows, and the sorts order them. Conditions and sorts on deleted properties or
 * options are ignored.
 * @throws ServiceError `validation_error` for a dashboard, `object_not_found` for a data source that the caller does not see
 */
export async function findViewRows(scope: Scope, id: string): Promise<FoundViewRows> {
  const { viewId, source, query } = await queryOfView(scope, id)
  const { ids, isIncomplete } = await queryRows(scope, source, query, undefined, IDS_MAX)
  return { viewId, ids: await seenBelow(scope, ids), isIncomplete }
}

/** The query that a view runs on its data source. */
interface QueryOfView {
  readonly viewId: string
  readonly source: DataSource
  readonly query: RowQuery
}

/** @throws ServiceError as `findViewRows` */
export async function queryOfView(scope: Scope, id: string): Promise<QueryOfView> {
  const { view, source } = await requireView(scope, id)
  if (view.type === 'dashboard') {
    throw stateError('path.view_id cannot be queried: a dashboard has no rows of its own. Query one of its widgets.')
  }
  if (!source || source.inTrash || (await isBelowTrash(scope.db, scope.actor.workspaceId, source.id))) {
    throw notFound(scope.actor, 'data source', view.dataSourceId)
  }
  const schema = await checkedSchema(scope, source)
  const { filter, sorts, quickFilters } = view.settings as ViewSettings
  const query = {
    filter: runnableFilter(filter, schema) ?? undefined,
    sorts: runnableSorts(sorts, schema),
    quickFilters: runnableConditions(quickFilters, schema),
  }
  return { viewId: view.id, source, query }
}
