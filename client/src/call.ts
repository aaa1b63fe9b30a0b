import type { Operation } from '../../generated/operations.ts'
import {
  AbortedError,
  ApiError,
  ConnectionError,
  ConnectionRefusedError,
  ConnectionResetError,
  InvalidCallError,
  isErrorBody,
  TimeoutError,
  UnreadableAnswerError,
  WorkspaceServiceError,
  type AnswerFacts,
} from './errors.ts'
import type { ClientOptions } from './options.ts'
import { growingWait, mayRepeat, pause, readRetryAfter, safetyOf, type Safety } from './repeats.ts'
import { addressOf, bodyOf, headersOf, readBaseUrl, type AnyInput } from './request.ts'

const DEFAULT_RETRIES = 2
const DEFAULT_TIMEOUT_MS = 60_000
const DEFAULT_FIRST_WAIT_MS = 1_000
const DEFAULT_LONGEST_WAIT_MS = 60_000
/** The longest time that a timer supports. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** The result of a successful call of any operation. */
export interface Received {
  readonly data: unknown
  readonly status: number
  readonly headers: Headers
  readonly requestId: string | undefined
}

export type Call = (operation: Operation, input: AnyInput) => Promise<Received>

/** What all attempts of a call share. */
interface Prepared {
  readonly operation: Operation
  readonly request: (signal: AbortSignal) => Request
  readonly safety: Safety
  readonly signal: AbortSignal | undefined
  readonly timeoutMilliseconds: number
  readonly longestWait: number
  readonly requestIdHeader: string
  readonly send: (request: Request) => Promise<Response>
}

/** The function that calls any operation. It rejects only with a `WorkspaceServiceError`. */
export function makeCall(options: ClientOptions): Call {
  const baseUrl = readBaseUrl(options.baseUrl)
  numbersOf(options, {})
  return async (operation, input) => {
    const numbers = numbersOf(options, input)
    const prepared = prepare(baseUrl, options, operation, input, numbers)
    for (let repeats = 0; ; repeats += 1) {
      if (input.signal?.aborted) throw abortedBy(operation, input.signal)
      const outcome = await attempt(prepared)
      if (!(outcome instanceof WorkspaceServiceError)) return outcome
      if (repeats >= numbers.retries || !outcome.isRetryable) throw outcome
      const wait = outcome.retryAfterMilliseconds ?? growingWait(repeats, numbers.firstWait, numbers.longestWait)
      await pause(wait, input.signal)
    }
  }
}

interface Numbers {
  readonly retries: number
  readonly timeout: number
  readonly firstWait: number
  readonly longestWait: number
}

/** @throws InvalidCallError for an impossible number */
function numbersOf(client: ClientOptions, call: AnyInput): Numbers {
  const numbers = {
    retries: call.retries ?? client.retries ?? DEFAULT_RETRIES,
    timeout: call.timeoutMilliseconds ?? client.timeoutMilliseconds ?? DEFAULT_TIMEOUT_MS,
    firstWait: client.firstWaitMilliseconds ?? DEFAULT_FIRST_WAIT_MS,
    longestWait: client.longestWaitMilliseconds ?? DEFAULT_LONGEST_WAIT_MS,
  }
  if (!(numbers.retries >= 0)) throw new InvalidCallError('retries should be a number ≥ 0.')
  if (!(numbers.timeout >= 1 && numbers.timeout <= LONGEST_TIMER_MS))
    throw new InvalidCallError(`timeoutMilliseconds should be a number from 1 to ${LONGEST_TIMER_MS}.`)
  for (const wait of [numbers.firstWait, numbers.longestWait])
    if (!(wait >= 0 && wait <= LONGEST_TIMER_MS))
      throw new InvalidCallError(`A wait should be a number from 0 to ${LONGEST_TIMER_MS}.`)
  return numbers
}

function prepare(baseUrl: string, options: ClientOptions, operation: Operation, input: AnyInput, numbers: Numbers): Prepared {
  const address = addressOf(baseUrl, operation, input)
  const headers = headersOf(operation, options, input)
  const { body, type } = bodyOf(operation, input.body)
  if (type !== undefined && !headers.has('Content-Type')) headers.set('Content-Type', type)
  const hasKey = headers.has('Idempotency-Key') && operation.headerParameters.includes('Idempotency-Key')
  const request = (signal: AbortSignal): Request =>
    new Request(address, {
      method: operation.method.toUpperCase(),
      headers,
      signal,
      ...(body === undefined ? {} : { body }),
      // Following a redirect would turn a write into a read of another operation that seems to succeed. Where the contract answers
      // with a redirect, the redirect is the answer.
      redirect: operation.method === 'get' && !operation.statuses.includes(302) ? 'follow' : 'manual',
    })
  return {
    operation,
    request,
    safety: safetyOf(operation, hasKey),
    signal: input.signal,
    timeoutMilliseconds: numbers.timeout,
    longestWait: numbers.longestWait,
    requestIdHeader: `X-${options.headerBrand ?? 'Service'}-Request-Id`,
    send: options.fetch ?? ((request) => fetch(request)),
  }
}

async function attempt(prepared: Prepared): Promise<Received | WorkspaceServiceError> {
  const timeout = AbortSignal.timeout(prepared.timeoutMilliseconds)
  const signal = prepared.signal ? AbortSignal.any([prepared.signal, timeout]) : timeout
  try {
    const response = await prepared.send(prepared.request(signal))
    return read(prepared, response, await response.text())
  } catch (error) {
    return withoutAnswer(prepared, error, timeout.aborted)
  }
}

/** Anything that is not a success of the contract is a failure, so callers never get half an answer. */
function read(prepared: Prepared, response: Response, text: string): Received | WorkspaceServiceError {
  const { operation, safety, longestWait } = prepared
  const { status, headers } = response
  const requestId = headers.get(prepared.requestIdHeader) ?? undefined
  const body = parsed(text)
  if (status < 400 && operation.statuses.includes(status)) {
    if (isAnswer(body)) return { data: body, status, headers, requestId }
    // Pages and redirects, which few operations return.
    if (status === 302) return { data: undefined, status, headers, requestId }
    if (!takesJson(operation) && text !== '') return { data: text, status, headers, requestId }
  }
  const error = status >= 400 && isErrorBody(body) ? body : undefined
  const retryAfterMilliseconds = readRetryAfter(headers.get('Retry-After'), longestWait)
  const isRetryable = mayRepeat(status, error, safety, retryAfterMilliseconds !== undefined)
  const facts: AnswerFacts = { headers, requestId, isRetryable, retryAfterMilliseconds }
  return error ? new ApiError(status, error, facts) : new UnreadableAnswerError(status, text, facts)
}

function isAnswer(body: unknown): boolean {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  return isObject && !('object' in body && body.object === 'error')
}

function takesJson({ successTypes }: Operation): boolean {
  return successTypes.includes('application/json')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const REFUSED = ['ECONNREFUSED', 'ConnectionRefused']
const RESET = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'ConnectionClosed']

function withoutAnswer(
  { operation, signal, safety, timeoutMilliseconds }: Prepared,
  cause: unknown,
  isLate: boolean,
): WorkspaceServiceError {
  if (signal?.aborted) return abortedBy(operation, signal)
  const { id } = operation
  if (isLate)
    return new TimeoutError(`${id} got no complete answer within ${timeoutMilliseconds} ms.`, safety.isIdempotent, cause)
  const codes = codesOf(cause)
  if (codes.some((code) => REFUSED.includes(code)))
    return new ConnectionRefusedError(`${id}: the connection was refused.`, true, cause)
  if (codes.some((code) => RESET.includes(code)))
    return new ConnectionResetError(`${id}: the connection broke before the answer was complete.`, safety.isIdempotent, cause)
  return new ConnectionError(`${id} got no answer.`, safety.isIdempotent, cause)
}

function abortedBy({ id }: Operation, signal: AbortSignal): AbortedError {
  return new AbortedError(`${id} was aborted by the caller's signal.`, { cause: signal.reason })
}

/** The codes of an error and its causes, which runtimes wrap differently. */
function codesOf(error: unknown, depth = 0): string[] {
  if (typeof error !== 'object' || error === null || depth > 4) return []
  const own = 'code' in error && typeof error.code === 'string' ? [error.code] : []
  const further = error instanceof AggregateError ? error.errors : 'cause' in error ? [error.cause] : []
  return [...own, ...further.flatMap((cause) => codesOf(cause, depth + 1))]
}
