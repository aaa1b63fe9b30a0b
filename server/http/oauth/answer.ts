import type { Response } from 'express'
import type { Complaint } from '../../kernel/errors.ts'
import { OAuthError, toOAuthError } from '../../kernel/oauth_error.ts'
import { errorBody, sendText, toServiceError } from '../answer.ts'

/** What OAuth answers carry besides the headers of all. */
export function setOAuthHeaders(response: Response): void {
  if (!response.headersSent) response.setHeader('Pragma', 'no-cache')
}

/** An error in the words of RFC 6749 and of the service's other errors at once. */
export function sendOAuthError(response: Response, error: OAuthError, requestId: string): void {
  for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value)
  const body = { error: error.error, error_description: error.message, ...errorBody(error, requestId) }
  sendText(response, error.status, JSON.stringify(body))
}

/** Any thrown value as an error of the OAuth endpoints. */
export function toOAuthFailure(thrown: unknown): OAuthError {
  if (thrown instanceof OAuthError) return thrown
  const error = toServiceError(thrown)
  const [complaint] = error.complaints
  return complaint ? refusedField(complaint) : toOAuthError(error)
}

/** A value that breaks the contract. It may be a code or a token, so the message names its place and does not show it. */
function refusedField({ path, claim, value }: Complaint): OAuthError {
  if (path === 'body.grant_type' && typeof value === 'string' && value !== '') {
    return new OAuthError('unsupported_grant_type', { message: 'body.grant_type should be authorization_code or refresh_token.' })
  }
  return new OAuthError('invalid_request', { message: `${path} ${claim}.` })
}
