import type {
  DatabaseQueryResponse,
  DataSourceQueryRequest,
  DataSourceQueryResponse,
  PageObject,
  PartialPage,
  RequestStatus,
} from '../../../../generated/types.ts'
import { ServiceError } from '../../../kernel/errors.ts'
import { isBelowTrash } from '../../../store/access.ts'
import { findBlocks } from '../../../store/blocks.ts'
import { seenBelow, notFound, positionOf, type RecordKind, type PageRequest, type Scope } from '../../shared/index.ts'
import { requireVisible } from '../../content/index.ts'
import { requireDataSource, type DataSource } from '../data_sources/load.ts'
import { presentPageBlocks } from '../pages/present.ts'
import { onlySourceOf } from '../rows/create.ts'
import { positionTexts, parsePosition } from './positions.ts'
import { queryRows, parseRowQuery, type FoundRows } from './query_rows.ts'

/** The parameters of a query besides its body. */
export interface QueryOptions {
  readonly page: PageRequest
  /** Names or ids of the properties to show; undefined shows all. */
  readonly shown: readonly string[] | undefined
}

/** One page of the rows of a data source that match a query. */
export async function queryDataSource(
  scope: Scope,
  id: string,
  request: DataSourceQueryRequest,
  options: QueryOptions,
): Promise<DataSourceQueryResponse> {
  const position = positionOf(scope.cursors, options.page)
  const dataSource = await requireDataSource(scope, id)
  await requireOutsideTrash(scope, dataSource, 'data source')
  return {
    object: 'list',
    type: 'page_or_data_source',
    page_or_data_source: {},
    ...(await queryPage(timeLimited(scope, 'queryDataSource'), dataSource, request, options, position)),
  }
}

export async function queryDatabase(
  scope: Scope,
  id: string,
  request: DataSourceQueryRequest,
  options: QueryOptions,
): Promise<DatabaseQueryResponse> {
  const position = positionOf(scope.cursors, options.page)
  const dataSource = await onlyDataSource(scope, id)
  return {
    object: 'list',
    type: 'page_or_database',
    page_or_database: {},
    ...(await queryPage(timeLimited(scope, 'queryDatabase'), dataSource, request, options, position)),
  }
}

/** Well below the time limit of any request. */
const QUERY_MS = 30_000

/** A scope in which a query fails with `service_unavailable` once it exceeds its time limit. */
export function timeLimited(scope: Scope, operation: 'queryDataSource' | 'queryDatabase', milliseconds = QUERY_MS): Scope {
  const end = performance.now() + milliseconds
  const requireTime = (): void => {
    scope.requireTime?.()
    if (performance.now() <= end) return
    throw new ServiceError('service_unavailable', {
      message: 'The query exceeded its time limit.',
      additionalData: {
        endpoint_name: operation,
        retry_guidance: [
          'Add a condition that few rows meet',
          'Sort by at most one property that is neither a formula nor a rollup',
        ],
      },
    })
  }
  return { ...scope, requireTime }
}

/** The members of a list response for one page of rows. */
export interface RowsOfPage {
  results: (PageObject | PartialPage)[]
  next_cursor: string | null
  has_more: boolean
  request_status?: RequestStatus
}

async function queryPage(
  scope: Scope,
  dataSource: DataSource,
  request: DataSourceQueryRequest,
  { page, shown }: QueryOptions,
  position: readonly string[] | undefined,
): Promise<RowsOfPage> {
  return presentFound(scope, await findRows(scope, dataSource, request, page.pageSize, position), shown)
}

/** The rows that a query found, without those that are hidden from the caller. */
export async function presentFound(
  scope: Scope,
  { next, ids, isIncomplete }: FoundRows,
  shown: readonly string[] | undefined,
): Promise<RowsOfPage> {
  const blocks = await findBlocks(scope.db, scope.actor.workspaceId, await seenBelow(scope, ids))
  const found = ids.flatMap((id) => blocks.get(id) ?? [])
  return {
    results: await presentPageBlocks(scope, found, shown),
    next_cursor: next ? scope.cursors.encode(positionTexts(next)) : null,
    has_more: next !== undefined,
    ...(isIncomplete ? { request_status: { type: 'incomplete', incomplete_reason: 'query_result_limit_reached' } } : {}),
  }
}

async function findRows(
  scope: Scope,
  dataSource: DataSource,
  { filter, sorts, in_trash: inTrash, result_type: resultType }: DataSourceQueryRequest,
  limit: number,
  position: readonly string[] | undefined,
): Promise<FoundRows> {
  if (resultType === 'data_source') {
    // Data sources never contain other data sources, so the result is empty; an invalid request is still an error.
    await parseRowQuery(scope, dataSource, { filter, sorts })
    return { ids: [], next: undefined, isIncomplete: false }
  }
  return queryRows(scope, dataSource, { filter, sorts, inTrash }, position && parsePosition(position), limit)
}

type Trashable = Pick<DataSource, 'id' | 'inTrash'>

/** @throws ServiceError `object_not_found` if the data source or one of its ancestors is in the trash */
async function requireOutsideTrash({ db, actor }: Scope, { id, inTrash }: Trashable, kind: RecordKind): Promise<void> {
  if (inTrash || (await isBelowTrash(db, actor.workspaceId, id))) throw notFound(actor, kind, id)
}

async function onlyDataSource(scope: Scope, writtenId: string): Promise<DataSource> {
  const database = await requireVisible(scope, writtenId, 'database')
  await requireOutsideTrash(scope, database, 'database')
  return requireDataSource(scope, await onlySourceOf(scope, database))
}
