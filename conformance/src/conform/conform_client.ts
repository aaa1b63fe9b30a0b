import { setTimeout as sleep } from 'node:timers/promises'
import { newestRelease } from '../../../generated/operations.ts'
import type { Operation } from '@workspace-service/server/contract/operation.ts'
import type { RecordedExchange } from '../exchange.ts'
import type { ExchangeCheck } from '../check_exchange.ts'
import { bodyLimits } from '../read_body.ts'
import type { Run } from '../run.ts'

const RESPONSE_MS_MAX = 60_000
/** How often, and how long, to wait for a busy server. */
const TRIES_MAX = 6
const WAIT_SECONDS_MAX = 120
/** The longest total wait of a run. */
const WAITING_SECONDS_MAX = 900
const BUSY = new Set([429, 503, 529])

export interface RequestInput {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** A body that is sent unchanged. */
  readonly text?: string
  /** A body that is not JSON. */
  readonly content?: { readonly type: string; readonly bytes: Buffer }
  readonly version?: string
  /** Undefined removes a header. */
  readonly headers?: Readonly<Record<string, string | undefined>>
}

export interface CheckedResponse {
  readonly exchange: RecordedExchange
  readonly status: number
  /** Undefined if the response is not JSON. */
  readonly value: unknown
}

/** A response that is kept for a report, which shows no bodies. */
export function withoutBody({ status, exchange }: CheckedResponse): Pick<CheckedResponse, 'status' | 'exchange'> {
  return { status, exchange: { ...exchange, responseBody: undefined } }
}

export interface ConformClientOptions {
  readonly onWait?: (seconds: number) => void
  /** Ends the run before the next request. */
  readonly signal?: AbortSignal
  /** The most requests that are sent. */
  readonly requestsMax?: number
}

/** Thrown instead of sending another request. */
export class RunStopped extends Error {
  override readonly name = 'RunStopped'
  readonly reason: 'interrupted' | 'requests'

  constructor(reason: RunStopped['reason']) {
    super(reason === 'interrupted' ? 'the run was interrupted' : 'the run has sent its maximum number of requests')
    this.reason = reason
  }
}

/** Calls a server, and checks every response against the contract. It follows no redirects and obeys `Retry-After`. */
export class ConformClient {
  readonly #run: Run
  readonly #base: URL
  readonly #token: string
  readonly #options: ConformClientOptions
  #requests = 0
  #waitedSeconds = 0

  constructor(run: Run, base: URL, token: string, options: ConformClientOptions = {}) {
    this.#run = run
    this.#base = base
    this.#token = token
    this.#options = options
  }

  call(operation: Operation, input: RequestInput = {}): Promise<CheckedResponse> {
    const path = operation.path.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(input.path?.[name] ?? ''))
    return this.send(operation.method.toUpperCase(), path, input)
  }

  /**
   * @param path without a query
   * @throws RunStopped if no more requests may be sent
   */
  async send(method: string, path: string, input: RequestInput): Promise<CheckedResponse> {
    const { signal, requestsMax = Infinity, onWait } = this.#options
    for (let attempt = 1; ; attempt += 1) {
      if (signal?.aborted) throw new RunStopped('interrupted')
      if ((this.#requests += 1) > requestsMax) throw new RunStopped('requests')
      const exchange = await this.#exchange(method, path, input)
      const check = this.#run.checkExchange(exchange)
      const seconds = Number(exchange.responseHeaders['retry-after'])
      if (!BUSY.has(exchange.status) || attempt === TRIES_MAX || !(seconds >= 0) || !this.#mayWait(seconds, exchange))
        return { exchange, status: exchange.status, value: this.#valueOf(check) }
      onWait?.(seconds)
      // An interrupted run does not wait any longer.
      await sleep(seconds * 1000, undefined, signal && { signal }).catch(() => undefined)
    }
  }

  /**
   * Whether a wait is short enough, alone and together with earlier waits. If it is not, that is reported, and the response is used as it
   * is.
   */
  #mayWait(seconds: number, exchange: RecordedExchange): boolean {
    const expected =
      seconds > WAIT_SECONDS_MAX
        ? `at most ${WAIT_SECONDS_MAX} seconds, found ${seconds}`
        : this.#waitedSeconds + seconds > WAITING_SECONDS_MAX
          ? `at most ${WAITING_SECONDS_MAX} seconds in one run, found more`
          : undefined
    if (expected !== undefined) {
      const finding = { rule: 'header', operation: '-', place: 'header Retry-After', keyword: 'maximum' } as const
      this.#run.report({ ...finding, text: `expected ${expected}` }, exchange)
      return false
    }
    this.#waitedSeconds += seconds
    return true
  }

  /** The JSON value of a response. A response that is too large to be checked is listed as not covered. */
  #valueOf({ response, operation }: ExchangeCheck): unknown {
    if (response) return response.value
    const { bytes, values, levels } = bodyLimits
    const expected = `expected at most ${bytes} bytes, ${values} values and ${levels} nested levels`
    this.#run.leaveOut(operation?.id ?? '-', `body: ${expected}, found more`)
    return undefined
  }

  async #exchange(method: string, path: string, input: RequestInput): Promise<RecordedExchange> {
    const { query = {}, version, headers = {} } = input
    const words = new URLSearchParams(query).toString()
    const target = words === '' ? path : `${path}?${words}`
    const content = contentOf(input)
    const requestHeaders = headersOf({
      authorization: `Bearer ${this.#token}`,
      'service-version': version ?? newestRelease,
      accept: 'application/json',
      'accept-encoding': 'identity',
      ...(content && { 'content-type': content.type }),
      ...headers,
    })
    const response = await fetch(new URL(target, this.#base), {
      method,
      headers: this.#run.forms?.sent(requestHeaders) ?? requestHeaders,
      redirect: 'manual',
      signal: AbortSignal.timeout(RESPONSE_MS_MAX),
      ...(content && { body: new Uint8Array(content.bytes) }),
    }).catch((error: unknown) => {
      throw new ServerUnreachable(this.#base, error)
    })
    // `fetch` decodes bodies itself.
    const { 'content-encoding': _decoded, ...responseHeaders } = Object.fromEntries(response.headers)
    return {
      method,
      target,
      requestHeaders,
      requestBody: content?.bytes ?? Buffer.alloc(0),
      status: response.status,
      responseHeaders,
      responseBody: await bytesOf(response),
    }
  }
}

export class ServerUnreachable extends Error {
  override readonly name = 'ServerUnreachable'

  constructor(server: URL, reason: unknown) {
    const { cause } = reason instanceof Error ? reason : {}
    const detail = cause instanceof Error ? cause : reason
    super(`${server.origin} does not respond: ${detail instanceof Error ? detail.message : String(detail)}`, { cause: reason })
  }
}

function contentOf({ content, text, body }: RequestInput): RequestInput['content'] {
  if (content) return content
  const json = text ?? (body === undefined ? undefined : JSON.stringify(body))
  return json === undefined ? undefined : { type: 'application/json', bytes: Buffer.from(json) }
}

function headersOf(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined))
}

async function bytesOf({ body }: Response): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = []
  let byteLength = 0
  for await (const chunk of body ?? []) {
    byteLength += chunk.length
    if (byteLength > bodyLimits.bytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
