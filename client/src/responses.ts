import type { Operation } from '../../generated/operations.ts'
import {
  AbortedError,
  ApiError,
  ConnectionError,
  ConnectionRefusedError,
  ConnectionResetError,
  isErrorBody,
  LimitExceededError,
  TimeoutError,
  UnreadableAnswerError,
  type ResponseDetails,
  type ErrorBody,
  type WorkspaceServiceError,
} from './errors.ts'
import { countValues, readText } from './limits.ts'
import type { Prepared } from './prepare.ts'
import { mayRetry, parseRetryAfter } from './retries.ts'

/** The result of a successful call of any operation. */
export interface SuccessfulCall {
  readonly data: unknown
  readonly status: number
  readonly headers: Headers
  readonly requestId: string | undefined
}

/**
 * Reads a response.
 * @returns an error, too, for a response that exceeds the limits of the call
 */
export async function readResponse(prepared: Prepared, response: Response): Promise<SuccessfulCall | WorkspaceServiceError> {
  const text = await readResponseText(prepared, response)
  return typeof text === 'string' ? parseResponse(prepared, response, text) : text
}

/** The text of a response, within the limits of the call. */
export async function readResponseText(
  { operation, numbers }: Prepared,
  { body }: Response,
): Promise<string | LimitExceededError> {
  const { limits } = numbers
  const location = `${operation.id}: body`
  const text = await readText(body, limits.bytes)
  if (text === undefined) return new LimitExceededError(location, `at most ${limits.bytes} bytes`)
  const count = countValues(text, limits)
  return typeof count === 'string' ? new LimitExceededError(location, count) : text
}

/** Only a successful response that the contract defines counts as success, so callers never get an incomplete one. */
export function parseResponse(prepared: Prepared, response: Response, text: string): SuccessfulCall | WorkspaceServiceError {
  const { operation } = prepared
  const { status, headers } = response
  const requestId = headers.get(prepared.requestIdHeader) ?? undefined
  const body = parsed(text)
  if (status < 400 && operation.statuses.includes(status)) {
    if (isSuccessBody(body)) return { data: body, status, headers, requestId }
    // Pages and redirects, which few operations return.
    if (status === 302) return { data: undefined, status, headers, requestId }
    if (!takesJson(operation) && text !== '') return { data: text, status, headers, requestId }
  }
  const error = status >= 400 && isErrorBody(body) ? body : undefined
  return error ? new ApiError(status, error, factsOf(prepared, response, error)) : unreadable(prepared, response, text)
}

/** The error for a response that the contract does not define for the operation. */
export function unreadable(prepared: Prepared, response: Response, text: string): UnreadableAnswerError {
  return new UnreadableAnswerError(response.status, text, factsOf(prepared, response))
}

function factsOf(
  { requestIdHeader, numbers, safety }: Prepared,
  { status, headers }: Response,
  error?: ErrorBody,
): ResponseDetails {
  const retryAfterMilliseconds = parseRetryAfter(headers.get('Retry-After'), numbers.longestWait)
  const isRetryable = mayRetry(status, error, safety, retryAfterMilliseconds !== undefined)
  return { headers, requestId: headers.get(requestIdHeader) ?? undefined, isRetryable, retryAfterMilliseconds }
}

function isSuccessBody(body: unknown): boolean {
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

/**
 * The error for an attempt without a complete response.
 * @param hasTimedOut whether it timed out
 */
export function noResponseError(
  { operation, signal, safety, numbers, origin }: Prepared,
  cause: unknown,
  hasTimedOut: boolean,
): WorkspaceServiceError {
  if (signal?.aborted) return abortedBy(operation, signal)
  const { id } = operation
  if (hasTimedOut)
    return new TimeoutError(
      `${id} got no complete response from ${origin} within ${numbers.timeout} ms.`,
      safety.isIdempotent,
      cause,
    )
  const codes = codesOf(cause)
  if (codes.some((code) => REFUSED.includes(code)))
    return new ConnectionRefusedError(`${id}: ${origin} refused the connection.`, true, cause)
  if (codes.some((code) => RESET.includes(code)))
    return new ConnectionResetError(
      `${id}: the connection to ${origin} broke before the response was complete.`,
      safety.isIdempotent,
      cause,
    )
  return new ConnectionError(`${id} got no response from ${origin}.`, safety.isIdempotent, cause)
}

export function abortedBy({ id }: Operation, signal: AbortSignal): AbortedError {
  return new AbortedError(`${id} was aborted by the caller's signal.`, { cause: signal.reason })
}

/** The codes of an error and its causes, which runtimes wrap differently. */
function codesOf(error: unknown, depth = 0): string[] {
  if (typeof error !== 'object' || error === null || depth > 4) return []
  const own = 'code' in error && typeof error.code === 'string' ? [error.code] : []
  const further = error instanceof AggregateError ? error.errors : 'cause' in error ? [error.cause] : []
  return [...own, ...further.flatMap((cause) => codesOf(cause, depth + 1))]
}
