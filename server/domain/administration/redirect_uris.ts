import { isIPv4 } from 'node:net'
import { AdministrationError } from '../shared/index.ts'

const URIS_MAX = 20
const URI_LENGTH_MAX = 2000

/**
 * Checks the redirect URIs of a public connection: absolute, `https`, or `http` on a loopback address, without a fragment, a user, or dot
 * segments. Requests contain them exactly as registered, so every parser has to interpret each in the same way.
 * @throws AdministrationError with the first invalid one
 */
export function requireRedirectUris(uris: readonly string[]): void {
  if (uris.length > URIS_MAX) throw new AdministrationError(`A connection has at most ${URIS_MAX} redirect URIs.`)
  for (const uri of uris) {
    const complaint = complaintAbout(uri)
    if (complaint !== undefined) throw new AdministrationError(`The redirect URI "${uri.slice(0, 200)}" ${complaint}.`)
  }
  if (new Set(uris).size < uris.length) throw new AdministrationError('The redirect URIs contain a duplicate.')
}

/** The text between the scheme and the path, and the path. Some parsers find a host even in `https:///path`. */
const PARTS = /^https?:\/\/([^/?#]+)([^?#]*)/i
/** `.` or `..`, percent-encoded or not. Some servers decode slashes before they resolve these segments. */
const DOT_SEGMENT = /(?:\/|%2f|%5c)(?:\.|%2e){1,2}(?:\/|%2f|%5c|$)/i

function complaintAbout(uri: string): string | undefined {
  if (uri.length > URI_LENGTH_MAX) return `is longer than ${URI_LENGTH_MAX} characters`
  // Redirect URIs are sent in a response header and may contain only characters that are valid there.
  if (!/^[\x21-\x7e]+$/.test(uri) || uri.includes('\\') || !URL.canParse(uri)) return 'is not an absolute address'
  const url = new URL(uri)
  const [, host, path = ''] = PARTS.exec(uri) ?? []
  if (host === undefined) return 'should begin with https, or with http on a loopback address, and name a host'
  if (uri.includes('#')) return 'has a fragment'
  if (host.includes('@')) return 'contains a user name or password'
  if (host.includes('%')) return 'has a percent-encoded host'
  if (DOT_SEGMENT.test(path)) return 'has a dot segment in its path: a browser would go to another path'
  if (url.host.includes('*')) return 'has a wildcard in its host'
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) return undefined
  return 'should begin with https, or with http on a loopback address'
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'))
}
