import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

const IPV6_NETWORK_GROUPS = 4

/** The part of an address that a caller cannot vary: a whole IPv4 address, but only the /64 network of an IPv6 address. */
export function networkOf(address: string): string {
  // Compiling the pattern of `isIPv6` takes milliseconds, so only addresses with a colon are tested.
  if (!address.includes(':') || !isIPv6(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const groups = parsed.parts.slice(0, IPV6_NETWORK_GROUPS).map((group) => group.toString(16))
  return `${groups.join(':')}::/64`
}
