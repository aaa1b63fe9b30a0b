/**
 * Where the consent form may submit and be redirected to, as a source list of CSP: this site and the client. Such a list cannot contain an
 * IPv6 address; its scheme is listed instead.
 */
export function formTargetOf(redirectUri: string): string {
  const { origin, protocol, hostname } = new URL(redirectUri)
  return `'self' ${hostname.startsWith('[') ? protocol : origin}`
}

const PATH = '/v1/oauth/authorize?'

/**
 * Checks the address to return to after signing in. Only authorizations of this service are allowed, so that the sign-in page is no open
 * redirect.
 * @returns a path with its query; undefined for any other address
 */
export function safeReturn(text: string | undefined): string | undefined {
  if (text === undefined || !text.startsWith(PATH) || !/^[\x21-\x7e]+$/.test(text)) return undefined
  return text.split('#', 1)[0]?.replaceAll('\\', '%5C')
}
