import { expect, it } from 'vitest'
import { createFetchClient } from '../../client/src/fetch.ts'
import { newestRelease } from '../../generated/operations.ts'
import { serverOfFile, TOKEN } from '../harness/server.ts'
import { fault, standInOfFile } from './stand_in.ts'

const server = await serverOfFile()
const standIn = await standInOfFile()
const HANDBOOK = '5df6f817-b099-4bcf-a0ec-6db25097c040'

it('openapi-fetch with the credentials and headers of the service returns data or an error', async () => {
  const client = createFetchClient({ baseUrl: server.url, token: TOKEN })
  const { data, response } = await client.GET('/v1/pages/{page_id}', { params: { path: { page_id: HANDBOOK } } })
  expect([data?.id, response.headers.get('Service-Version')]).toEqual([HANDBOOK, newestRelease])
  const made = await client.POST('/v1/pages', { body: { parent: { page_id: HANDBOOK }, markdown: '# Tide table' } })
  expect(made.data).toMatchObject({ object: 'page' })
  const path = { page_id: '00000000-0000-4000-8000-000000000000' }
  const { error } = await client.GET('/v1/pages/{page_id}', { params: { path } })
  expect(error).toMatchObject({ code: 'object_not_found' })
})

it('the openapi-fetch client accepts options for headers, and middleware of the caller', async () => {
  const client = createFetchClient({
    baseUrl: `${standIn.url}/v1/`,
    token: () => 'provided',
    version: '2022-06-28',
    betas: ['a-2026-01-01'],
    automaticIdempotencyKeys: true,
    headerBrand: 'Acme',
  })
  client.use({ onRequest: ({ request }) => request.headers.set('X-Trace', 'tide-7') })
  standIn.play(fault(429, 'rate_limited'))
  const { error, response } = await client.POST('/v1/pages', { body: {} })
  expect([response.status, error]).toEqual([429, expect.objectContaining({ code: 'rate_limited' })])
  expect(standIn.requests).toMatchObject([
    {
      url: '/v1/pages',
      headers: {
        authorization: 'Bearer provided',
        'acme-version': '2022-06-28',
        'acme-beta': 'a-2026-01-01',
        'idempotency-key': expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        'x-trace': 'tide-7',
      },
    },
  ])
})
