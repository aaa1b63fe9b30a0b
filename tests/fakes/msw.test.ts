import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ApiError, createWorkspaceClient } from '../../client/src/index.ts'
import { contractFakes, type OperationId } from '../../fakes/msw.ts'
import { exampleResponses, exampleBodies } from '../../generated/example_responses.js'
import { operations } from '../../generated/operations.ts'
import { validatorOf } from '../harness/contract.ts'
import { exampleCall, targetOf } from '../harness/every_operation.ts'

/** Fakes for Mock Service Worker: the examples of the contract, without a process. */

const baseUrl = 'https://workspace.invalid'
const { handlers, respond } = contractFakes({ baseUrl })
const worker = setupServer(...handlers)
beforeAll(() => worker.listen({ onUnhandledFrame: 'error' }))
afterEach(() => worker.resetHandlers())
afterAll(() => worker.close())

const client = createWorkspaceClient({ baseUrl, token: 'itk_of_nobody', retries: 0 })
const path = { page_id: '5c2a9e10-7b42-4d68-8f1e-25a0c9d7e6b3' }

async function request(id: OperationId, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  const operation = operations[id]
  const { path: parameters } = exampleCall(operation)
  return fetch(baseUrl + targetOf(operation, parameters), { method: operation.method.toUpperCase(), headers })
}

describe('contract fakes', () => {
  it.each(Object.values(operations).map(({ id }) => id))('respond to %s with its first example', async (id) => {
    const [[status, , example] = []] = exampleResponses[id]
    const response = await request(id)
    expect(response.status).toBe(status)
    const expected = exampleBodies[example ?? '']
    if (typeof expected === 'string') return expect(await response.text()).toBe(expected)
    const body: unknown = await response.json()
    const { request_id: requestId } = body as { readonly request_id?: string }
    expect(body).toEqual({ ...(expected as object), ...(requestId !== undefined && { request_id: requestId }) })
    expect(requestId ?? response.headers.get('X-Service-Request-Id')).toBe(response.headers.get('X-Service-Request-Id'))
  })

  it('respond as a Prefer header requests, and ignore preferences that the operation does not support', async () => {
    expect((await request('retrievePage', { Prefer: 'code=404' })).status).toBe(404)
    expect(await (await request('retrievePage', { Prefer: 'example=in_trash' })).json()).toMatchObject({ in_trash: true })
    expect((await request('retrievePage', { Prefer: 'example=in_spring' })).status).toBe(200)
  })

  it('match the contract when the client calls them', async () => {
    const page = await client.pages.retrieve(path)
    expect(validatorOf({ $ref: '#/components/schemas/PageObject' })(page)).toBe(true)
    const { results } = await client.users.list()
    expect(results.length).toBeGreaterThan(0)
  })
})

describe('fake streams', () => {
  const body = { agent_id: '95814675-5260-4ba9-9362-3b53b93e295f', message: 'Which keel bolts does Heron need?' }

  it('contain the snapshot, the events of one session in order, and the end, when Accept requests a stream', async () => {
    const frames = await Array.fromAsync(client.sessions.stream(body))
    expect(frames.map(({ type }) => type)).toEqual([
      'session.snapshot',
      ...Array<string>(2).fill('event.committed'),
      'event.provisional',
      ...Array<string>(2).fill('event.committed'),
      'event.provisional',
      ...Array<string>(2).fill('event.committed'),
      'stream.end',
    ])
    for (const frame of frames) expect(validatorOf({ $ref: '#/components/schemas/SessionStreamFrame' })(frame)).toBe(true)
  })

  it('contain one frame for an example that is a frame', async () => {
    worker.use(respond('createSession', { example: 'failed' }))
    const response = await fetch(`${baseUrl}/v1/sessions`, { method: 'POST', headers: { Accept: 'text/event-stream' } })
    expect(response.headers.get('Content-Type')).toBe('text/event-stream')
    expect(await response.text()).toMatch(/^event: event\.committed\ndata: {"type":"event\.committed".*"status":"failed".*}\n\n$/)
  })

  it('are sent only by operations with a stream, and not when the caller requests JSON', async () => {
    expect((await request('retrievePage', { Accept: 'text/event-stream' })).headers.get('Content-Type')).toMatch(
      /^application\/json/,
    )
    expect((await request('createSession', { Accept: 'application/json' })).headers.get('Content-Type')).toMatch(
      /^application\/json/,
    )
  })
})

describe('an override for one operation', () => {
  it('returns an example with the given members replaced', async () => {
    worker.use(respond('retrievePage', { example: 'in_trash', body: { is_locked: true } }))
    expect(await client.pages.retrieve(path)).toMatchObject({ in_trash: true, is_locked: true })
  })

  it('returns an error with a code of the contract, only once if `once` is true', async () => {
    worker.use(respond('retrievePage', { error: 'object_not_found', once: true }))
    await expect(client.pages.retrieve(path)).rejects.toThrow(ApiError)
    expect(await client.pages.retrieve(path)).toMatchObject({ object: 'page' })
    worker.use(respond('retrievePage', { error: 'rate_limited' }))
    await expect(client.pages.retrieve(path)).rejects.toMatchObject({ status: 429, code: 'rate_limited' })
  })

  it('names the existing examples if it is given an unknown one', () => {
    expect(() => respond('createToken', { error: 'row_limit_exceeded' })).toThrow(
      /^createToken has no error row_limit_exceeded; it has /,
    )
    // @ts-expect-error there is no such example
    expect(() => respond('retrievePage', { example: 'in_spring' })).toThrow(/it has every_property, /)
  })

  it('has the headers of a brand and the requested version', async () => {
    const branded = contractFakes({ baseUrl: `${baseUrl}/v1/`, headerBrand: 'Acme' })
    worker.use(branded.respond('retrieveMe'))
    const { headers } = await request('retrieveMe', { 'Acme-Version': '2022-06-28' })
    expect(headers.get('Acme-Version')).toBe('2022-06-28')
    expect(headers.get('X-Acme-Request-Id')).toMatch(/^[0-9a-f-]{36}$/)
  })
})
