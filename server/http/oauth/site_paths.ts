export const AUTHORIZE_PATH = '/v1/oauth/authorize'
/** The path to which the controls on the consent page submit its form, to show the page again with other choices. */
export const CONTROLS_PATH = '/consent'
export const SIGN_IN_PATH = '/sign-in'
export const LINK_PATH = '/sign-in/link'
export const SIGN_OUT_PATH = '/sign-out'
export const CONSOLE_PATH = '/console'
export const CONNECTIONS_PATH = '/connections'
/** The page that finds pages and databases by their titles, or lists those edited last. */
export const SEARCH_PATH = '/search'
export const REVOKE_PATH = '/connections/revoke'

/**
 * The path in the service's address, such as `/ws` in `https://example.org/ws`. All links in its pages begin with it, and a proxy removes
 * it from requests. Empty if the address has no path.
 */
export function basePath(baseUrl: string): string {
  return new URL(baseUrl).pathname.replace(/\/$/, '')
}
