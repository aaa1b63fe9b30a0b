import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { afterAll, describe, expect, it } from 'vitest'
import type { ContractRefusal } from '../../server/http/contract_server.ts'
import { createTestServer } from '../../testkit/src/index.ts'
import { startControl } from '../../testkit/src/control/start_control.ts'
import { callControl, type ControlResponse } from './support/control.ts'

const server = await createTestServer({ port: 'none' })
const refusals: ContractRefusal[] = []
const control = await startControl(
  server,
  { host: '127.0.0.1', port: 0 },
  (error) => {
    throw error
  },
  (refusal) => refusals.push(refusal),
)
const call = (
  ...[id, parts]: [Parameters<typeof callControl>[1], Parameters<typeof callControl>[2]?]
): Promise<ControlResponse> => callControl(control.url, id, parts)
afterAll(async () => {
  await control.closeAtOnce()
  await server.close()
})

describe('the port of the control API', () => {
  it('serves the contract of the control API', async () => {
    const yaml = await (await fetch(`${control.url}/openapi.yaml`)).text()
    expect(yaml).toMatch(/^# The control API/)
    expect(await (await fetch(`${control.url}/openapi.json`)).json()).toMatchObject({ openapi: '3.1.1' })
  })

  it.each([
    ['GET', '/v1/sails', 'invalid_request_url', 'This path does not exist.'],
    ['PATCH', '/v1/faults', 'invalid_request_url', 'This path does not support the method PATCH.'],
    ['GET', '/v1/../faults', 'invalid_request_url', expect.any(String)],
  ])('refuses %s %s', async (method, path, code, message) => {
    expect(await rawCall(path, { method })).toMatchObject({ code, message })
  })

  it('refuses bodies that are not JSON', async () => {
    const body = await call('createFault', { body: '{', headers: { 'Content-Type': 'application/json' } })
    expect(body.body['code']).toBe('invalid_json')
    const form = await call('createFault', { body: 'code=rate_limited' })
    expect(form.body['code']).toBe('invalid_json')
  })

  it('refuses requests of browser pages', async () => {
    const fromPage = await call('resetServer', { headers: { Origin: 'https://app.example' } })
    expect([fromPage.status, fromPage.body]).toMatchObject([
      403,
      { code: 'restricted_resource', message: 'The control API does not accept requests from web pages.' },
    ])
    expect(await rawCall('/v1/server', { headers: { Host: 'turned.example:4001' } })).toMatchObject({
      code: 'restricted_resource',
    })
    expect(await rawCall('/v1/server', { headers: { Host: '[::1]:4001' } })).toMatchObject({ object: 'test_server' })
  })
})

it('the port of the control API reports each refusal once, without query and body', async () => {
  refusals.length = 0
  await rawCall('/v1/sails?token=hunter2Zq9xVb', {})
  await call('createSnapshot', {
    body: JSON.stringify({ name: 1, password: 'hunter2Zq9xVb' }),
    headers: { 'Content-Type': 'application/json' },
  })
  await call('retrieveServer')
  const { hostname, port } = new URL(control.url)
  const socket = connect(Number(port), hostname)
  socket.write('NONSENSE\r\n\r\n')
  expect(await readText(socket)).toMatch(/^HTTP\/1\.1 400 /)
  expect(refusals).toMatchObject([
    {
      method: 'GET',
      path: '/v1/sails',
      status: 400,
      code: 'invalid_request_url',
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    },
    { method: 'POST', path: '/v1/snapshots', status: 400, code: 'validation_error' },
    { method: '', path: '', status: 400, code: 'invalid_request' },
  ])
  expect(JSON.stringify(refusals)).not.toContain('hunter2Zq9xVb')
})

/** Sends headers and a path that `fetch` would correct. */
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
