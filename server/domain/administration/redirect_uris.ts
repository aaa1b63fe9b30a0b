import { isIPv4 } from 'node:net'
import { AdministrationError } from './error.ts'

const URIS_MAX = 20
const URI_LENGTH_MAX = 2000

/**
 * Checks the redirect URIs of a public connection: absolute, `https`, or `http` on a loopback address, without a fragment or
 * user.
 * @throws AdministrationError with the first invalid one
 */
export function requireRedirectUris(uris: readonly string[]): void {
  if (uris.length > URIS_MAX) throw new AdministrationError(`A connection has at most ${URIS_MAX} redirect URIs.`)
  for (const uri of uris) {
    const complaint = complaintAbout(uri)
    if (complaint !== undefined) throw new AdministrationError(`The redirect URI "${uri.slice(0, 200)}" ${complaint}.`)
  }
  if (new Set(uris).size < uris.length) throw new AdministrationError('A redirect URI is given twice.')
}

function complaintAbout(uri: string): string | undefined {
  if (uri.length > URI_LENGTH_MAX) return `is longer than ${URI_LENGTH_MAX} characters`
  // Redirect URIs are sent in a response header and may contain only characters that are valid there.
  if (!/^[\x21-\x7e]+$/.test(uri) || uri.includes('\\') || !URL.canParse(uri)) return 'is not an absolute address'
  const url = new URL(uri)
  if (uri.includes('#')) return 'has a fragment'
  if (url.username !== '' || url.password !== '') return 'contains a user name or password'
  if (url.host.includes('*')) return 'has a wildcard in its host'
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) return undefined
  return 'should begin with https, or with http on a loopback address'
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'))
}
