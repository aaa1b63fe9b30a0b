import type { ErrorCodeName, OAuthErrorCodeName } from '../../generated/error_codes.ts'

/** Anything that kept a call from succeeding; `code` tells the kinds apart, and within the service's errors the reasons. */
export abstract class WorkspaceServiceError extends Error {
  override readonly name: string = 'WorkspaceServiceError'
  /** Stable; decide by this or by the class, never by `message`. */
  abstract readonly code: string
  /** Whether the same call may be sent once more without a risk that it takes effect twice. */
  readonly isRetryable: boolean = false
  /** How long the answer asked to wait before a repeat; at most what the client waits. */
  readonly retryAfterMilliseconds: number | undefined = undefined
}

/** The service answered with one of its errors. */
export class ApiError extends WorkspaceServiceError {
  override readonly name = 'ApiError'
  readonly code: ErrorCodeName | OAuthErrorCodeName | (string & {})
  readonly status: number
  readonly requestId: string | undefined
  readonly additionalData: Readonly<Record<string, string | readonly string[]>>
  /** Headers of the answer; none where a task failed, whose error is no answer of its own. */
  readonly headers: Headers
  override readonly isRetryable: boolean
  override readonly retryAfterMilliseconds: number | undefined

  constructor(status: number, body: ErrorBody, answer: AnswerFacts = NO_ANSWER) {
    super(body.message)
    this.code = body.code
    this.status = status
    this.requestId = body.request_id ?? answer.requestId
    this.additionalData = body.additional_data ?? {}
    this.headers = answer.headers
    this.isRetryable = answer.isRetryable
    this.retryAfterMilliseconds = answer.retryAfterMilliseconds
  }
}

/** The answer was none of the service's: a proxy's page, an empty body, text that is not JSON, a status that it never sends. */
export class UnreadableAnswerError extends WorkspaceServiceError {
  override readonly name = 'UnreadableAnswerError'
  readonly code = 'unreadable_answer'
  readonly status: number
  readonly requestId: string | undefined
  readonly headers: Headers
  /** The body as it came. */
  readonly body: string
  override readonly isRetryable: boolean
  override readonly retryAfterMilliseconds: number | undefined

  constructor(status: number, body: string, answer: AnswerFacts) {
    super(`The answer with status ${status} could not be read as one of the service's.`)
    this.status = status
    this.body = body
    this.requestId = answer.requestId
    this.headers = answer.headers
    this.isRetryable = answer.isRetryable
    this.retryAfterMilliseconds = answer.retryAfterMilliseconds
  }
}

/** No answer came, or not all of it; `cause` is what the runtime said. */
export class ConnectionError extends WorkspaceServiceError {
  override readonly name: string = 'ConnectionError'
  readonly code: 'connection_failed' | 'connection_refused' | 'connection_reset' | 'timeout' = 'connection_failed'
  override readonly isRetryable: boolean

  constructor(message: string, isRetryable: boolean, cause?: unknown) {
    super(message, { cause })
    this.isRetryable = isRetryable
  }
}

/** Nobody listens there: nothing was sent, so every call may be repeated. */
export class ConnectionRefusedError extends ConnectionError {
  override readonly name = 'ConnectionRefusedError'
  override readonly code = 'connection_refused'
}

/** The connection ended before the answer did: whether the call took effect is unknown. */
export class ConnectionResetError extends ConnectionError {
  override readonly name = 'ConnectionResetError'
  override readonly code = 'connection_reset'
}

/** The answer took longer than `timeoutMilliseconds`: whether the call took effect is unknown. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError'
  override readonly code = 'timeout'
}

/** The caller's own `signal` ended the call; `cause` is the signal's reason. */
export class AbortedError extends WorkspaceServiceError {
  override readonly name = 'AbortError'
  readonly code = 'aborted'
}

/** The call was not sent: an option, a credential or an id is missing or can't be right. */
export class InvalidCallError extends WorkspaceServiceError {
  override readonly name = 'InvalidCallError'
  readonly code = 'invalid_call'
}

/** What an answer says beside its body, and what that means for a repeat. */
export interface AnswerFacts {
  readonly headers: Headers
  readonly requestId: string | undefined
  readonly isRetryable: boolean
  readonly retryAfterMilliseconds: number | undefined
}

const NO_ANSWER: AnswerFacts = {
  headers: new Headers(),
  requestId: undefined,
  isRetryable: false,
  retryAfterMilliseconds: undefined,
}

export interface ErrorBody {
  readonly code: string
  readonly message: string
  readonly request_id?: string
  readonly additional_data?: Readonly<Record<string, string | readonly string[]>>
}

export function isErrorBody(value: unknown): value is ErrorBody {
  return (
    typeof value === 'object' &&
    value !== null &&
    'code' in value &&
    typeof value.code === 'string' &&
    'message' in value &&
    typeof value.message === 'string'
  )
}
