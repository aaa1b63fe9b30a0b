import { isIPv4 } from 'node:net'
import { AdministrationError } from './error.ts'

const URIS_MAX = 20
const URI_LENGTH_MAX = 2000

/**
 * Redirect URIs as a public connection may register them: absolute, `https` or `http` on a loopback address, no fragment, no user.
 * @throws AdministrationError naming the first that will not do
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
  // A redirect is a response header, so the text has to be one that a header can hold.
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
