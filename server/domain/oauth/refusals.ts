/** Where an authorization ends: a registered redirect URI, and the text that goes back with it. */
export interface RedirectTarget {
  readonly redirectUri: string
  readonly state: string | undefined
  /** Who answers: clients of several services tell from it whose answer they got (RFC 9207). */
  readonly issuer: string
}

type RedirectErrorCode =
  | 'invalid_request'
  | 'unauthorized_client'
  | 'access_denied'
  | 'unsupported_response_type'
  | 'server_error'
  | 'temporarily_unavailable'

/** The browser goes back to the connection with an error. */
export class AuthorizationRedirect extends Error {
  readonly location: string

  constructor(target: RedirectTarget, error: RedirectErrorCode, description?: string) {
    super(description ?? error)
    this.name = 'AuthorizationRedirect'
    this.location = withParameters(target, { error, ...(description === undefined ? {} : { error_description: description }) })
  }
}

/** The browser stays here, with an error page: it is not certain that it may be sent anywhere. */
export class AuthorizationPageError extends Error {
  readonly status: 400 | 403

  constructor(message: string, status: 400 | 403 = 400) {
    super(message)
    this.name = 'AuthorizationPageError'
    this.status = status
  }
}

/** The redirect URI with the outcome behind whatever query it has; its own text stays byte for byte. */
export function withParameters(
  { redirectUri, state, issuer }: RedirectTarget,
  outcome: Readonly<Record<string, string>>,
): string {
  const pairs = Object.entries({ ...outcome, ...(state === undefined ? {} : { state }), iss: issuer })
  const query = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join('&')
  const mark = redirectUri.includes('?') ? (/[?&]$/.test(redirectUri) ? '' : '&') : '?'
  return `${redirectUri}${mark}${query}`
}
