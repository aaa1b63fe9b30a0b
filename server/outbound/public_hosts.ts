import { lookup as resolve, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The only range of public IPv6 addresses assigned so far. Other ranges contain legacy forms that still map to IPv4. */
const ASSIGNED = ipaddr.IPv6.parseCIDR('2000::/3')

/** Whether an address is on the public internet: not loopback, private or reserved. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  // An IPv4 address may be written in the form of an IPv6 address.
  const parsed = ipaddr.process(address)
  return parsed.range() === 'unicast' && (parsed instanceof ipaddr.IPv4 || parsed.match(ASSIGNED))
}

/** Thrown if a name resolves only to private addresses. */
export class PrivateHostError extends Error {}

/** Whether a host is an IP address that is not public. Names are checked when they are resolved. */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  return isIP(host) !== 0 && !isPublicAddress(host)
}

/** Resolves names as Node does, but returns public addresses only; for the `lookup` option of a request. */
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
