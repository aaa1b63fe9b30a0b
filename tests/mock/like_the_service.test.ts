/** The mock refuses invalid requests like the service: with the same status, code and message for every operation. */

import { afterAll, beforeAll, expect, it } from 'vitest'
import { newestRelease, operations } from '../../generated/operations.ts'
import type { TestResponse } from '../harness/responses.ts'
import { Caller, type HeaderMap } from '../harness/caller.ts'
import {
  allOperations,
  exampleCall,
  exampleForm,
  idParameters,
  takesForm,
  takesJson,
  takesKey,
  targetOf,
  versionOf,
  type KnownOperation,
} from '../harness/every_operation.ts'
import { startMock, type Mock } from '../harness/mock.ts'
import { basic, makeClient } from '../harness/oauth.ts'
import { startTestServer, TOKEN, type TestServer } from '../harness/server.ts'

let server: TestServer
let mock: Mock
let clientHeader: string
beforeAll(async () => {
  ;[server, mock] = await Promise.all([startTestServer({ HEADER_BRAND: 'Acme' }), startMock({ HEADER_BRAND: 'Acme' })])
  const { clientId, clientSecret } = await makeClient(server)
  clientHeader = basic(clientId, clientSecret)
})
afterAll(() => Promise.all([server.stop(), mock.stop()]))

interface BadRequest {
  readonly method?: string
  readonly target?: string
  readonly headers?: HeaderMap
  readonly body?: string
}

const json = { 'Content-Type': 'application/json' }
const called = allOperations.filter(({ credentials }) => credentials !== 'none')
const withBody = called.filter(takesJson)

/** Mistakes in a request of an operation; undefined if one does not apply. */
const mistakes: Record<string, (operation: KnownOperation) => BadRequest | undefined> = {
  'no token': () => ({ headers: { Authorization: undefined } }),
  'a malformed token': () => ({ headers: { Authorization: 'Token x' } }),
  'no version': () => ({ headers: { 'Service-Version': undefined } }),
  'an unknown version': () => ({ headers: { 'Service-Version': '2020-01-01' } }),
  'an unknown beta': () => ({ headers: { 'Service-Beta': 'no-such-2026-01-01' } }),
  'an unavailable media type': () => ({ headers: { Accept: 'image/png' } }),
  'an unknown method': () => ({ method: 'PUT' }),
  'an unknown path': (operation) => ({ target: `${targetOf(operation)}/no/such/path` }),
  'a path with an empty segment': (operation) => ({ target: `/${targetOf(operation)}` }),
  'an unknown parameter': (operation) => ({ target: `${targetOf(operation)}?no_such=1` }),
  'a malformed id': (operation) => {
    const ids = Object.fromEntries(idParameters(operation).map((name) => [name, 'no-id']))
    return Object.keys(ids).length === 0 ? undefined : { target: targetOf(operation, { ...exampleCall(operation).path, ...ids }) }
  },
  'a page size of 0': (operation) => {
    if (operation.pagination?.in === 'query') return { target: `${targetOf(operation)}?page_size=0` }
    return operation.pagination?.in === 'body' ? { headers: json, body: '{"page_size":0}' } : undefined
  },
  'a body that is not JSON': (operation) => (withBody.includes(operation) ? { headers: json, body: '{"a":' } : undefined),
  'a body that is a list': (operation) => (withBody.includes(operation) ? { headers: json, body: '[]' } : undefined),
  'a body with an unknown key': (operation) =>
    withBody.includes(operation) ? { headers: json, body: '{"no_such":{"key":[1]}}' } : undefined,
  'a body of another type': (operation) =>
    withBody.includes(operation) ? { headers: { 'Content-Type': 'text/plain' }, body: '{}' } : undefined,
  'a malformed idempotency key': (operation) =>
    takesKey(operation)
      ? {
          headers: { 'Idempotency-Key': 'no key', ...(takesForm(operation) ? { 'Content-Type': exampleForm.type } : json) },
          body: takesForm(operation) ? exampleForm.text : '{"no_such":1}',
        }
      : undefined,
}

function send(url: string, operation: KnownOperation, { method, target, headers, body }: BadRequest): Promise<TestResponse> {
  const credentials = operation.credentials === 'client' ? clientHeader : `Bearer ${TOKEN}`
  return new Caller(url, undefined).send(method ?? operation.method.toUpperCase(), target ?? targetOf(operation), {
    headers: { Authorization: credentials, 'Service-Version': versionOf(operation), ...headers },
    ...(body === undefined ? {} : { body }),
  })
}

it.each(Object.entries(mistakes))('every operation of the mock refuses %s like the service', async (_name, mistake) => {
  const [ofMock, ofServer]: [string[], string[]] = [[], []]
  for (const operation of called) {
    const request = mistake(operation)
    if (request === undefined) continue
    const expected = await send(server.url, operation, request)
    // The mock cannot know errors that depend on data.
    if (expected.status < 400 || expected.status === 404) continue
    const comparable = ({ status, body }: TestResponse): string =>
      `${operation.id} ${status} ${String(body['code'])} ${String(body['message'])}`
    ofServer.push(comparable(expected))
    ofMock.push(comparable(await send(mock.url, operation, request)))
  }
  expect(ofServer.length).toBeGreaterThan(0)
  expect(ofMock).toEqual(ofServer)
})

it('the mock accepts headers of a brand, and returns them beside those with the word Service', async () => {
  const headers = { Authorization: 'Bearer any', 'Acme-Version': newestRelease }
  const { status, headers: responseHeaders } = await new Caller(mock.url, undefined, undefined).send('GET', '/v1/users', {
    headers,
  })
  expect([status, responseHeaders['acme-version'], responseHeaders['service-version']]).toEqual([
    200,
    newestRelease,
    newestRelease,
  ])
  expect(responseHeaders['x-acme-request-id']).toBe(responseHeaders['x-service-request-id'])
})

it('the mock returns the examples of a list page by page', async () => {
  const caller = new Caller(mock.url, 'any')
  const whole = await caller.call('listUsers')
  const [items, ids]: [unknown, unknown[]] = [whole.body['results'], []]
  let cursor: unknown
  do {
    const query = { page_size: 1, ...(typeof cursor === 'string' ? { start_cursor: cursor } : {}) }
    const { body } = await caller.call('listUsers', { query })
    ids.push(...(Array.isArray(body['results']) ? body['results'] : []))
    cursor = body['next_cursor']
    expect(body['has_more']).toBe(cursor !== null)
  } while (typeof cursor === 'string')
  expect(ids).toEqual(items)
  expect(ids.length).toBeGreaterThan(1)
  const foreign = await caller.call('listUsers', { query: { start_cursor: 'AAAA' } })
  expect([foreign.status, foreign.body['message']]).toEqual([400, expect.stringContaining('query.start_cursor')])
})

it('the mock returns the shapes of an older version to requests with that version', async () => {
  const call = { path: { database_id: '670c5891-45d2-4c06-a206-02e0fc80fa6f' } }
  const newest = await new Caller(mock.url, 'any').call('retrieveDatabase', call)
  const older = await new Caller(mock.url, 'any', '2022-06-28').call('retrieveDatabase', call)
  expect(Object.keys(newest.body)).toContain('data_sources')
  expect(Object.keys(older.body)).toContain('properties')
  expect(Object.keys(older.body)).not.toContain('data_sources')
  expect(older.headers['service-version']).toBe('2022-06-28')
})

const prefers = (prefer: string): Promise<TestResponse> =>
  new Caller(mock.url, 'any').call('retrieveUser', { ...exampleCall(operations.retrieveUser), headers: { Prefer: prefer } })

it.each([
  ['code=418', /code should be `200`.* or `529`, instead was `"418"`/],
  ['code=404, example=no_such', /example should be `object_not_found`/],
  ['dynamic=perhaps', /dynamic should be `true` or `false`/],
  ['dynamic=true, seed=-1', /seed should be a whole number/],
  ['speed=1', /preference should be `code`/],
  ['delay=soon', /delay should be milliseconds/],
  ['fault=odd', /fault should be `disconnect` or `truncate`/],
])('the mock returns 400 for `Prefer: %s`, and names the valid values', async (prefer, message) => {
  const { status, body } = await prefers(prefer)
  expect([status, body['code'], body['message']]).toEqual([400, 'validation_error', expect.stringMatching(message)])
})

it('the mock breaks the connection before or within the response for `Prefer: fault=`', async () => {
  await expect(prefers('fault=disconnect')).rejects.toThrow('socket hang up')
  await expect(prefers('fault=truncate')).rejects.toThrow('aborted')
})

it('the mock delays the response for `Prefer: delay=`', async () => {
  const started = performance.now()
  expect((await prefers('delay=200')).status).toBe(200)
  expect(performance.now() - started).toBeGreaterThanOrEqual(199)
})
