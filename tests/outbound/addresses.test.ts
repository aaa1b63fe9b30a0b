import { describe, expect, it } from 'vitest'
import { isPrivateHost, isPublicAddress } from '../../server/outbound/public_hosts.ts'
import { HttpsFiles } from '../../server/outbound/https_files.ts'

/** Addresses of this machine or of private networks, in every notation. */
describe('requests to addresses', () => {
  it.each([
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '192.0.0.170',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::7f00:1',
    '::a00:1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::a00:1',
    '2002:7f00:1::',
    '2001::1',
    '2001:db8::1',
    '3fff::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    '1::1',
    '4000::1',
    'localhost',
    '',
  ])('refuse the address "%s", which is not public', (address) => expect(isPublicAddress(address)).toBe(false))

  it.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700::1111', '2a00:1450::1', '::ffff:8.8.8.8'])(
    'allow the public address %s',
    (address) => expect(isPublicAddress(address)).toBe(true),
  )
})

describe('requests to URLs', () => {
  const files = new HttpsFiles({ allowedHosts: [] })

  it.each([
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://0x7f.1/',
    'https://127.0.0.1./',
    'https://①②⑦.0.0.1/',
    'https://[::1]/',
    'https://[::127.0.0.1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[64:ff9b::127.0.0.1]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://0/',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost/',
  ])('refuse the URL %s without a lookup', async (url) => {
    await expect(files.inspect(url)).rejects.toMatchObject({ message: 'is not public' })
  })

  it('count a host name as public until it is resolved', () => {
    expect(isPrivateHost('workspace.example')).toBe(false)
    expect(isPrivateHost('[::1]')).toBe(true)
  })
})
