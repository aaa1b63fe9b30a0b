import { oauthErrorCodes, type ErrorCodeName, type OAuthErrorCodeName } from '../../generated/error_codes.ts'
import { ServiceError, type AdditionalData } from './errors.ts'

interface OAuthErrorDetails {
  /** A text for people, sent as `message` and `error_description`. */
  readonly message: string
  /** The cause, for the log only. */
  readonly internal?: string | undefined
  /** The code of the same error on the service's other endpoints, if it differs. */
  readonly code?: string
  /** The status, if `error` can have several. */
  readonly status?: number
  readonly additionalData?: AdditionalData | undefined
  readonly headers?: Readonly<Record<string, string>>
}

/** An error of the OAuth endpoints, named as in RFC 6749. Its status follows from the contract's table. */
export class OAuthError extends Error {
  readonly error: OAuthErrorCodeName
  readonly code: string
  readonly status: number
  readonly internal: string | undefined
  readonly additionalData: AdditionalData | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(error: OAuthErrorCodeName, details: OAuthErrorDetails) {
    super(details.message)
    this.name = 'OAuthError'
    this.error = error
    this.code = details.code ?? error
    this.status = details.status ?? oauthErrorCodes[error].statuses[0]
    this.internal = details.internal
    this.additionalData = details.additionalData
    this.headers = details.headers ?? {}
  }
}

/** The error of the OAuth endpoints for each error of the API. */
const OAUTH_NAMES: Readonly<Record<ErrorCodeName, 'invalid_request' | 'temporarily_unavailable' | 'server_error'>> = {
  invalid_beta: 'invalid_request',
  invalid_credit_limit: 'invalid_request',
  invalid_json: 'invalid_request',
  invalid_request: 'invalid_request',
  invalid_request_url: 'invalid_request',
  missing_version: 'invalid_request',
  validation_error: 'invalid_request',
  unauthorized: 'invalid_request',
  agent_credit_limit_reached: 'invalid_request',
  restricted_resource: 'invalid_request',
  status_change_not_allowed: 'invalid_request',
  workspace_credits_exhausted: 'invalid_request',
  directory_not_found: 'invalid_request',
  object_not_found: 'invalid_request',
  row_limit_exceeded: 'invalid_request',
  agent_deleted: 'invalid_request',
  conflict_error: 'server_error',
  idempotency_key_reused: 'invalid_request',
  rate_limited: 'temporarily_unavailable',
  internal_server_error: 'server_error',
  service_unavailable: 'server_error',
  gateway_timeout: 'server_error',
  service_overload: 'temporarily_unavailable',
}

/** An error of the API as the OAuth endpoints report it. */
export function toOAuthError(error: ServiceError): OAuthError {
  const { message, internal, additionalData, headers } = error
  const details = { message, internal, additionalData, headers }
  const name = OAUTH_NAMES[error.code]
  if (name === 'invalid_request') return new OAuthError(name, details)
  const statuses: readonly number[] = oauthErrorCodes[name].statuses
  // The OAuth endpoints have neither 409 nor 504.
  const { code, status } = statuses.includes(error.status) ? error : { code: 'service_unavailable', status: 503 }
  return new OAuthError(name, { ...details, code, status })
}
