import { AUTHORIZE_PATH, CONNECTIONS_PATH } from './site_paths.ts'

/**
 * Where the consent form may submit and redirect to, as a source list of CSP: this site and the client. For a client at an IPv6 address,
 * which such a list cannot contain, only the scheme is listed.
 */
export function formTargetOf(redirectUri: string): string {
  const { origin, protocol, hostname } = new URL(redirectUri)
  return `'self' ${hostname.startsWith('[') ? protocol : origin}`
}

/** Matches the pages of workspaces: records, whose paths end with an id, the search, and the console. */
const OWN_PAGES = /^\/(?:search|console(?:\/[\w-]+)*|(?:[A-Za-z0-9_-]+-)?[0-9a-f]{32})(?:\?[\w.~%&=+-]*)?$/i

/**
 * Checks the address to which the browser returns after signing in. Only authorizations and the person's own pages are allowed, so that the
 * sign-in page is not an open redirect.
 * @returns a path with its query; undefined for any other address
 */
export function safeReturn(text: string | undefined): string | undefined {
  if (text === CONNECTIONS_PATH || (text !== undefined && OWN_PAGES.test(text))) return text
  if (text === undefined || !text.startsWith(`${AUTHORIZE_PATH}?`) || !/^[\x21-\x7e]+$/.test(text)) return undefined
  return text.split('#', 1)[0]?.replaceAll('\\', '%5C')
}
