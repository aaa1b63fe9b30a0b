import { pageSizeDefault } from '../../generated/operations.ts'
import type { DataSourceQueryRequest } from '../../generated/types.ts'
import type { PageRequest } from '../domain/shared/index.ts'
import type { QueryOptions } from '../domain/data/index.ts'

/**
 * The page that a request selects. A `start_cursor` of null means the first page, as if it were absent.
 * @param parts the query or the body of the request
 * @param location which of the two it is, for the path in errors
 */
export function pageRequest(
  parts: { start_cursor?: string | null; page_size?: number },
  location: 'query' | 'body' = 'query',
): PageRequest {
  return {
    startCursor: parts.start_cursor ?? undefined,
    pageSize: parts.page_size ?? pageSizeDefault,
    cursorPath: `${location}.start_cursor`,
  }
}

/** The page and the properties that a query of rows selects. */
export function queryOptions(call: {
  readonly query: { filter_properties?: string[] }
  readonly body?: DataSourceQueryRequest | undefined
}): QueryOptions {
  return { page: pageRequest(call.body ?? {}, 'body'), shown: call.query.filter_properties }
}
