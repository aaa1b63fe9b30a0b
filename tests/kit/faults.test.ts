import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { newestRelease } from '../../generated/operations.ts'
import { createWorkspaceClient } from '../../client/src/index.ts'
import { errorCodes, oauthErrorCodes } from '../../generated/error_codes.ts'
import { createTestServer, type FaultRule } from '../../testkit/src/index.ts'
import { allOperations, exampleCall, targetOf } from '../harness/every_operation.ts'
import { responseOf, call, makePage } from './support/responses.ts'

const server = await createTestServer()
afterAll(() => server.close())
afterEach(() => server.faults.clear())
const { workspace, faults } = server
const me = (headers: Readonly<Record<string, string>> = {}): ReturnType<typeof call> => call(workspace, 'retrieveMe', { headers })
const statuses = async (count: number): Promise<number[]> => {
  const found: number[] = []
  for (let index = 0; index < count; index += 1) found.push((await me()).status)
  return found
}

describe('an error injected by a fault rule', () => {
  it.each(allOperations.map((operation, index) => ({ operation, index })))(
    'conforms to the contract for $operation.id',
    async ({ operation, index }) => {
      const codes = Object.keys({ ...errorCodes, ...oauthErrorCodes })
      const allowed = codes.filter((code) => mayBeAdded({ operation: operation.id, code } as FaultRule))
      expect(allowed.length).toBeGreaterThan(2)
      // Each operation gets some codes, and each code several operations.
      for (const code of [0, 7, 14].map((step) => allowed[(index + step) % allowed.length])) {
        const fault = faults.add({ operation: operation.id, code, next: 1 } as FaultRule)
        const { headers = {}, path } = exampleCall(operation)
        const response = await workspace.fetch(targetOf(operation, path), {
          method: operation.method.toUpperCase(),
          headers: { accept: operation.successTypes.join(', '), ...(headers as Record<string, string>) },
        })
        const received = await responseOf(operation.id, response)
        expect(received.status).toBeGreaterThanOrEqual(400)
        if (operation.credentials === 'client') expect(received.body['error']).toBe(code)
        else if (operation.credentials !== 'none') expect(received.body['code']).toBe(code)
        expect(fault.acted).toBe(1)
      }
    },
  )

  it('has the given Retry-After and message', async () => {
    faults.rateLimited({ retryAfter: 7, next: 1 })
    const limited = await me()
    expect([limited.status, limited.headers['retry-after'], limited.body['code']]).toEqual([429, '7', 'rate_limited'])
    faults.add({ code: 'restricted_resource', message: 'Not at low tide.', next: 1 })
    expect((await me()).body).toMatchObject({ code: 'restricted_resource', message: 'Not at low tide.' })
  })

  it('is limited to errors that the contract has for the operation', () => {
    // @ts-expect-error the token endpoint has errors of its own
    expect(() => faults.add({ operation: 'createToken', code: 'object_not_found' })).toThrow(
      'code should be an error that createToken can return, instead was "object_not_found".',
    )
    // @ts-expect-error there is no such operation
    expect(() => faults.add({ operation: 'createBoat', code: 'rate_limited' })).toThrow(
      'operation should be an operation of the contract, instead was "createBoat".',
    )
    // @ts-expect-error there is no such error
    expect(() => faults.add({ code: 'out_of_luck' })).toThrow(
      'code should be an error of the contract, instead was "out_of_luck".',
    )
    expect(() => faults.add({ code: 'object_not_found', retryAfter: 1 })).toThrow(
      'retryAfter should be omitted: responses with this error',
    )
    expect(() => faults.add({ code: 'rate_limited', every: 0 })).toThrow('every should be a whole number from 1, instead was 0.')
    expect(() => faults.add({ operation: 'createPage', every: 2 })).toThrow('code should be defined, or one of delay')
  })
})

describe('a fault rule', () => {
  it('acts on the next requests, on every n-th request, or after a number of requests', async () => {
    faults.add({ code: 'service_unavailable', next: 2 })
    expect(await statuses(4)).toEqual([503, 503, 200, 200])
    faults.clear()
    faults.add({ code: 'service_unavailable', every: 3 })
    expect(await statuses(6)).toEqual([200, 200, 503, 200, 200, 503])
    faults.clear()
    faults.add({ code: 'service_unavailable', after: 2, next: 1 })
    expect(await statuses(4)).toEqual([200, 200, 503, 200])
  })

  it('acts on one operation, connection or header', async () => {
    const other = await server.createWorkspace()
    faults.add({ operation: ['search', 'listUsers'], code: 'service_overload' })
    expect([(await me()).status, (await call(workspace, 'listUsers')).status]).toEqual([200, 529])
    faults.clear()
    faults.add({ token: other.token, code: 'rate_limited' })
    expect([(await me()).status, (await call(other, 'retrieveMe')).status]).toEqual([200, 429])
    faults.clear()
    faults.add({ headers: { 'X-Trial': /^bad/ }, code: 'internal_server_error' })
    expect([(await me()).status, (await me({ 'X-Trial': 'bad luck' })).status]).toEqual([200, 500])
  })

  it('ends when it is removed', async () => {
    const fault = faults.add({ code: 'service_unavailable' })
    expect(await statuses(1)).toEqual([503])
    fault.remove()
    expect([await statuses(1), fault.acted]).toEqual([[200], 1])
  })

  it('delays one request while others continue', async () => {
    faults.add({ operation: 'listUsers', delay: 86_400_000 })
    const aborting = new AbortController()
    const waiting = workspace.fetch('/v1/users', { signal: aborting.signal })
    expect((await me()).status).toBe(200)
    aborting.abort(new Error('gave up'))
    await expect(waiting).rejects.toThrow('gave up')
    faults.clear()
    faults.add({ delay: 1, jitter: 1 })
    expect((await call(workspace, 'listUsers')).status).toBe(200)
  })
})

describe.each(['in memory', 'through the port'] as const)('a connection %s, cut by a fault rule,', (position) => {
  const send = position === 'in memory' ? server.fetch : fetch
  const client = createWorkspaceClient({
    baseUrl: server.url,
    token: server.token,
    fetch: (request) => send(request),
    retries: 0,
  })
  let page: string
  beforeAll(async () => {
    page = await makePage(workspace, 'A line that is long enough to be cut somewhere')
  })
  const text = (): Promise<string> => client.pages.markdown.retrieve({ page_id: page }).then(({ markdown }) => markdown)
  const append = (markdown: string): Promise<unknown> =>
    client.pages.markdown.update({
      page_id: page,
      type: 'insert_content',
      insert_content: { content: markdown },
    })

  it('ends before the operation runs', async () => {
    const before = await text()
    faults.add({ operation: 'updatePageMarkdown', drop: 'before', next: 1 })
    await expect(append('Lost')).rejects.toThrow()
    expect(await text()).toBe(before)
  })

  it('ends after the operation has run', async () => {
    faults.add({ operation: 'updatePageMarkdown', drop: 'after', next: 1 })
    await expect(append('Kept')).rejects.toThrow()
    expect(await text()).toContain('Kept')
  })

  it('ends within the response', async () => {
    faults.add({ operation: 'retrievePage', cut: 20 })
    const headers = { Authorization: `Bearer ${server.token}`, 'Service-Version': newestRelease }
    const response = await send(`${server.url}/v1/pages/${page}`, { headers })
    expect([response.status, Number(response.headers.get('Content-Length'))]).toEqual([200, expect.any(Number)])
    let received = ''
    const reading = (async () => {
      for await (const chunk of response.body ?? []) received += Buffer.from(chunk).toString()
    })()
    await expect(reading).rejects.toThrow()
    expect(received).toBe('{"object":"page","id"'.slice(0, 20))
    await expect(client.pages.retrieve({ page_id: page })).rejects.toThrow()
  })
})

describe('a stream of the test kit', () => {
  it('arrives in memory frame by frame, and can be cut short by a fault rule', async () => {
    const request = (): Promise<Response> =>
      workspace.fetch('/v1/sessions', {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'text/event-stream',
          Authorization: `Bearer ${workspace.owner.token}`,
        },
        body: JSON.stringify({ agent_id: 'service_ai', message: 'When is low water?' }),
      })
    const whole = await request()
    expect([whole.status, whole.headers.get('Content-Type')], whole.ok ? '' : await whole.clone().text()).toEqual([
      200,
      'text/event-stream',
    ])
    expect((await whole.text()).trim()).toMatch(/event: stream\.end\n.+$/)

    faults.add({ operation: 'createSession', cut: 30 })
    const cut = await request()
    expect(cut.status).toBe(200)
    await expect(cut.text()).rejects.toThrow()
  })
})

describe('a Prefer header', () => {
  it('injects a fault into its own request if the server allows it', async () => {
    await using heeding = await createTestServer({ port: 'none', prefer: true })
    const prefer = (header: string): ReturnType<typeof call> =>
      call(heeding.workspace, 'retrieveMe', { headers: { Prefer: header } })
    expect((await prefer('code=429')).body['code']).toBe('rate_limited')
    expect((await prefer('code=restricted_resource, delay=1')).status).toBe(403)
    await expect(prefer('fault=disconnect')).rejects.toThrow()
    await expect(prefer('fault=truncate')).rejects.toThrow()
    const wrong = await prefer('code=200')
    expect([wrong.status, wrong.body['message']]).toEqual([
      400,
      'Prefer header failed validation: code should be an error, or the status of an error, that retrieveMe can return, instead was `"200"`.',
    ])
    expect((await prefer('weather=fine')).body['message']).toContain('instead was `"weather=fine"`')
    expect((await call(heeding.workspace, 'retrieveMe')).status).toBe(200)
    expect(heeding.journal.entries[0]).toMatchObject({ faults: [{ code: 'rate_limited' }], refusal: { check: 'fault' } })
  })

  it('has no effect on other requests', async () => {
    expect((await me({ Prefer: 'code=429' })).status).toBe(200)
  })
})

describe('fault presets', () => {
  it('fail requests with 529 (overloaded), or some of them (flaky)', async () => {
    faults.overloaded({ next: 1 })
    expect(await statuses(2)).toEqual([529, 200])
    faults.clear()
    faults.flaky()
    const seen: (number | 'broken')[] = []
    for (let index = 0; index < 9; index += 1)
      seen.push(
        await me().then(
          ({ status }) => status,
          () => 'broken' as const,
        ),
      )
    expect(seen).toEqual([200, 200, 503, 200, 200, 503, 'broken', 200, 503])
  })

  it('delay requests (slow)', async () => {
    const fault = faults.slow({ operation: 'retrieveMe', delay: 1, jitter: 0 })
    expect([await statuses(1), fault.acted]).toEqual([[200], 1])
  })

  it('refuse older versions (versionSunset)', async () => {
    faults.versionSunset(newestRelease)
    const old = await me({ 'Service-Version': '2022-06-28' })
    expect([old.status, old.body['code'], old.body['message']]).toEqual([
      400,
      'missing_version',
      expect.stringContaining(`should be \`"${newestRelease}"\`, instead was \`"2022-06-28"\`.`),
    ])
    expect((await me({ 'Service-Version': newestRelease })).status).toBe(200)
  })

  it('are overcome by the retries of the published client', async () => {
    const client = createWorkspaceClient({ baseUrl: server.url, token: server.token, fetch: server.fetch })
    faults.rateLimited({ next: 1, retryAfter: 1 })
    faults.overloaded({ next: 1 })
    expect((await client.users.me.retrieve()).object).toBe('user')
  })
})

function mayBeAdded(rule: FaultRule): boolean {
  try {
    faults.add(rule).remove()
    return true
  } catch {
    return false
  }
}
