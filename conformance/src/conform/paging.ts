import { createHash } from 'node:crypto'
import type { Operation } from '@workspace-service/server/contract/operation.ts'
import type { Run } from '../run.ts'
import { withoutBody, type CheckedResponse, type RequestInput, type ConformClient } from './conform_client.ts'
import { isObject } from '@workspace-service/server/kernel/is_object.ts'

const SMALL = 2
const LARGE = 100
const PAGES_MAX = 5

/** The part of a list that was read. */
interface ListRead {
  readonly keys: readonly string[]
  readonly last: Pick<CheckedResponse, 'exchange'>
  readonly isWhole: boolean
}

/**
 * Reads a list in small pages and in a large one, and reports contradictions between them.
 * @param record called with every response
 */
export async function checkPaging(
  client: ConformClient,
  run: Run,
  operation: Operation,
  input: RequestInput,
  record: (value: unknown) => void,
): Promise<void> {
  const small = await readList(client, run, operation, input, SMALL, record)
  if (small === undefined) return
  const large = await readList(client, run, operation, input, LARGE, record)
  if (large === undefined) return
  const repeated = small.keys.find((key, index) => small.keys.indexOf(key) !== index)
  if (repeated !== undefined) report(run, operation, small.last, 'uniqueItems', 'an item is on two pages of a list')
  // Lists may change while they are read: a difference counts only if it appears twice.
  if (differs(small, large)) {
    const [again, whole] = [
      await readList(client, run, operation, input, SMALL, record),
      await readList(client, run, operation, input, LARGE, record),
    ]
    if (again && whole && differs(again, whole))
      report(run, operation, again.last, 'order', 'small pages differ from one large page')
  }
}

function differs(small: ListRead, large: ListRead): boolean {
  const length = Math.min(small.keys.length, large.keys.length)
  const isShort = small.isWhole && large.isWhole && small.keys.length !== large.keys.length
  return isShort || small.keys.slice(0, length).some((key, index) => key !== large.keys[index])
}

async function readList(
  client: ConformClient,
  run: Run,
  operation: Operation,
  input: RequestInput,
  size: number,
  record: (value: unknown) => void,
): Promise<ListRead | undefined> {
  const keys: string[] = []
  let cursor: string | undefined
  for (let page = 1; ; page += 1) {
    const response = await client.call(operation, pageOf(operation, input, size, cursor))
    record(response.value)
    const items = isObject(response.value) ? response.value[operation.pagination?.items ?? ''] : undefined
    if (response.status !== 200 || !isObject(response.value) || !Array.isArray(items)) {
      if (page > 1) report(run, operation, response, 'next_cursor', 'a cursor from the server is refused')
      return undefined
    }
    if (items.length > size) report(run, operation, response, 'page_size', 'a page contains more items than requested')
    keys.push(...items.map(keyOf))
    const { has_more: hasMore, next_cursor: next } = response.value
    if (hasMore !== (next !== null))
      report(run, operation, response, 'has_more', '`has_more` and `next_cursor` contradict each other')
    if (typeof next !== 'string' || hasMore !== true || page === PAGES_MAX || size === LARGE)
      return { keys, last: withoutBody(response), isWhole: hasMore !== true }
    if (next === cursor) {
      report(run, operation, response, 'next_cursor', 'a page returns its own cursor as the next one')
      return undefined
    }
    cursor = next
  }
}

function pageOf({ pagination }: Operation, input: RequestInput, size: number, cursor: string | undefined): RequestInput {
  if (pagination?.in === 'query')
    return { ...input, query: { ...input.query, page_size: String(size), ...(cursor !== undefined && { start_cursor: cursor }) } }
  const body = isObject(input.body) ? input.body : {}
  return { ...input, body: { ...body, page_size: size, ...(cursor !== undefined && { start_cursor: cursor }) } }
}

function keyOf(item: unknown): string {
  return isObject(item) && typeof item['id'] === 'string'
    ? item['id']
    : createHash('sha256').update(JSON.stringify(item)).digest('hex')
}

function report(
  run: Run,
  operation: Operation,
  { exchange }: Pick<CheckedResponse, 'exchange'>,
  keyword: string,
  text: string,
): void {
  run.report(
    { rule: 'paging', operation: operation.id, place: `body.${operation.pagination?.items ?? ''}`, keyword, text },
    exchange,
  )
}
