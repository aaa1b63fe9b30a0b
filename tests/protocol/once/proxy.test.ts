import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectError } from '../../harness/expectations.ts'
import { startTestServer, type TestServer } from '../../harness/server.ts'

/** The tests themselves connect from 127.0.0.1. */
const cases: readonly [setting: string, headers: Readonly<Record<string, string>>, isServed: boolean, why: string][] = [
  ['off', {}, true, 'connections from the loopback address need no HTTPS'],
  ['off', { 'X-Forwarded-Proto': 'http' }, true, 'no proxy is trusted, so the header is ignored'],
  ['loopback', { 'X-Forwarded-Proto': 'https' }, true, 'the proxy received HTTPS'],
  ['loopback', { 'X-Forwarded-Proto': 'http' }, false, 'the proxy received plain HTTP'],
  ['loopback', {}, false, 'the proxy does not name the protocol'],
  ['127.0.0.1/32', { 'X-Forwarded-Proto': 'https' }, true, 'the proxy received HTTPS'],
  ['1', { 'X-Forwarded-Proto': 'https' }, true, 'the proxy received HTTPS'],
  ['10.0.0.0/8', { 'X-Forwarded-Proto': 'https' }, false, 'the client address is not that of a trusted proxy'],
]

describe.each(cases)('TRUST_PROXY=%s, %j', (setting, headers, isServed, why) => {
  let server: TestServer
  beforeAll(async () => void (server = await startTestServer({ TRUST_PROXY: setting })))
  afterAll(() => server.stop())

  it(`${isServed ? 'is served' : 'is refused'}: ${why}`, async () => {
    const response = await server.owner.call('retrieveMe', { headers })
    if (isServed) expect(response.status).toBe(200)
    else {
      expectError(response, 400, 'invalid_request', 'HTTPS')
      // The refusal is the same with further faults.
      const worse = await server.caller(undefined).call('retrieveMe', { headers: { ...headers, Accept: 'image/png' } })
      expectError(worse, 400, 'invalid_request', 'HTTPS')
    }
  })
})

describe('ALLOW_PLAIN_HTTP behind a proxy', () => {
  it('accepts requests that the proxy received by plain HTTP', async () => {
    const server = await startTestServer({ TRUST_PROXY: 'loopback', ALLOW_PLAIN_HTTP: 'true' })
    try {
      expect((await server.owner.call('retrieveMe', { headers: { 'X-Forwarded-Proto': 'http' } })).status).toBe(200)
    } finally {
      await server.stop()
    }
  })
})

describe('the address of a caller behind a proxy', () => {
  /** Fails 100 times from one address, then calls once from another. @returns the status of that call */
  async function statusOfBystander(
    setting: string,
    attacker: Record<string, string>,
    bystander: Record<string, string>,
  ): Promise<number> {
    const server = await startTestServer({ TRUST_PROXY: setting, ALLOW_PLAIN_HTTP: 'true', RATE_LIMIT: '1000/60' })
    try {
      const stranger = server.caller('itk_nobody_knows_this_token')
      for (let count = 0; count < 100; count += 1) await stranger.call('retrieveMe', { headers: attacker })
      expect((await stranger.call('retrieveMe', { headers: attacker })).status).toBe(429)
      return (await stranger.call('retrieveMe', { headers: bystander })).status
    } finally {
      await server.stop()
    }
  }

  it('is the one that a trusted proxy names', async () => {
    expect(await statusOfBystander('loopback', { 'X-Forwarded-For': '192.0.2.1' }, { 'X-Forwarded-For': '192.0.2.2' })).toBe(401)
  })

  it('is never one that the caller invents', async () => {
    expect(await statusOfBystander('off', { 'X-Forwarded-For': '192.0.2.1' }, { 'X-Forwarded-For': '192.0.2.2' })).toBe(429)
    expect(
      await statusOfBystander(
        '1',
        { 'X-Forwarded-For': '198.51.100.1, 192.0.2.1' },
        { 'X-Forwarded-For': '198.51.100.2, 192.0.2.1' },
      ),
    ).toBe(429)
  })
})
