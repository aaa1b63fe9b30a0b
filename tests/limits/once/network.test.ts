import { expect, it } from 'vitest'
import { networkOf } from '../../../server/http/network_of.ts'

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2:ffff::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:0db8:0000:0002::1', '2001:db8:0:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::ffff:c000:207', '192.0.2.7'],
  ['::', '0:0:0:0::/64'],
  ['2001:db8:1:2:3:4:192.0.2.7', '2001:db8:1:2::/64'],
  ['::ffff:0:192.0.2.7', '0:0:0:0::/64'],
  ['fe80::1%25', 'fe80:0:0:0::/64'],
  ['1.2', '1.2'],
  ['0x7f.1', '0x7f.1'],
  ['unknown', 'unknown'],
  ['[::1]', '[::1]'],
  ['', ''],
])('failed authentications from %s count for the address or network %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
