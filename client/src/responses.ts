import type { ClientOperation } from '../../generated/client_operations.ts'
import type { CallAttempt } from './call_attempt.ts'
import {
  AbortedError,
  ApiError,
  ConnectionError,
  ConnectionRefusedError,
  ConnectionResetError,
  isErrorBody,
  LimitExceededError,
  TimeoutError,
  UnreadableResponseError,
  type ErrorBody,
  type FailureDetails,
  type WorkspaceServiceError,
} from './errors.ts'
import { countValues, isDeeper, readText } from './limits.ts'
import { mayRetry, parseRetryAfter } from './retries.ts'

/** The result of a successful call of any operation. */
export interface SuccessfulCall {
  readonly data: unknown
  readonly status: number
  readonly headers: Headers
  readonly requestId: string | undefined
}

/**
 * @throws the error of a response whose status is not a success of the operation, so that callers never get an incomplete one
 * @returns a redirect without its body, which nobody reads
 */
export async function checkStatus(attempt: CallAttempt, response: Response): Promise<Response | undefined> {
  const { status, headers, body } = response
  const { statuses = [200] } = attempt.prepared.operation
  if (!statuses.includes(status)) throw responseError(attempt, response, await readResponseBody(attempt, response))
  if (status < 300) return undefined
  await body?.cancel()
  return new Response(null, { status, headers })
}

/** The text of a body. @throws LimitExceededError for a body that exceeds the limits of the call; ConnectionError for a broken connection */
export async function readResponseBody(attempt: CallAttempt, { body }: Response): Promise<string> {
  const { limits } = attempt.prepared.numbers
  const text = await readText(body, limits.bytes).catch((error: unknown) => {
    throw noResponseError(attempt, error)
  })
  if (text === undefined) throw limitExceeded(attempt, `at most ${limits.bytes} bytes`)
  return text
}

function limitExceeded({ prepared, details }: CallAttempt, limit: string): LimitExceededError {
  return new LimitExceededError(`${prepared.operation.id}: body`, limit, 'more', { request: details })
}

/** @throws UnreadableResponseError for a body that the contract does not define */
export function parseResponse(attempt: CallAttempt, response: Response, text: string): SuccessfulCall {
  const { operation, requestIdHeader } = attempt.prepared
  const { status, headers } = response
  const requestId = headers.get(requestIdHeader) ?? undefined
  // Pages and redirects, which few operations return.
  if (status >= 300) return { data: undefined, status, headers, requestId }
  if (operation.isPage && text !== '') return { data: text, status, headers, requestId }
  const data = parsed(attempt, text)
  if (!isSuccessBody(data)) throw unreadable(attempt, response, text)
  return { data, status, headers, requestId }
}

/** The error of a response: the service's own, or one for a response that the contract does not define. */
function responseError(attempt: CallAttempt, response: Response, text: string): WorkspaceServiceError {
  const body = response.status >= 400 ? parsed(attempt, text) : undefined
  if (!isErrorBody(body)) return unreadable(attempt, response, text)
  return new ApiError(response.status, body, detailsOf(attempt, response, body))
}

export function unreadable(attempt: CallAttempt, response: Response, text: string): UnreadableResponseError {
  return new UnreadableResponseError(response.status, text, detailsOf(attempt, response))
}

function detailsOf({ prepared, details }: CallAttempt, { status, headers }: Response, error?: ErrorBody): FailureDetails {
  const retryAfterMilliseconds = parseRetryAfter(headers.get('Retry-After'), prepared.numbers.longestWait)
  const isRetryable = mayRetry(status, error, prepared.safety, retryAfterMilliseconds !== undefined)
  const requestId = headers.get(prepared.requestIdHeader) ?? undefined
  return { request: details, requestId, headers, isRetryable, retryAfterMilliseconds }
}

function isSuccessBody(body: unknown): boolean {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  return isObject && !('object' in body && body.object === 'error')
}

/** A JSON text as a value; undefined for any other text. @throws LimitExceededError for too many values or levels */
function parsed(attempt: CallAttempt, text: string): unknown {
  const exceeded = (limit: string): LimitExceededError => limitExceeded(attempt, limit)
  const { limits } = attempt.prepared.numbers
  // Each value takes two characters. Counting them takes half as long as parsing, so only texts that may have too many are counted.
  const count = text.length > 2 * limits.values ? countValues(text, limits) : 0
  if (typeof count === 'string') throw exceeded(count)
  try {
    const value: unknown = JSON.parse(text)
    if (!isDeeper(value, limits.levels)) return value
  } catch {
    return undefined
  }
  throw exceeded(`at most ${limits.levels} nested levels`)
}

const REFUSED = ['ECONNREFUSED', 'ConnectionRefused']
const RESET = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'ConnectionClosed']

/** The error for an attempt without a complete response. */
export function noResponseError(attempt: CallAttempt, cause: unknown): WorkspaceServiceError {
  const { operation, input, safety } = attempt.prepared
  const { details, origin } = attempt
  const { id } = operation
  if (input.signal?.aborted) return abortedBy(operation, input.signal, { request: details })
  const failure = { request: details, cause, isRetryable: safety.isIdempotent }
  if (attempt.hasTimedOut())
    return new TimeoutError(`${id} got no complete response from ${origin} within ${attempt.timeout} ms.`, failure)
  const codes = codesOf(cause)
  if (codes.some((code) => REFUSED.includes(code)))
    return new ConnectionRefusedError(`${id}: ${origin} refused the connection.`, { ...failure, isRetryable: true })
  if (codes.some((code) => RESET.includes(code)))
    return new ConnectionResetError(`${id}: the connection to ${origin} broke before the response was complete.`, failure)
  return new ConnectionError(`${id} got no response from ${origin}.`, failure)
}

export function abortedBy({ id }: ClientOperation, signal: AbortSignal, details: FailureDetails = {}): AbortedError {
  return new AbortedError(`${id} was aborted by the caller's signal.`, { ...details, cause: signal.reason })
}

/** The codes of an error and its causes, which runtimes wrap differently. */
function codesOf(error: unknown, depth = 0): string[] {
  if (typeof error !== 'object' || error === null || depth > 4) return []
  const own = 'code' in error && typeof error.code === 'string' ? [error.code] : []
  const further = error instanceof AggregateError ? error.errors : 'cause' in error ? [error.cause] : []
  return [...own, ...further.flatMap((cause) => codesOf(cause, depth + 1))]
}
