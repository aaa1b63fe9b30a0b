import { oauthErrorCodes, type OAuthErrorCodeName } from '../../generated/error_codes.ts'
import { ServiceError, type AdditionalData } from './errors.ts'

interface OAuthErrorDetails {
  /** For people; sent as `message` and `error_description`. */
  readonly message: string
  /** For the log only. */
  readonly internal?: string | undefined
  /** The code of the same error on the service's other endpoints, if it differs. */
  readonly code?: string
  /** The status, if `error` can have several. */
  readonly status?: number
  readonly additionalData?: AdditionalData | undefined
  readonly headers?: Readonly<Record<string, string>>
}

/** An error of the OAuth endpoints, in the words of RFC 6749. Its status follows from the contract's table. */
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

/** An error of the API as the OAuth endpoints report it. */
export function toOAuthError(error: ServiceError): OAuthError {
  const { message, code, status, internal, additionalData, headers } = error
  const details = { message, internal, additionalData, headers }
  switch (code) {
    case 'rate_limited':
    case 'service_overload':
      return new OAuthError('temporarily_unavailable', { ...details, code, status })
    case 'internal_server_error':
    case 'service_unavailable':
      return new OAuthError('server_error', { ...details, code, status })
    default:
      return new OAuthError('invalid_request', details)
  }
}
