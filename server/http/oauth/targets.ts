/**
 * Where the consent form may lead, as a source list of CSP: here, and by redirect to the connection. An address of IPv6 cannot be
 * named in such a list, so its scheme stands for it.
 */
export function formTargetOf(redirectUri: string): string {
  const { origin, protocol, hostname } = new URL(redirectUri)
  return `'self' ${hostname.startsWith('[') ? protocol : origin}`
}

const PATH = '/v1/oauth/authorize?'

/**
 * The address to return to after signing in: only that of an authorization, on this very service. Anything else is dropped, so
 * that no link can use the sign-in page to lead people elsewhere.
 * @returns a path with its query
 */
export function safeReturn(text: string | undefined): string | undefined {
  if (text === undefined || !text.startsWith(PATH) || !/^[\x21-\x7e]+$/.test(text)) return undefined
  return text.replaceAll('\\', '%5C').replace(/#.*$/, '')
}
