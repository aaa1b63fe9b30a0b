/** The destination of an authorization's response: a registered redirect URI, and the `state` of the request. */
export interface RedirectTarget {
  readonly redirectUri: string
  readonly state: string | undefined
  /** The issuer in the response. Clients of several services check it to prevent mix-up attacks (RFC 9207). */
  readonly issuer: string
}

type RedirectErrorCode =
  | 'invalid_request'
  | 'unauthorized_client'
  | 'access_denied'
  | 'unsupported_response_type'
  | 'server_error'
  | 'temporarily_unavailable'

/** Thrown to redirect the browser to the connection with an error. */
export class AuthorizationRedirect extends Error {
  readonly location: string
  readonly code: RedirectErrorCode
  /** The invalid parameter, if the error concerns one. */
  readonly parameter: string | undefined

  constructor(target: RedirectTarget, error: RedirectErrorCode, description?: string, parameter?: string) {
    super(description ?? error)
    this.name = 'AuthorizationRedirect'
    this.code = error
    this.parameter = parameter
    this.location = withParameters(target, { error, ...(description === undefined ? {} : { error_description: description }) })
  }
}

/** Thrown to show an error page in the browser, because the redirect URI is not known to be safe. */
export class AuthorizationPageError extends Error {
  readonly status: 400 | 403
  readonly parameter: string

  constructor(message: string, parameter: string, status: 400 | 403 = 400) {
    super(message)
    this.name = 'AuthorizationPageError'
    this.parameter = parameter
    this.status = status
  }
}

/** Appends the parameters of the response to the query of the redirect URI, which is otherwise unchanged. */
export function withParameters(
  { redirectUri, state, issuer }: RedirectTarget,
  outcome: Readonly<Record<string, string>>,
): string {
  const pairs = Object.entries({ ...outcome, ...(state === undefined ? {} : { state }), iss: issuer })
  const query = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join('&')
  const mark = redirectUri.includes('?') ? (/[?&]$/.test(redirectUri) ? '' : '&') : '?'
  return `${redirectUri}${mark}${query}`
}
