import { lookup as resolve, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Where the addresses of IPv6 are that anybody has been given so far. Outside lie forms of old that still lead to IPv4. */
const GIVEN = ipaddr.IPv6.parseCIDR('2000::/3')

/** Whether an address is one of the public internet: not of this machine, of a network of its own, or reserved for something else. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  // An IPv4 address may be dressed as one of IPv6.
  const parsed = ipaddr.process(address)
  return parsed.range() === 'unicast' && (parsed instanceof ipaddr.IPv4 || parsed.match(GIVEN))
}

/** A name leads to addresses near by alone. */
export class PrivateHostError extends Error {}

/** Whether a host is written as an address that is not public. Names are looked at when they are resolved. */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  return isIP(host) !== 0 && !isPublicAddress(host)
}

/** Resolves names as Node does, and gives out public addresses only: for `lookup` of a request. */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    if (error) return callback(error, '', 0)
    const usable = addresses.filter(({ address }) => isPublicAddress(address))
    const [first] = usable
    if (!first) return callback(new PrivateHostError(), '', 0)
    if (options.all) callback(null, usable)
    else callback(null, first.address, first.family)
  })
}
