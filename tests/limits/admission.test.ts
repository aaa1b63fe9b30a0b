import { request as httpRequest, type ClientRequest } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { newestRelease } from '../../generated/operations.ts'
import { makePage, paragraph } from '../harness/content.ts'
import { makeDatabase } from '../harness/databases.ts'
import { expectError } from '../harness/expectations.ts'
import { until } from '../harness/process.ts'
import { startTestServer, TOKEN } from '../harness/server.ts'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { holdWrites } from '../process/support/lock.ts'

describe('an overloaded service', () => {
  const ends: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })

  it('529 with Retry-After, before any other check, until a slot is free', async () => {
    const database = await makeDatabase('none')
    ends.push(() => database.drop())
    const server = await startTestServer({ DATABASE_URL: database.url, REQUESTS_IN_FLIGHT_MAX: '3', OVERLOAD_RETRY_SECONDS: '7' })
    ends.push(() => server.stop())
    const lock = await holdWrites(database.url)
    ends.push(() => lock.release().catch(() => undefined))

    const append = () =>
      server.owner.call('appendBlockChildren', {
        path: { block_id: exampleWorkspace.pages.checklist },
        body: { children: [paragraph('one of three')] },
      })
    const busy = [append(), append(), append()]
    await until(async () => ((await figures(server.url)).includes('workspace_requests_in_flight 3') ? true : undefined))

    for (const token of [TOKEN, 'itk_nobody_knows_this_token', undefined]) {
      const refused = await server.caller(token).call('retrieveMe')
      expectError(refused, 529, 'service_overload')
      expect(refused.headers['retry-after']).toBe('7')
      expect(refused.headers['ratelimit']).toBeUndefined()
    }
    expect((await server.owner.send('GET', '/v1/nothing')).status).toBe(529)
    expect((await server.owner.send('OPTIONS', '/v1/users/me')).status).toBe(204)
    expect((await server.owner.page('/healthz')).status).toBe(200)
    expect((await server.owner.page('/docs/')).status).not.toBe(529)

    await lock.release()
    for (const response of await Promise.all(busy)) expect(response.status).toBe(200)
    expect((await server.owner.call('retrieveMe')).status).toBe(200)
    expect(await figures(server.url)).toContain('workspace_requests_in_flight 0')
    expect(await figures(server.url)).toContain('workspace_requests_total{operation="unknown",status="529"} 4')
  })

  it('529 for a request whose body arrives while all slots are taken', async () => {
    const database = await makeDatabase('none')
    ends.push(() => database.drop())
    const server = await startTestServer({ DATABASE_URL: database.url, REQUESTS_IN_FLIGHT_MAX: '1' })
    ends.push(() => server.stop())
    const late = startAppend(server.url)
    const status = new Promise((resolve) => late.on('response', (response) => resolve(response.resume().statusCode)))
    late.write('{"children":')
    await until(async () => ((await figures(server.url)).includes('workspace_unfinished_bodies 1') ? true : undefined))
    const lock = await holdWrites(database.url)
    ends.push(() => lock.release().catch(() => undefined))
    const busy = makePage(server.owner)
    await until(async () => ((await server.owner.call('retrieveMe')).status === 529 ? true : undefined))
    late.end('7}')
    expect(await status).toBe(529)
    await lock.release()
    await busy
    expect((await server.owner.call('retrieveMe')).status).toBe(200)
  })

  it('frees the slot of a disconnected caller, even if its request still runs', async () => {
    const database = await makeDatabase('none')
    ends.push(() => database.drop())
    const server = await startTestServer({ DATABASE_URL: database.url, REQUESTS_IN_FLIGHT_MAX: '1' })
    ends.push(() => server.stop())
    const lock = await holdWrites(database.url)
    ends.push(() => lock.release().catch(() => undefined))
    const request = startAppend(server.url)
    request.end(JSON.stringify({ children: [paragraph('for nobody')] }))
    await until(async () => ((await server.owner.call('retrieveMe')).status === 529 ? true : undefined))
    request.destroy()
    await until(async () => ((await figures(server.url)).includes('workspace_requests_in_flight 0') ? true : undefined))
    expect((await server.owner.call('retrieveMe')).status).toBe(200)
    await lock.release()
  })

  it('frees the slots of callers that disconnect before their body arrives', async () => {
    const server = await startTestServer({ REQUESTS_IN_FLIGHT_MAX: '1' })
    ends.push(() => server.stop())
    for (let count = 0; count < 3; count += 1) {
      const request = startAppend(server.url)
      request.write('{"children": [')
      await until(async () => ((await figures(server.url)).includes('workspace_requests_in_flight 1') ? true : undefined))
      request.destroy()
      await until(async () => ((await figures(server.url)).includes('workspace_requests_in_flight 0') ? true : undefined))
    }
    expect((await server.owner.call('retrieveMe')).status).toBe(200)
    expect(await figures(server.url)).toContain('workspace_requests_total{operation="appendBlockChildren",status="aborted"} 3')
  })
})

/** A request whose body the test sends. */
function startAppend(url: string): ClientRequest {
  const request = httpRequest(`${url}/v1/blocks/${exampleWorkspace.pages.checklist}/children`, {
    method: 'PATCH',
    headers: { Authorization: `Bearer ${TOKEN}`, 'Service-Version': newestRelease, 'Content-Type': 'application/json' },
  })
  return request.on('error', () => undefined)
}

async function figures(url: string): Promise<string> {
  return (await fetch(`${url}/metrics`)).text()
}
