import { afterEach, describe, expect, it, vi } from 'vitest'
import { printWelcome } from '../../../server/bootstrap/welcome.ts'
import { authorityOf } from '../../../server/kernel/listening_address.ts'

// Tests listen on loopback addresses only, so no service is started here.

afterEach(() => vi.restoreAllMocks())

it.each([
  ['0.0.0.0', '127.0.0.1:4000'],
  ['::', '[::1]:4000'],
  ['::1', '[::1]:4000'],
  ['127.0.0.1', '127.0.0.1:4000'],
  ['192.0.2.7', '192.0.2.7:4000'],
  ['workspace.example', 'workspace.example:4000'],
])('a server that listens on %s has the local address %s', (host, authority) => {
  expect(authorityOf(host, 4000)).toBe(authority)
})

describe('the first start of a service', () => {
  const bootstrapped = {
    workspaceId: undefined,
    samplePageId: undefined,
    newToken: undefined,
    isTokenGiven: false,
    hasWorkspace: true,
    isNew: false,
  }
  function welcome(host: string, baseUrl?: string, hasConsole = true): string {
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    const url = baseUrl ?? `http://${authorityOf(host, 4000)}`
    printWelcome({ url, bootstrapped }, { host, baseUrl, hasConsole, database: { engine: 'sqlite', path: ':memory:' } })
    return write.mock.calls.map(([text]) => String(text)).join('')
  }

  it.each(['0.0.0.0', '::'])(
    'on %s prints an address that can be opened, and explains how other machines reach the service',
    (host) => {
      const text = welcome(host)
      expect(text).not.toMatch(/0\.0\.0\.0|\[::\]/)
      expect(text).toContain('Set BASE_URL to the public one')
    },
  )

  it.each([
    ['127.0.0.1', undefined],
    ['0.0.0.0', 'https://workspace.example'],
  ])('on %s with BASE_URL %s prints only that address', (host, baseUrl) => {
    expect(welcome(host, baseUrl)).not.toContain('other address')
  })

  it('prints the address of the console unless it is switched off', () => {
    expect(welcome('127.0.0.1')).toContain('http://127.0.0.1:4000/console')
    vi.restoreAllMocks()
    expect(welcome('127.0.0.1', undefined, false)).not.toContain('/console')
  })
})
