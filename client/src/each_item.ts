import { operations, type Operation } from '../../generated/operations.ts'
import type { Call } from './call.ts'
import type { AnyInput } from './request.ts'

/** Every item of a list, one page after the other. */
export async function* eachItem(call: Call, operation: Operation, input: AnyInput): AsyncGenerator<unknown, void, undefined> {
  // An idempotency key belongs to one request, and every page is a request of its own.
  const { idempotencyKey, ...further } = input
  const first = fields((await call(operation, input)).data)
  for (let page = first; ;) {
    const results = page[operation.pagination?.items ?? 'results']
    if (Array.isArray(results)) yield* results
    else yield page // a page property that is answered whole, as its only item
    const cursor = page['has_more'] === true ? page['next_cursor'] : undefined
    if (typeof cursor !== 'string') return
    const next =
      operation.pagination?.shape === 'view_query'
        ? await call(operations.listViewQueryResults, resultsInput(further, first['id'], cursor))
        : await call(operation, pagedInput(operation, further, cursor))
    page = fields(next.data)
  }
}

function pagedInput(operation: Operation, input: AnyInput, cursor: string): AnyInput {
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
