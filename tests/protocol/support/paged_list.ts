import { expect } from 'vitest'
import type { OperationId } from '../../../server/contract/operation.ts'
import type { TestResponse } from '../../harness/responses.ts'
import type { Caller, CallParts } from '../../harness/caller.ts'
import { at, idOf, resultsOf, textAt, type JsonObject } from '../../harness/json.ts'

/** Lists whose cursors are the ids of their entries, which are the same for every version and day. */
interface EntryCursors {
  readonly isForEveryone: boolean
  /** Removes an entry from the list, where that is possible. */
  readonly remove?: (id: string) => Promise<unknown>
  /** The status when its id is used as a cursor afterwards. */
  readonly removed?: 200 | 400
}

/** A list of the contract, and how to request it. */
export interface PagedList {
  readonly id: OperationId
  /** Location of the pagination parameters; by default the query. */
  readonly in?: 'query' | 'body'
  readonly parts: () => CallParts
  /** Another list of the same operation, with another target or parameter. */
  readonly other: (() => CallParts) | undefined
  readonly cursor: RegExp
  readonly byEntry?: EntryCursors
  /** The key of its items; by default `results`. */
  readonly items?: 'templates'
  /** For a list that only some versions have: one that has it, and another one. */
  readonly versions?: readonly [string, string]
  /** Identifies an item; by default its id. */
  readonly key?: (item: JsonObject) => string
}

/** The form of every cursor. */
export const OPAQUE = /^[A-Za-z0-9_-]{1,1000}$/
export type PageOptions = Readonly<Record<string, string | number>>

export function requestPage(caller: Caller, list: PagedList, query: PageOptions, parts = list.parts()): Promise<TestResponse> {
  const where = list.in ?? 'query'
  return caller.call(list.id, { ...parts, [where]: { ...(parts[where] as PageOptions | undefined), ...query } })
}

export const itemsOf = (list: PagedList, { body }: TestResponse): JsonObject[] =>
  list.items ? (body[list.items] as JsonObject[]) : resultsOf(body)
export const cursorOf = (response: TestResponse): string => textAt(response.body, 'next_cursor')

/** All items of a list, page by page. */
export async function readAll(
  caller: Caller,
  list: PagedList,
  sizes: () => number,
  between: () => Promise<unknown> = async () => undefined,
  parts = list.parts(),
): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | undefined; ;) {
    const query = { page_size: sizes(), ...(cursor === undefined ? {} : { start_cursor: cursor }) }
    const response = await requestPage(caller, list, query, parts)
    expect(response.status).toBe(200)
    ids.push(...itemsOf(list, response).map(list.key ?? idOf))
    if (at(response.body, 'has_more') === false) {
      expect(response.body['next_cursor']).toBeNull()
      return ids
    }
    cursor = cursorOf(response)
    await between()
  }
}
