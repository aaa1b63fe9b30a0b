import type { IdRange, ListCursors } from '../../kernel/cursors.ts'
import { idIn } from '../../kernel/ids.ts'
import { invalid } from './failures.ts'

export interface PageRequest {
  readonly startCursor: string | undefined
  readonly pageSize: number
  /** The path of the cursor in the request, for errors. */
  readonly cursorPath: string
}

export interface Page<T> {
  readonly items: readonly T[]
  readonly hasMore: boolean
  readonly nextCursor: string | null
}

/**
 * The sort key after which to continue, or undefined at the start of the list. Call it before reading anything.
 * @param cursors the cursors of the request, which are bound to its operation and all its parameters
 * @throws ServiceError `validation_error` for a cursor that is malformed, expired or from another list
 */
export function positionOf(cursors: ListCursors, request: PageRequest): readonly string[] | undefined {
  if (request.startCursor === undefined) return undefined
  const position = cursors.decode(request.startCursor)
  if (position === undefined) throw badCursor(request)
  return position
}

/** Cuts a page from rows that were fetched with one extra row, and creates the cursor of the next page. */
export function cutPage<T>(
  cursors: ListCursors,
  rows: readonly T[],
  request: Pick<PageRequest, 'pageSize'>,
  keyOf: (row: T) => readonly string[],
): Page<T> {
  return cut(rows, request, (last) => cursors.encode(keyOf(last)))
}

/**
 * The row after which to continue, for lists whose cursors look like ids; undefined at the start of the list.
 * @param find finds the row of this list in a range of ids, which contains at most one
 * @throws ServiceError `validation_error` like `positionOf`, or if the row was deleted
 */
export async function rowAtCursor<T>(
  cursors: ListCursors,
  request: PageRequest,
  find: (range: IdRange) => Promise<T | undefined>,
): Promise<T | undefined> {
  if (request.startCursor === undefined) return undefined
  const range = cursors.decodeId(request.startCursor)
  const row = range && (await find(range))
  if (!row) throw badCursor(request)
  return row
}

/** Like `cutPage`, for lists whose cursors look like ids. */
export function cutPageById<T extends { readonly id: string }>(
  cursors: ListCursors,
  rows: readonly T[],
  request: PageRequest,
): Page<T> {
  return cut(rows, request, (last) => cursors.encodeId(last.id))
}

/**
 * The id in a cursor, for lists whose cursors are ids of entries: the entry with which the page begins; undefined at the start of the list.
 * @throws ServiceError `validation_error` for a cursor that is not an id
 */
export function entryOfCursor(request: PageRequest): string | undefined {
  if (request.startCursor === undefined) return undefined
  const id = idIn(request.startCursor)
  if (id === undefined) throw badEntry(request)
  return id
}

/** Like `cutPage`, for lists whose cursors are the ids of their entries: the next page begins with the extra row. */
export function cutPageAtEntry<T extends { readonly id: string }>(
  rows: readonly T[],
  { pageSize }: Pick<PageRequest, 'pageSize'>,
): Page<T> {
  const next = rows[pageSize]
  return { items: rows.slice(0, pageSize), hasMore: next !== undefined, nextCursor: next?.id ?? null }
}

function cut<T>(rows: readonly T[], { pageSize }: Pick<PageRequest, 'pageSize'>, cursorOf: (last: T) => string): Page<T> {
  const items = rows.slice(0, pageSize)
  const last = items.at(-1)
  const hasMore = rows.length > pageSize
  return { items, hasMore, nextCursor: hasMore && last !== undefined ? cursorOf(last) : null }
}

/** The members of a list response for paging. */
export function presentPaging({ hasMore, nextCursor }: Page<unknown>): { has_more: boolean; next_cursor: string | null } {
  return { has_more: hasMore, next_cursor: nextCursor }
}

/** @returns the error for a cursor that is not the id of an entry of the list */
export function badEntry({ cursorPath }: PageRequest): Error {
  return invalid(cursorPath, 'should be a `next_cursor` of this same list, or the id of one of its entries')
}

/** @returns the error for a cursor that cannot be used with this list */
export function badCursor({ cursorPath }: PageRequest): Error {
  return invalid(cursorPath, 'should be a `next_cursor` of this same list, less than a day old')
}
