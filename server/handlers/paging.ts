import type { PageRequest } from '../domain/paging.ts'

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
