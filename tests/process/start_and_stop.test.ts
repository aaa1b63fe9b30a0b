import { Agent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newestRelease } from '../../generated/operations.ts'
import { Caller } from '../harness/caller.ts'
import { paragraph } from '../harness/content.ts'
import { engine, makeDatabase, on, type TestDatabase } from '../harness/databases.ts'
import { expectError } from '../harness/expectations.ts'
import { resultsOf } from '../harness/json.ts'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { freePort, runService, spawnService, until, type RunningProcess } from '../harness/process.ts'
import { TOKEN } from '../harness/server.ts'

let database: TestDatabase
beforeEach(async () => void (database = await makeDatabase()))
afterEach(() => database.drop())

const run = (settings: Record<string, string> = {}): Promise<RunningProcess> =>
  runService({ DATABASE_URL: database.url, ...settings })
const BODY = JSON.stringify({ children: [paragraph('written while the service stops')] })
const PATH = `/v1/blocks/${exampleWorkspace.pages.checklist}/children`

interface OpenRequest {
  readonly request: ClientRequest
  readonly response: Promise<{ status: number; headers: IncomingMessage['headers']; text: string }>
}

/** A request that keeps the service busy until its body is complete. */
async function openRequest(url: string, agent = new Agent({ keepAlive: true })): Promise<OpenRequest> {
  const request = httpRequest(`${url}${PATH}`, {
    method: 'PATCH',
    agent,
    headers: {
      Authorization: `Bearer ${TOKEN}`,
      'Service-Version': newestRelease,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(BODY),
    },
  })
  const received = new Promise<Awaited<OpenRequest['response']>>((resolve, reject) => {
    request.on('error', reject)
    request.on('response', (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
  })
  received.catch(() => undefined)
  request.write(BODY.slice(0, 10))
  await until(async () => {
    const figures = await fetch(`${url}/metrics`).then((response) => response.text())
    return figures.includes('workspace_requests_in_flight 1') ? true : undefined
  })
  return { request, response: received }
}

describe('a service that stops', () => {
  it('finishes requests in flight, responds with 503 to new ones, and exits with code 0', async () => {
    const service = await run()
    const open = await openRequest(service.url)
    service.kill('SIGTERM')
    await until(() => service.log().find(({ msg }) => msg === 'stopping'), service)
    const refused = await service.owner.call('retrieveMe')
    expectError(refused, 503, 'service_unavailable', 'stopping')
    expect(refused.headers.connection).toBe('close')
    expect((await fetch(`${service.url}/readyz`)).status).toBe(503)

    open.request.end(BODY.slice(10))
    const response = await open.response
    expect(response.status).toBe(200)
    expect(response.headers.connection).toBe('close')
    expect(await service.ended).toEqual({ code: 0, signal: null })
    expect(service.log().at(-1)).toMatchObject({ msg: 'stopped' })

    const again = await run()
    const children = await again.owner.call('listBlockChildren', { path: { block_id: exampleWorkspace.pages.checklist } })
    expect(JSON.stringify(resultsOf(children.body))).toContain('written while the service stops')
  })

  it('does not wait for idle connections', async () => {
    const service = await run()
    const agent = new Agent({ keepAlive: true })
    await new Promise<void>((resolve, reject) => {
      httpRequest(`${service.url}/healthz`, { agent }, (response) => response.resume().on('end', resolve))
        .on('error', reject)
        .end()
    })
    service.kill('SIGINT')
    expect(await service.ended).toEqual({ code: 0, signal: null })
    expect(service.log().filter(({ msg }) => String(msg).includes('took longer than STOP_SECONDS_MAX'))).toEqual([])
    agent.destroy()
  })

  it('aborts requests that take longer than STOP_SECONDS_MAX', async () => {
    const service = await run({ STOP_SECONDS_MAX: '1' })
    const open = await openRequest(service.url)
    const startedAt = performance.now()
    service.kill('SIGTERM')
    await expect(open.response).rejects.toThrow()
    expect(await service.ended).toEqual({ code: 0, signal: null })
    expect(performance.now() - startedAt).toBeGreaterThan(900)
    expect(
      service.log().some(({ msg, requests }) => String(msg).includes('took longer than STOP_SECONDS_MAX') && requests === 1),
    ).toBe(true)
  })

  it('stops immediately on a second signal', async () => {
    const service = await run()
    await openRequest(service.url)
    service.kill('SIGINT')
    await until(() => service.log().find(({ msg }) => msg === 'stopping'), service)
    service.kill('SIGINT')
    expect(await service.ended).toEqual({ code: 130, signal: null })
  })
})

/** Holds the lock that migrations take. Runs only on an engine that does not block the process, so that others are served meanwhile. */
on('postgresql', describe)('a service that starts', () => {
  it('responds with 503 until ready', async () => {
    const holder = new pg.Client({ connectionString: database.url })
    await holder.connect()
    await holder.query('select pg_advisory_lock(7402611)')
    const url = `http://127.0.0.1:${await freePort()}`
    const service = spawnService({ DATABASE_URL: database.url, PORT: new URL(url).port })
    const caller = new Caller(url, TOKEN)
    const early = await until(() => caller.call('retrieveMe').catch(() => undefined), service)
    expectError(early, 503, 'service_unavailable', 'starting')
    expect((await caller.send('GET', '/v1/nothing')).body['code']).toBe('service_unavailable')
    expect((await caller.send('OPTIONS', '/v1/users/me')).status).toBe(204)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    expect((await fetch(`${url}/readyz`)).status).toBe(503)
    await holder.query('select pg_advisory_unlock(7402611)')
    await holder.end()
    await until(() => caller.call('retrieveMe').then(({ status }) => (status === 200 ? true : undefined)), service)
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
  })
})

describe('a start with a missing database', () => {
  it('ends with code 1 and a message', async () => {
    const [url, reason] =
      engine === 'sqlite'
        ? ['sqlite:/etc/hostname/workspace.db', /The database file \/etc\/hostname\/workspace\.db cannot be opened: .*\n$/]
        : [`postgres://nobody:hunter2@127.0.0.1:${await freePort()}/nothing`, /does not respond\..*\n.*ECONNREFUSED.*\n$/]
    const service = spawnService({ DATABASE_URL: url })
    expect(await service.ended).toEqual({ code: 1, signal: null })
    expect(service.errors()).toMatch(/^The service did not start\.\n/)
    expect(service.errors()).toMatch(reason)
    expect(service.errors()).not.toMatch(/hunter2|\n +at /)
  })
})
