import { errorCodes, type ErrorCodeName } from '../../generated/error_codes.ts'

/** Anything that kept a call from succeeding. */
export class WorkspaceServiceError extends Error {
  override readonly name: string = 'WorkspaceServiceError'
}

/** The service answered with one of its errors. */
export class ApiError extends WorkspaceServiceError {
  override readonly name = 'ApiError'
  readonly status: number
  /** Stable; decide by this, never by `message`. */
  readonly code: ErrorCodeName | (string & {})
  readonly requestId: string | undefined
  readonly additionalData: Readonly<Record<string, string | readonly string[]>>

  constructor(status: number, body: ErrorBody) {
    super(body.message)
    this.status = status
    this.code = body.code
    this.requestId = body.request_id
    this.additionalData = body.additional_data ?? {}
  }
}

/** The answer was none of the service's: a proxy's page, an empty body, text that is not JSON. */
export class UnreadableAnswerError extends WorkspaceServiceError {
  override readonly name = 'UnreadableAnswerError'
  readonly status: number
  readonly requestId: string | undefined
  /** The raw body, as far as it was read. */
  readonly body: string

  constructor(status: number, body: string, requestId: string | undefined) {
    super(`The answer with status ${status} could not be read as the service's JSON.`)
    this.status = status
    this.body = body
    this.requestId = requestId
  }
}

/** No answer came: the network failed or the time was up. */
export class ConnectionError extends WorkspaceServiceError {
  override readonly name = 'ConnectionError'
}

interface ErrorBody {
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

/** Whether the contract allows a client to repeat by itself what ended in this error. */
export function mayRetry(code: string, isSafeToRepeat: boolean): boolean {
  const known = Object.hasOwn(errorCodes, code) ? errorCodes[code as ErrorCodeName] : undefined
  return known?.retry === 'always' || (known?.retry === 'idempotent_only' && isSafeToRepeat)
}
