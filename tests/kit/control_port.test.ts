import { request as httpRequest } from 'node:http'
import { afterAll, describe, expect, it } from 'vitest'
import { createTestServer } from '../../server/testing/index.ts'
import { startControl } from '../../server/testing/control/start_control.ts'
import { callControl, type ControlAnswer } from './support/control.ts'

const server = await createTestServer({ port: 'none' })
const control = await startControl(server, { host: '127.0.0.1', port: 0 }, (error) => {
  throw error
})
const ask = (...[id, parts]: [Parameters<typeof callControl>[1], Parameters<typeof callControl>[2]?]): Promise<ControlAnswer> =>
  callControl(control.url, id, parts)
afterAll(async () => {
  await control.closeAtOnce()
  await server.close()
})

describe('the port of the control API', () => {
  it('serves the contract', async () => {
    const yaml = await (await fetch(`${control.url}/openapi.yaml`)).text()
    expect(yaml).toMatch(/^# The control API/)
    expect(await (await fetch(`${control.url}/openapi.json`)).json()).toMatchObject({ openapi: '3.1.1' })
  })

  it.each([
    ['GET', '/v1/sails', 'invalid_request_url', 'There is no such path.'],
    ['PATCH', '/v1/faults', 'invalid_request_url', 'This path is not served with PATCH.'],
    ['GET', '/v1/../faults', 'invalid_request_url', expect.any(String)],
  ])('refuses %s %s', async (method, path, code, message) => {
    expect(await rawCall(path, { method })).toMatchObject({ code, message })
  })

  it('refuses bodies that are no JSON', async () => {
    const body = await ask('createFault', { body: '{', headers: { 'Content-Type': 'application/json' } })
    expect(body.body['code']).toBe('invalid_json')
    const form = await ask('createFault', { body: 'code=rate_limited' })
    expect(form.body['code']).toBe('invalid_json')
  })

  it('takes no requests of pages in browsers', async () => {
    const fromPage = await ask('resetServer', { headers: { Origin: 'https://app.example' } })
    expect([fromPage.status, fromPage.body]).toMatchObject([
      403,
      { code: 'restricted_resource', message: 'The control API takes no requests of pages in browsers.' },
    ])
    expect(await rawCall('/v1/server', { headers: { Host: 'turned.example:4001' } })).toMatchObject({
      code: 'restricted_resource',
    })
    expect(await rawCall('/v1/server', { headers: { Host: '[::1]:4001' } })).toMatchObject({ object: 'test_server' })
  })
})

/** With headers and a path that `fetch` would put right. */
function rawCall(path: string, options: { method?: string; headers?: Record<string, string> }): Promise<unknown> {
  const { hostname, port } = new URL(control.url)
  return new Promise((done, fail) => {
    httpRequest({ hostname, port, path, ...options }, async (response) => {
      const chunks = await response.toArray()
      done(JSON.parse(Buffer.concat(chunks).toString()))
    })
      .on('error', fail)
      .end()
  })
}
