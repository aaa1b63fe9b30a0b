import { clientOperations, type ClientOperation } from '../../generated/client_operations.ts'
import { LimitExceededError } from './errors.ts'
import type { Calls } from './calls.ts'
import type { AnyInput } from './request.ts'

/**
 * The pages of a list, one after the other.
 * @param first the first page
 * @throws LimitExceededError for a list that is too long, or leads back to itself
 */
export async function* followPages(
  { call, numbers }: Calls,
  operation: ClientOperation,
  input: AnyInput,
  first: PromiseLike<unknown>,
): AsyncGenerator<unknown, void, undefined> {
  // An idempotency key belongs to one request, and every page is a separate request.
  const { idempotencyKey: _key, ...further } = input
  const { limits } = numbers(input)
  const cursors = new CursorLoop()
  const start = fields(await first)
  let count = 0
  for (let page = start; ;) {
    // An empty page counts, too: otherwise, empty pages could be followed forever.
    count += Math.max(1, itemsOf(operation, page).length)
    if (count > limits.items) throw new LimitExceededError(`${operation.id}: list`, `at most ${limits.items} items`)
    yield page
    const cursor = page['has_more'] === true ? page['next_cursor'] : undefined
    if (typeof cursor !== 'string') return
    if (cursors.returnsTo(cursor))
      throw new LimitExceededError(`${operation.id}: next_cursor`, 'a new cursor on each page', 'one of an earlier page')
    const next =
      operation.pagination?.shape === 'view_query'
        ? await call(clientOperations.listViewQueryResults, resultsInput(further, start['id'], cursor))
        : await call(operation, pagedInput(operation, further, cursor))
    page = fields(next.data)
  }
}

/** The items of a page. A page property that is returned whole is its only item. */
export function itemsOf({ pagination }: ClientOperation, page: unknown): readonly unknown[] {
  const items = fields(page)[pagination?.items ?? 'results']
  return Array.isArray(items) ? items : [page]
}

/** Detects a repeated cursor by Brent's algorithm, which stores one cursor however long the list is. */
class CursorLoop {
  #remembered: string | undefined
  #steps = 0
  #power = 1

  returnsTo(cursor: string): boolean {
    if (cursor === this.#remembered) return true
    this.#steps += 1
    if (this.#steps === this.#power) {
      this.#remembered = cursor
      ;[this.#steps, this.#power] = [0, this.#power * 2]
    }
    return false
  }
}

function pagedInput(operation: ClientOperation, input: AnyInput, cursor: string): AnyInput {
  return operation.pagination?.in === 'body'
    ? { ...input, body: { ...fields(input.body), start_cursor: cursor } }
    : { ...input, query: { ...input.query, start_cursor: cursor } }
}

/** One operation starts a view query, and another pages through it by its id. */
function resultsInput({ body, ...input }: AnyInput, query_id: unknown, cursor: string): AnyInput {
  return { ...input, path: { query_id, ...input.path }, query: { start_cursor: cursor, page_size: fields(body)['page_size'] } }
}

/** The members of an object; none for any other value. */
function fields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
