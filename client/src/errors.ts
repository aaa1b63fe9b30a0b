import type { ErrorCodeName, OAuthErrorCodeName } from '../../generated/error_codes.ts'
import type { SessionError } from '../../generated/types.ts'
import type { AttemptDetails } from './attempt_details.ts'

/** Details of a failure besides its message. */
export interface FailureDetails extends ErrorOptions {
  readonly request?: AttemptDetails | undefined
  readonly requestId?: string | undefined
  readonly headers?: Headers
  readonly isRetryable?: boolean
  readonly retryAfterMilliseconds?: number | undefined
}

/** Any failure of a call. `code` identifies the kind and, for errors of the service, the reason. */
export abstract class WorkspaceServiceError extends Error {
  override readonly name: string = 'WorkspaceServiceError'
  /** Stable. Test this or the class, never `message`. */
  abstract readonly code: string
  /** The operation, method and address of the failed request; undefined if nothing was sent. */
  readonly request: AttemptDetails | undefined
  /** Identifies the request in the service's log, if there was a response. */
  readonly requestId: string | undefined
  /** Whether the call can be repeated without the risk that it takes effect twice. */
  readonly isRetryable: boolean
  /** How long to wait before a retry, according to the response; at most the client's longest wait. */
  readonly retryAfterMilliseconds: number | undefined

  constructor(message: string, details: FailureDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined)
    this.request = details.request
    this.requestId = details.requestId
    this.isRetryable = details.isRetryable ?? false
    this.retryAfterMilliseconds = details.retryAfterMilliseconds
  }
}

/** The service returned an error. */
export class ApiError extends WorkspaceServiceError {
  override readonly name = 'ApiError'
  readonly code: ErrorCodeName | OAuthErrorCodeName | (string & {})
  readonly status: number
  readonly additionalData: Readonly<Record<string, string | readonly string[]>>
  /** Headers of the response; empty for the error of a failed task, which is not a response itself. */
  readonly headers: Headers

  constructor(status: number, body: ErrorBody, details: FailureDetails = {}) {
    super(body.message, { ...details, requestId: body.request_id ?? details.requestId })
    this.code = body.code
    this.status = status
    this.additionalData = body.additional_data ?? {}
    this.headers = details.headers ?? new Headers()
  }
}

/** The response did not come from the service: a proxy's page, an empty body, text that is not JSON, an unknown status. */
export class UnreadableResponseError extends WorkspaceServiceError {
  override readonly name = 'UnreadableResponseError'
  readonly code = 'unreadable_response'
  readonly status: number
  readonly headers: Headers
  /** The body as received. */
  readonly body: string

  constructor(status: number, body: string, details: FailureDetails) {
    super(`The response with status ${status} is not one of the service's.`, details)
    this.status = status
    this.body = body
    this.headers = details.headers ?? new Headers()
  }
}

/** The service sent more than the client reads: see `limits`. Nothing says whether a write took effect. */
export class LimitExceededError extends WorkspaceServiceError {
  override readonly name = 'LimitExceededError'
  readonly code = 'limit_exceeded'

  /** @param location such as `listUsers: body` */
  constructor(location: string, expected: string, found = 'more', details: FailureDetails = {}) {
    super(`${location}: expected ${expected}, found ${found}.`, details)
  }
}

/** There was no response, or an incomplete one; `cause` is the runtime's error. */
export class ConnectionError extends WorkspaceServiceError {
  override readonly name: string = 'ConnectionError'
  readonly code: 'connection_failed' | 'connection_refused' | 'connection_reset' | 'timeout' = 'connection_failed'
}

/** The connection was refused: nothing was sent, so any call can be repeated. */
export class ConnectionRefusedError extends ConnectionError {
  override readonly name = 'ConnectionRefusedError'
  override readonly code = 'connection_refused'
}

/** The connection broke before the response was complete: it is unknown whether the call took effect. */
export class ConnectionResetError extends ConnectionError {
  override readonly name = 'ConnectionResetError'
  override readonly code = 'connection_reset'
}

/** The response took longer than `timeoutMilliseconds`: it is unknown whether the call took effect. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError'
  override readonly code = 'timeout'
}

/** The caller's `signal` aborted the call; `cause` is the signal's reason. */
export class AbortedError extends WorkspaceServiceError {
  override readonly name = 'AbortError'
  readonly code = 'aborted'
}

/** The call was not sent: an option, credential or id is missing or invalid. */
export class InvalidCallError extends WorkspaceServiceError {
  override readonly name = 'InvalidCallError'
  readonly code = 'invalid_call'
}

/** The service could not continue a stream. The turn may continue. */
export class StreamFailedError extends WorkspaceServiceError {
  override readonly name = 'StreamFailedError'
  readonly code: SessionError['code'] | (string & {})
  /** Whether following the session with `continue_from` may help. Sending the message again would start another turn. */
  readonly isFollowable: boolean

  constructor({ code, message, retryable }: SessionError) {
    super(message)
    this.code = code
    this.isFollowable = retryable
  }
}

/** A request to a webhook's address that should not be trusted. Respond with 4xx, and otherwise ignore it. */
export class InvalidWebhookError extends WorkspaceServiceError {
  override readonly name = 'InvalidWebhookError'
  readonly code: InvalidWebhookCode

  constructor(code: InvalidWebhookCode, message: string) {
    super(message)
    this.code = code
  }
}

/** Why a request to a webhook's address is not trusted. */
export type InvalidWebhookCode =
  | 'missing_signature'
  | 'malformed_signature'
  | 'wrong_signature'
  | 'no_token'
  | 'unreadable_body'
  | 'outside_tolerance'

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
