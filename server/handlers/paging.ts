import type { DataSourceQueryRequest } from '../../generated/types.ts'
import type { PageRequest } from '../domain/paging.ts'
import type { QueryOptions } from '../domain/queries/query.ts'

/** The contract's default for `page_size`. */
const PAGE_SIZE_DEFAULT = 100

/**
 * Paging as a list was asked for; a cursor of null counts as none.
 * @param parts the query or the body of the request
 * @param location which of them
 */
export function pageRequest(
  parts: { start_cursor?: string | null; page_size?: number },
  location: 'query' | 'body' = 'query',
): PageRequest {
  return {
    startCursor: parts.start_cursor ?? undefined,
    pageSize: parts.page_size ?? PAGE_SIZE_DEFAULT,
    cursorPath: `${location}.start_cursor`,
  }
}

/** What a query of rows asks for besides its filter and sorts. */
export function queryOptions(call: {
  readonly query: { filter_properties?: string[] }
  readonly body?: DataSourceQueryRequest | undefined
}): QueryOptions {
  return { page: pageRequest(call.body ?? {}, 'body'), shown: call.query.filter_properties }
}
