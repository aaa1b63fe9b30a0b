export const AUTHORIZE_PATH = '/v1/oauth/authorize'
/** The paths to which the consent page's own controls submit its form, to show the page again with other choices. */
export const CONTROLS_PATH = '/consent'
export const SIGN_IN_PATH = '/sign-in'
export const LINK_PATH = '/sign-in/link'
export const SIGN_OUT_PATH = '/sign-out'
export const CONSOLE_PATH = '/console'
export const CONNECTIONS_PATH = '/connections'
/** Pages and databases by their titles, or by when they were edited. */
export const SEARCH_PATH = '/search'
export const REVOKE_PATH = '/connections/revoke'

/**
 * The path of the service's address, with which all links in its pages begin: `/ws` for `https://example.org/ws`, which a proxy removes
 * from requests; empty without one.
 */
export function basePath(baseUrl: string): string {
  return new URL(baseUrl).pathname.replace(/\/$/, '')
}
