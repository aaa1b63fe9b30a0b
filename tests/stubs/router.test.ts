import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createRouter, OAuthError, ServiceError, type ContractRouter } from '../../server/router.ts'
import { contractProblems } from '../harness/responses.ts'
import { newestRelease, type OperationId } from '../../generated/operations.ts'

/** The HTTP behavior of `createRouter` in other backends; each response is checked against the contract. */

const VERSION = newestRelease
const UPLOAD = '9f3b1c52-6f0e-4a61-8b1d-0c5a7e9d2f11'

let server: Server
let url: string
let router: ContractRouter
const seen: { readonly handler: string; readonly call: object }[] = []
const faults: { readonly error: unknown; readonly requestId: string }[] = []

beforeAll(async () => {
  router = createRouter({
    authenticate: async ({ headers }, { credentials }) =>
      headers.authorization === (credentials === 'client' ? 'Basic YTpi' : 'Bearer good') ? { name: 'Ines' } : undefined,
    rateLimits: async ({ name }) => {
      if (name === '') throw new ServiceError('rate_limited', { message: 'Wait.' })
      return [{ name: 'connection', quota: { requests: 10, seconds: 60 }, remaining: 9, secondsLeft: 60 }]
    },
    onFault: (error, requestId) => faults.push({ error, requestId }),
    handlers: {
      createFileUpload: () => Promise.reject(new Error('the disk is gone')),
      listUsers: async ({ query, idempotencyKey, betas, caller }) => {
        seen.push({ handler: 'listUsers', call: { query, idempotencyKey, betas, caller } })
        return { object: 'list', type: 'user', user: {}, results: [], has_more: false, next_cursor: null }
      },
      deleteComment: async ({ path, idempotencyKey, betas }) => {
        seen.push({ handler: 'deleteComment', call: { path, idempotencyKey, betas } })
        return { object: 'comment', id: path.comment_id }
      },
      sendFileUpload: async ({ body }) => {
        seen.push({
          handler: 'sendFileUpload',
          call: { name: body.file.name, type: body.file.type, text: await body.file.text() },
        })
        throw new ServiceError('object_not_found', { message: 'This upload does not exist.' })
      },
      revokeToken: async ({ body }) => {
        seen.push({ handler: 'revokeToken', call: { body } })
        if (body.token === 'other') throw new OAuthError('invalid_grant', { message: 'Not yours.' })
        return {}
      },
    },
  })
  const app = express()
  app.use(router)
  app.use((_request, response) => void response.status(200).json({ page: true }))
  server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  seen.length = 0
  faults.length = 0
})

interface TestResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
}

/** Sends a request, without empty headers, and checks the response against the contract. */
async function request(
  operation: OperationId | undefined,
  method: string,
  target: string,
  { headers = {}, body }: { readonly headers?: Readonly<Record<string, string>>; readonly body?: string | FormData } = {},
): Promise<TestResponse> {
  const response = await fetch(`${url}${target}`, {
    method,
    headers: Object.entries({ Authorization: 'Bearer good', 'Service-Version': VERSION, ...headers }).filter(
      ([, value]) => value !== '',
    ),
    ...(body === undefined ? {} : { body }),
  })
  const raw = { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() }
  expect(contractProblems(operation, method, raw)).toEqual([])
  return { ...raw, body: JSON.parse(raw.text) as TestResponse['body'] }
}

const json = { 'Content-Type': 'application/json' }

describe('createRouter', () => {
  it('passes typed query values, beta flags and the caller to a handler', async () => {
    const { status, headers } = await request('listUsers', 'GET', '/v1/users?page_size=7', {
      headers: { 'Service-Beta': 'strict-ids-2026-06-15' },
    })
    expect(status).toBe(200)
    expect(seen).toEqual([
      {
        handler: 'listUsers',
        call: { query: { page_size: 7 }, idempotencyKey: undefined, betas: ['strict-ids-2026-06-15'], caller: { name: 'Ines' } },
      },
    ])
    expect(headers['service-version']).toBe(VERSION)
    expect(headers['ratelimit']).toBe('"connection";r=9;t=60')
  })

  it('passes the idempotency key of a request to a handler, without its quotes', async () => {
    await request('deleteComment', 'DELETE', `/v1/comments/${UPLOAD}`, { headers: { 'Idempotency-Key': '"once"' } })
    expect(seen[0]?.call).toMatchObject({ path: { comment_id: UPLOAD }, idempotencyKey: 'once' })
  })

  it('passes the file of a form to a handler', async () => {
    const body = new FormData()
    body.set('file', new File(['low water'], 'tide.txt', { type: 'text/plain' }))
    const { status } = await request('sendFileUpload', 'POST', `/v1/file_uploads/${UPLOAD}/send`, { body })
    expect(status).toBe(404)
    expect(seen[0]?.call).toEqual({ name: 'tide.txt', type: 'text/plain', text: 'low water' })
  })

  it('400 validation_error for a form without its file', async () => {
    const body = new FormData()
    body.set('part_number', '1')
    const response = await request('sendFileUpload', 'POST', `/v1/file_uploads/${UPLOAD}/send`, { body })
    expect(response.body).toMatchObject({ status: 400, code: 'validation_error' })
    expect(response.body['message']).toContain('body.file')
  })

  it.each([
    ['an unknown path', 'GET', '/v1/tides', {}, 'invalid_request_url'],
    ['an unsupported method', 'PUT', '/v1/users', {}, 'invalid_request_url'],
    ['an operation of older releases', 'GET', '/v1/databases', {}, 'invalid_request_url'],
    ['a request without a version', 'GET', '/v1/users', { 'Service-Version': '' }, 'missing_version'],
    ['an older release', 'GET', '/v1/users', { 'Service-Version': '2022-06-28' }, 'missing_version'],
    ['an unknown beta', 'GET', '/v1/users', { 'Service-Beta': 'tides-2026-01-01' }, 'invalid_beta'],
    ['an unknown parameter of the query', 'GET', '/v1/users?color=red', {}, 'validation_error'],
    ['a malformed id', 'DELETE', '/v1/comments/7', {}, 'validation_error'],
    ['an Accept header that excludes JSON', 'GET', '/v1/users', { Accept: 'text/csv' }, 'invalid_request'],
  ])('400 for %s', async (_title, method, target, headers, code) => {
    const response = await request(code === 'invalid_request_url' ? undefined : 'listUsers', method, target, { headers })
    expect(response.body).toMatchObject({ object: 'error', status: 400, code })
    expect(response.body['request_id']).toBe(response.headers['x-service-request-id'])
    expect(seen).toEqual([])
  })

  it('400 invalid_json for a truncated body', async () => {
    const response = await request('createFileUpload', 'POST', '/v1/file_uploads', { headers: json, body: '{"mode":' })
    expect(response.body).toMatchObject({ status: 400, code: 'invalid_json' })
  })

  it('500 internal_server_error without details, which the backend receives with the request id', async () => {
    const response = await request('createFileUpload', 'POST', '/v1/file_uploads', { headers: json, body: '{}' })
    expect(response.body).toMatchObject({ status: 500, code: 'internal_server_error' })
    expect(JSON.stringify(response.body)).not.toContain('disk')
    expect(faults).toMatchObject([{ error: { message: 'the disk is gone' }, requestId: response.body['request_id'] }])
  })

  it('reads the forms of OAuth clients, and responds in the form of OAuth', async () => {
    const form = { Authorization: 'Basic YTpi', 'Service-Version': '', 'Content-Type': 'application/x-www-form-urlencoded' }
    const revoke = (body: string, headers: Readonly<Record<string, string>> = form): Promise<TestResponse> =>
      request('revokeToken', 'POST', '/v1/oauth/revoke', { headers, body })
    expect(await revoke('token=mine')).toMatchObject({ status: 200 })
    expect(seen[0]?.call).toEqual({ body: { token: 'mine' } })
    expect(await revoke('token=other')).toMatchObject({ status: 400, body: { error: 'invalid_grant', code: 'invalid_grant' } })
    expect(await revoke('')).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    expect(await revoke('token=mine', { ...form, Authorization: 'Basic YTpj' })).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    })
    expect(await request('createToken', 'POST', '/v1/oauth/token', { headers: form, body: 'token=mine' })).toMatchObject({
      status: 503,
      body: { error: 'server_error' },
    })
  })

  it.each(['/', '/health', '/v1/oauth/authorize?client_id=x'])('passes %s to the application', async (target) => {
    expect(await (await fetch(`${url}${target}`)).json()).toEqual({ page: true })
  })

  it('lists the operations without a handler', () => {
    expect(router.notImplemented).toContain('createPage')
    expect(router.notImplemented).not.toContain('listUsers')
    expect(router.notImplemented).not.toContain('retrieveAuthorizationPage')
  })
})
