import { positionOf } from '../../server/domain/shared/index.ts'
import { Cursors, ListCursors, listName } from '../../server/kernel/cursors.ts'
import type { ValidCall } from '../../server/application/call.ts'
import { isObject } from '../../server/kernel/is_object.ts'

/** A fixed key, so that cursors stay valid after a restart of the mock, and recorded tests can be repeated. */
const cursors = new Cursors(Buffer.from('the mock'))
const PAGE_SIZE = 100

/**
 * The requested page of a list. Other responses are returned unchanged.
 * @throws ServiceError `validation_error` for a cursor of another list
 */
export function requestedPage(call: Omit<ValidCall, 'unchanged'>, version: string, body: unknown): unknown {
  const { operation, path, query } = call
  const { pagination } = operation
  if (pagination === null || !isObject(body)) return body
  const items = body[pagination.items]
  if (!Array.isArray(items)) return body
  const parameters = pagination.in === 'query' ? query : isObject(call.body) ? call.body : {}
  const { start_cursor: startCursor, page_size: size } = parameters
  const pageSize = typeof size === 'number' ? size : PAGE_SIZE
  const list = new ListCursors(cursors, [version], () => [listName(operation.id, path, query, call.body)], Date.now())
  const cursorPath = `${pagination.in}.start_cursor`
  const [start = '0'] =
    positionOf(list, { startCursor: typeof startCursor === 'string' ? startCursor : undefined, pageSize, cursorPath }) ?? []
  const end = Number(start) + pageSize
  const hasMore = end < items.length
  const page = { ...body, [pagination.items]: items.slice(Number(start), end), has_more: hasMore }
  return 'next_cursor' in body ? { ...page, next_cursor: hasMore ? list.encode([String(end)]) : null } : page
}
