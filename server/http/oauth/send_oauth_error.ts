import type { Response } from 'express'
import type { Complaint } from '../../kernel/errors.ts'
import { OAuthError, toOAuthError } from '../../kernel/oauth_error.ts'
import { errorBody, sendText, toServiceError } from '../response.ts'

/** Sets the header that only responses to OAuth clients have. */
export function setOAuthHeaders(response: Response): void {
  if (!response.headersSent) response.setHeader('Pragma', 'no-cache')
}

/** Sends an error with the members of RFC 6749 and those of the service's other errors. */
export function sendOAuthError(response: Response, error: OAuthError, requestId: string): void {
  for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value)
  const body = { error: error.error, error_description: error.message, ...errorBody(error, requestId) }
  sendText(response, error.status, JSON.stringify(body))
}

/** Converts any thrown value to an error of the OAuth endpoints. */
export function toOAuthFailure(thrown: unknown): OAuthError {
  if (thrown instanceof OAuthError) return thrown
  const error = toServiceError(thrown)
  const [complaint] = error.complaints
  return complaint ? refusedField(complaint) : toOAuthError(error)
}

/** The error for a value that violates the contract. The value may be a secret, so the message names only its path. */
function refusedField({ path, claim, value }: Complaint): OAuthError {
  if (path === 'body.grant_type' && typeof value === 'string' && value !== '') {
    return new OAuthError('unsupported_grant_type', { message: 'body.grant_type should be authorization_code or refresh_token.' })
  }
  return new OAuthError('invalid_request', { message: `${path} ${claim}.` })
}
