import createFetchClient from 'openapi-fetch'
import { operations, type Operation } from '../../generated/operations.ts'
import type { AsyncTask, AsyncTaskResult } from '../../generated/types.ts'
import { ApiError, ConnectionError, UnreadableAnswerError, isErrorBody, mayRetry } from './errors.ts'
import type { Answer, CallOptions, Input, InputArguments, Item, ListOperationId, OperationId } from './types.ts'

export interface ClientOptions {
  /** Address of the service, without `/v1`. */
  readonly baseUrl: string
  readonly token: string
  /** Release date to speak; every call may name another one. */
  readonly version?: string
  /** Beta flags to send with every call. */
  readonly betas?: readonly string[]
  /** A word that stands in place of `Service` in a branded deployment's headers. */
  readonly headerBrand?: string
  readonly fetch?: (request: Request) => Promise<Response>
  /** How often a call is repeated by itself, at most; 0 never repeats. */
  readonly retries?: number
  /** Milliseconds after which one attempt is given up. */
  readonly timeoutMs?: number
}

/** Calls of every operation by its id, and `each` for those that return lists. */
export type WorkspaceClient = {
  readonly [Id in OperationId]: (...input: InputArguments<Id>) => Promise<Answer<Id>>
} & {
  /** Every item of a list, fetched page by page as they are asked for. */
  each<Id extends ListOperationId>(id: Id, ...input: InputArguments<Id>): AsyncGenerator<Item<Id>, void, undefined>
  /**
   * Waits for a task that an operation has left behind, and resolves with what the operation would have answered itself.
   * @throws ApiError that the task failed with
   */
  finished(task: AsyncTask, options?: CallOptions): Promise<AsyncTaskResult>
}

const DEFAULT_VERSION = '2026-03-11'
const DEFAULT_RETRIES = 2
const DEFAULT_TIMEOUT_MS = 60_000
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 60_000

/**
 * A client of the workspace service. Its methods are the operations of the contract: they resolve with the answer's body and
 * reject with `ApiError`, `UnreadableAnswerError` or `ConnectionError`.
 */
export function createWorkspaceClient(options: ClientOptions): WorkspaceClient {
  const call = caller(options)
  const methods = Object.fromEntries(
    Object.values(operations).map((operation) => [operation.id, (input?: AnyInput) => call(operation, input ?? {})]),
  )
  const each = (id: ListOperationId, input?: AnyInput): AsyncGenerator<unknown, void, undefined> =>
    eachItem(call, operations[id], input ?? {})
  const finished = (task: AsyncTask, options?: CallOptions): Promise<AsyncTaskResult> => resultOf(call, task, options ?? {})
  // The contract's table and its types are made from one source, so the methods have the shapes that the type says.
  return { ...methods, each, finished } as unknown as WorkspaceClient
}

interface AnyInput extends CallOptions {
  readonly path?: Record<string, unknown>
  readonly query?: Record<string, unknown>
  readonly body?: unknown
}

type Call = (operation: Operation, input: AnyInput) => Promise<unknown>

function caller(options: ClientOptions): Call {
  const brand = options.headerBrand ?? 'Service'
  const transport = createFetchClient({ baseUrl: options.baseUrl.replace(/\/+$/, '') }) as Transport
  const send = options.fetch ?? ((request: Request) => fetch(request))

  async function attempt(operation: Operation, input: AnyInput): Promise<Received> {
    const timeout = AbortSignal.timeout(options.timeoutMs ?? DEFAULT_TIMEOUT_MS)
    const signal = input.signal ? AbortSignal.any([input.signal, timeout]) : timeout
    let received: Received | undefined
    try {
      await transport.request(operation.method, operation.path, {
        params: { ...(input.path ? { path: input.path } : {}), ...(input.query ? { query: input.query } : {}) },
        ...bodyOf(operation, input.body),
        headers: headersOf(options, brand, input),
        signal,
        // The body is read here, once and whatever it is: openapi-fetch would throw on some and lose others.
        fetch: async (request: Request) => {
          const response = await send(request)
          received = { response, text: await response.text() }
          return new Response(null, { status: 204 })
        },
      })
    } catch (error) {
      if (input.signal?.aborted) throw input.signal.reason
      throw new ConnectionError(`${operation.id} got no answer.`, { cause: error })
    }
    if (!received) throw new ConnectionError(`${operation.id} was not sent.`)
    return received
  }

  return async (operation, input) => {
    const retries = options.retries ?? DEFAULT_RETRIES
    for (let tries = 0; ; tries += 1) {
      const outcome = read(await attempt(operation, input))
      if (!(outcome instanceof Failure)) return outcome
      if (tries >= retries || !outcome.mayRetry(operation.method)) throw outcome.error
      await wait(outcome.retryAfterMs ?? backOff(tries), input.signal)
    }
  }
}

function headersOf(options: ClientOptions, brand: string, input: AnyInput): Record<string, string> {
  return {
    Authorization: `Bearer ${options.token}`,
    [`${brand}-Version`]: input.version ?? options.version ?? DEFAULT_VERSION,
    ...(options.betas?.length ? { [`${brand}-Beta`]: options.betas.join(', ') } : {}),
    ...(input.idempotencyKey === undefined ? {} : { 'Idempotency-Key': input.idempotencyKey }),
  }
}

/** A plain object becomes a form where the operation takes one; openapi-fetch alone would send it as JSON. */
function bodyOf(operation: Operation, body: unknown): { body?: unknown; bodySerializer?: (body: unknown) => unknown } {
  if (body === undefined) return {}
  if (!operation.requestTypes.includes('multipart/form-data') || body instanceof FormData) return { body }
  const form = new FormData()
  for (const [name, value] of Object.entries(body as object)) form.append(name, value instanceof Blob ? value : String(value))
  return { body: form, bodySerializer: (value) => value }
}

class Failure {
  readonly error: ApiError | UnreadableAnswerError
  readonly retryAfterMs: number | undefined

  constructor(error: ApiError | UnreadableAnswerError, retryAfterMs: number | undefined) {
    this.error = error
    this.retryAfterMs = retryAfterMs
  }

  mayRetry(method: Operation['method']): boolean {
    return this.error instanceof ApiError && mayRetry(this.error.code, method === 'get' || method === 'delete')
  }
}

interface Received {
  readonly response: Response
  readonly text: string
}

/** A success that is no JSON object is a failure: callers never see half an answer. */
function read({ response, text }: Received): object | Failure {
  const body = parsed(text)
  if (response.ok && typeof body === 'object' && body !== null) return body
  const retryAfterMs = readRetryAfter(response.headers.get('Retry-After'))
  const requestId = response.headers.get('X-Service-Request-Id') ?? undefined
  if (!response.ok && isErrorBody(body)) return new Failure(new ApiError(response.status, body), retryAfterMs)
  return new Failure(new UnreadableAnswerError(response.status, text, requestId), retryAfterMs)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whole seconds, or an HTTP date; anything else counts as none. */
function readRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined
  const milliseconds = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isFinite(milliseconds) && milliseconds >= 0 ? Math.min(milliseconds, LONGEST_WAIT_MS) : undefined
}

function backOff(tries: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** tries * (0.5 + Math.random() / 2), LONGEST_WAIT_MS)
}

function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        reject(signal.reason)
      },
      { once: true },
    )
  })
}

async function* eachItem(call: Call, operation: Operation, input: AnyInput): AsyncGenerator<unknown, void, undefined> {
  const items = operation.pagination?.items ?? 'results'
  const first: unknown = await call(operation, input)
  for (let page = first; ;) {
    const results: unknown = Reflect.get(page as object, items)
    if (Array.isArray(results)) yield* results
    else yield page // a page property that is answered whole, as its only item
    const cursor: unknown =
      Reflect.get(page as object, 'has_more') === true ? Reflect.get(page as object, 'next_cursor') : undefined
    if (typeof cursor !== 'string') return
    page =
      operation.pagination?.shape === 'view_query'
        ? await call(operations.listViewQueryResults, resultsInput(input, first, cursor))
        : await call(operation, pagedInput(operation, input, cursor))
  }
}

function pagedInput(operation: Operation, input: AnyInput, cursor: string): AnyInput {
  const place = operation.pagination?.in ?? 'query'
  const part = place === 'query' ? input.query : (input.body as Record<string, unknown> | undefined)
  return { ...input, [place]: { ...part, start_cursor: cursor } }
}

/** A view query is begun by one operation, and paged by another under the id that it was given. */
function resultsInput({ path, body, version, signal }: AnyInput, begun: unknown, cursor: string): AnyInput {
  const { page_size } = (body ?? {}) as { page_size?: number }
  return {
    path: { query_id: Reflect.get(begun as object, 'id'), ...path },
    query: { start_cursor: cursor, ...(page_size === undefined ? {} : { page_size }) },
    ...(version === undefined ? {} : { version }),
    ...(signal === undefined ? {} : { signal }),
  }
}

async function resultOf(call: Call, task: AsyncTask, options: CallOptions): Promise<AsyncTaskResult> {
  for (let current = task; ;) {
    if (current.status === 'succeeded') return current.result
    if (current.status === 'failed') throw new ApiError(current.error.status, current.error)
    await wait(current.poll_after_seconds * 1000, options.signal)
    current = (await call(operations.retrieveAsyncTask, { ...options, path: { task_id: current.id } })) as AsyncTask
  }
}

/** openapi-fetch without the types of single paths: the methods above have them already. */
interface Transport {
  request(method: Operation['method'], path: string, init: object): Promise<unknown>
}

export type { Answer, Input, Item }
