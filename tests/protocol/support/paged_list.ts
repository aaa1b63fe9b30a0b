import { expect } from 'vitest'
import type { OperationId } from '../../../server/contract/operation.ts'
import type { Answer } from '../../harness/answers.ts'
import type { Caller, CallParts } from '../../harness/caller.ts'
import { at, idOf, resultsOf, textAt, type JsonObject } from '../../harness/json.ts'

/** Lists whose cursors are the ids of their entries, which are the same for every version and day. */
interface EntryCursors {
  readonly isForEveryone: boolean
  /** Removes an entry from the list, where that is possible. */
  readonly remove?: (id: string) => Promise<unknown>
  /** What its id as a cursor is answered with from then on. */
  readonly removed?: 200 | 400
}

/** A list of the contract, and how it is asked for. */
export interface PagedList {
  readonly id: OperationId
  /** Where its paging stands; in the query unless said otherwise. */
  readonly in?: 'query' | 'body'
  readonly parts: () => CallParts
  /** Another list of the same operation: another target or parameter. */
  readonly other: (() => CallParts) | undefined
  readonly cursor: RegExp
  readonly byEntry?: EntryCursors
  /** Where its items stand; in `results` unless said otherwise. */
  readonly items?: 'templates'
  /** One at which a list that not every version has is read, and another one. */
  readonly versions?: readonly [string, string]
  /** What tells items apart; their id where it is left out. */
  readonly key?: (item: JsonObject) => string
}

/** What every cursor looks like. */
export const OPAQUE = /^[A-Za-z0-9_-]{1,1000}$/
export type PageOptions = Readonly<Record<string, string | number>>

/** Asks for one page of a list. */
export function askForPage(caller: Caller, list: PagedList, query: PageOptions, parts = list.parts()): Promise<Answer> {
  const where = list.in ?? 'query'
  return caller.call(list.id, { ...parts, [where]: { ...(parts[where] as PageOptions | undefined), ...query } })
}

export const itemsOf = (list: PagedList, { body }: Answer): JsonObject[] =>
  list.items ? (body[list.items] as JsonObject[]) : resultsOf(body)
export const cursorOf = (answer: Answer): string => textAt(answer.body, 'next_cursor')

/** Everything in a list, page by page. */
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
    const answer = await askForPage(caller, list, query, parts)
    expect(answer.status).toBe(200)
    ids.push(...itemsOf(list, answer).map(list.key ?? idOf))
    if (at(answer.body, 'has_more') === false) {
      expect(answer.body['next_cursor']).toBeNull()
      return ids
    }
    cursor = cursorOf(answer)
    await between()
  }
}
