import { undashed } from '../../kernel/ids.ts'
import type { SiteAddress } from './site_address.ts'

export interface SafeLink {
  readonly href: string
  /** The host of another site; undefined for this site and for addresses without a host. */
  readonly host: string | undefined
}

/** Schemes that open a page, a message or a call. Others, such as `javascript:`, could do more. */
const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:'])
/** Matches a path on this site: `//` and `/\` would begin the address of another site. */
const OWN_PATH = /^\/(?![/\\])/

/**
 * The target of an address that a person has written. Addresses of this service become paths, which work under any host name.
 * @returns undefined for an address that must not become a link
 */
export function safeLink({ base, baseUrl }: SiteAddress, address: string): SafeLink | undefined {
  const own = ownPath(address.startsWith(`${baseUrl}/`) ? address.slice(baseUrl.length) : address)
  if (own !== undefined) return { href: base + own, host: undefined }
  if (!URL.canParse(address)) return undefined
  const { protocol, href, host } = new URL(address)
  return SCHEMES.has(protocol) ? { href, host: host || undefined } : undefined
}

/** A path on this site, with `..` resolved; undefined if it then begins with two slashes, which would lead to another site. */
function ownPath(path: string): string | undefined {
  if (!OWN_PATH.test(path)) return undefined
  const { pathname, search, hash } = new URL(path, 'http://own')
  return OWN_PATH.test(pathname) ? pathname + search + hash : undefined
}

/** The path of a file that this service stores; undefined for a file on another host, which pages do not load. */
export function ownFile({ base, baseUrl }: SiteAddress, address: string): string | undefined {
  return address.startsWith(`${baseUrl}/files/`) ? base + address.slice(baseUrl.length) : undefined
}

/** The path of the page of a record. */
export function recordPath(
  { base }: Pick<SiteAddress, 'base'>,
  id: string,
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const entries = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const text = new URLSearchParams(entries).toString()
  return `${base}/${undashed(id)}${text === '' ? '' : `?${text}`}`
}
