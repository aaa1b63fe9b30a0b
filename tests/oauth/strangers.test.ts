import { request as httpRequest, type ClientRequest } from 'node:http'
import { expect, it } from 'vitest'
import { Browser } from '../harness/browser.ts'
import { until } from '../harness/process.ts'
import { serverOfFile } from '../harness/server.ts'

/** Requests of unauthenticated callers whose bodies are incomplete. */

const held: ClientRequest[] = []
const server = await serverOfFile({ REQUESTS_IN_FLIGHT_MAX: '8', OVERLOAD_RETRY_SECONDS: '7' })

/**
 * Sends a form that does not end.
 * @returns the request, which may get an early response
 */
function begin(path: string): ClientRequest {
  const request = httpRequest(server.url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  })
  request.on('error', () => undefined)
  request.on('response', (response) => response.resume())
  request.write('a=')
  held.push(request)
  return request
}

const inFlight = async (): Promise<number> =>
  Number(/workspace_requests_in_flight (\d+)/.exec(await (await fetch(`${server.url}/metrics`)).text())?.[1])

it('529 when requests without a token take a quarter of the slots, while callers with a token keep their slots', async () => {
  for (const path of ['/sign-in', '/v1/oauth/authorize']) begin(path)
  await until(async () => ((await inFlight()) === 2 ? true : undefined))
  for (const path of ['/sign-in', '/sign-in/link', '/consent', '/v1/oauth/authorize', '/v1/%6fauth/authorize']) {
    const status = await new Promise((resolve) => begin(path).on('response', (response) => resolve(response.statusCode)))
    expect([path, status]).toEqual([path, 529])
  }
  expect((await new Browser(server).open('/sign-in')).status).toBe(529)
  expect((await server.owner.call('retrieveMe')).status).toBe(200)
  for (const request of held) request.destroy()
  await until(async () => ((await inFlight()) === 0 ? true : undefined))
  expect((await new Browser(server).open('/sign-in')).status).toBe(200)
})

it('400 and 401 in the form of OAuth for every spelling of an OAuth path', async () => {
  for (const path of ['/v1/oauth/token', '/v1/oauth/%74oken', '/v1/%6Fauth/token/']) {
    const response = await server.caller(undefined, undefined).page(path, 'POST')
    expect([path, response.status, response.headers['pragma']]).toEqual([path, 401, 'no-cache'])
    expect(JSON.parse(response.text)).toMatchObject({ error: 'invalid_client', code: 'invalid_client' })
  }
  for (const path of ['/v1/oauth/authorize?client_id=x', '/v1/oauth/%61uthorize?client_id=x']) {
    const response = await server.caller(undefined, undefined).page(path)
    expect([path, response.status, response.headers['content-type']]).toEqual([path, 400, 'text/html; charset=utf-8'])
    expect(response.headers['content-security-policy']).toContain("frame-ancestors 'none'")
  }
})
