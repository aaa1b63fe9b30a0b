import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, describe, expect, it, vi } from 'vitest'
import type { LoadTools } from '../../server/http/assistant_tools.ts'
import { composeService, type Service } from '../../server/service.ts'
import { makePassingDatabase } from '../harness/databases.ts'
import { testConfig, TOKEN } from '../harness/example_workspace.ts'
import { parseObject } from '../harness/json.ts'
import { Assistant } from './support/assistant.ts'

const loadTools: LoadTools = () => import('../../mcp/src/index.ts')

async function serviceWith(settings: Readonly<Record<string, string>> = {}, load = loadTools): Promise<Service> {
  const own = await makePassingDatabase('example')
  const service = await composeService(testConfig({ DATABASE_URL: own.url, ...settings }), undefined, {}, undefined, {}, load)
  afterAll(() => service.stop().finally(own.drop))
  return service
}

type Headers = Readonly<Record<string, string>>

async function assistantAt(address: string, headers: Headers = {}): Promise<Assistant> {
  const client = new Client({ name: 'assistant', version: '1.0.0' })
  const requestInit = { headers: { Authorization: `Bearer ${TOKEN}`, ...headers } }
  await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit }))
  return new Assistant(client)
}

const INITIALIZE = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'older', version: '1.0.0' } }

/** A request as clients of 2025 send it. */
function post(address: string, headers: Headers = {}, method = 'initialize', params: object = INITIALIZE): Promise<Response> {
  return fetch(address, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
}

describe('the tools on the port of the service', async () => {
  const service = await serviceWith()
  const address = `${service.url}/mcp`

  it('read, write and upload with the rights of the token', async () => {
    const assistant = await assistantAt(address)
    const { tools } = await assistant.client.listTools()
    expect(tools.map(({ name }) => name)).toContain('read_page')
    const { id, undo } = await assistant.json('create_page', { title: 'Made by an assistant', markdown: 'Keep left' })
    expect((await assistant.call('read_page', { page: id })).text).toContain('Keep left')
    expect(await assistant.json('attach_file', { page: id, name: 'a.txt', text: 'a' })).toMatchObject({ attached: 'a.txt' })
    expect((await assistant.call('undo', { undo })).text).toBe('Moved the page to the trash.')
  })

  it('serve clients with the protocol version of 2025 as well', async () => {
    const response = await post(address, { Authorization: `Bearer ${TOKEN}` })
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('"serverInfo"')
  })

  it('report each row that they create, and each that they remove again', async () => {
    const assistant = await assistantAt(address)
    const { results } = await assistant.json('search', { kind: 'data_source', limit: 1 })
    const [{ id: data_source = '' } = {}] = results as { id: string }[]
    const steps: object[] = []
    const onprogress = (step: object): void => void steps.push(step)
    const rows = [{ title: 'One' }, { title: 'Two' }]
    const params = { name: 'create_rows', arguments: { data_source, rows } }
    const { structuredContent } = await assistant.client.callTool(params, { onprogress })
    const expected = [expect.objectContaining({ progress: 1, total: 2 }), expect.objectContaining({ progress: 2, total: 2 })]
    expect(steps).toEqual(expected)
    const { undo } = structuredContent as { undo: string }
    await assistant.client.callTool({ name: 'undo', arguments: { undo } }, { onprogress })
    expect(steps).toEqual([...expected, ...expected])
  })

  it.each([
    ['send', 'with', { _meta: { progressToken: 7 } }],
    ['do not send', 'without', {}],
  ])('%s notifications about progress for a request %s a progress token', async (verb, _preposition, meta) => {
    const assistant = await assistantAt(address)
    const { results } = await assistant.json('search', { kind: 'data_source', limit: 1 })
    const [{ id: data_source = '' } = {}] = results as { id: string }[]
    const params = { ...meta, name: 'create_rows', arguments: { data_source, rows: [{ title: 'One' }] } }
    const response = await post(address, { Authorization: `Bearer ${TOKEN}` }, 'tools/call', params)
    const text = await response.text()
    expect(text).toContain('"structuredContent"')
    expect(text.includes('notifications/progress')).toBe(verb === 'send')
    expect(text.includes('"progressToken":7')).toBe(verb === 'send')
  })

  it.each([
    ['without a token', {}, false],
    ['with an unknown token', { Authorization: `Bearer ${TOKEN}x` }, true],
  ])('401 %s, with the address of the metadata', async (_what, headers, wasSent) => {
    const response = await post(address, headers)
    expect(response.status).toBe(401)
    const challenge = response.headers.get('www-authenticate') ?? ''
    expect(challenge.includes('error="invalid_token"')).toBe(wasSent)
    const [, metadata = ''] = /resource_metadata="([^"]*)"/.exec(challenge) ?? []
    expect(metadata).toBe(`${service.url}/.well-known/oauth-protected-resource/mcp`)
    expect(await (await fetch(metadata)).json()).toMatchObject({ resource: address, authorization_servers: [service.url] })
  })

  it('403 when the Origin header names another site', async () => {
    const response = await post(address, { Authorization: `Bearer ${TOKEN}`, Origin: 'https://evil.example' })
    expect(response.status).toBe(403)
    expect((await post(address, { Authorization: `Bearer ${TOKEN}`, Origin: service.url })).status).toBe(200)
  })

  it('400 for a body that is not JSON, 405 for GET', async () => {
    const headers = { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' }
    expect((await fetch(address, { method: 'POST', headers, body: '{' })).status).toBe(400)
    expect((await fetch(address, { headers })).status).toBe(405)
  })
})

it('the tools are loaded for the first request with a valid token', async () => {
  const load = vi.fn(loadTools)
  const { url } = await serviceWith({ MCP_PATH: '/tools' }, load)
  expect((await post(`${url}/tools`)).status).toBe(401)
  expect((await post(`${url}/mcp`)).status).toBe(400)
  expect(load).not.toHaveBeenCalled()
  for (let count = 0; count < 2; count += 1) await post(`${url}/tools`, { Authorization: `Bearer ${TOKEN}` })
  expect(load).toHaveBeenCalledOnce()
})

it('400 invalid_request_url for tools and metadata when MCP_PATH is off', async () => {
  const { url } = await serviceWith({ MCP_PATH: 'off' })
  const responses = [
    await post(`${url}/mcp`, { Authorization: `Bearer ${TOKEN}` }),
    await fetch(`${url}/.well-known/oauth-protected-resource/mcp`),
  ]
  for (const response of responses) expect(parseObject(await response.text())['code']).toBe('invalid_request_url')
})

describe('behind a proxy that terminates TLS', async () => {
  const settings = { BASE_URL: 'https://workspace.example', TRUST_PROXY: '1' }
  const { url } = await serviceWith(settings)
  const forwarded = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-For': '192.0.2.7' }

  it('the metadata has the public address', async () => {
    const response = await post(`${url}/mcp`, forwarded)
    const metadata = 'https://workspace.example/.well-known/oauth-protected-resource/mcp'
    expect(response.headers.get('www-authenticate')).toContain(`resource_metadata="${metadata}"`)
    const read = await fetch(url + new URL(metadata).pathname, { headers: forwarded })
    expect(await read.json()).toMatchObject({
      resource: 'https://workspace.example/mcp',
      authorization_servers: ['https://workspace.example'],
    })
  })

  it("accepts the API calls of a tool when the assistant's request arrived over HTTPS", async () => {
    expect(await (await assistantAt(`${url}/mcp`, forwarded)).json('search')).toHaveProperty('results')
  })

  it('400 for a request over plain HTTP', async () => {
    const response = await post(`${url}/mcp`, { Authorization: `Bearer ${TOKEN}` })
    expect(response.status).toBe(400)
    expect(parseObject(await response.text())['message']).toContain('requires HTTPS')
  })
})

it("a request at /mcp and each API call of its tool count toward the token's rate limit; 429 beyond it", async () => {
  const { url } = await serviceWith({ RATE_LIMIT: '20/60' })
  const assistant = await assistantAt(`${url}/mcp`)
  const remaining = async (): Promise<number> => {
    const response = await post(`${url}/mcp`, { Authorization: `Bearer ${TOKEN}` })
    return Number(/r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1])
  }
  const before = await remaining()
  await assistant.json('search')
  expect(before - (await remaining())).toBe(3)
  while ((await remaining()) > 1) continue
  expect(await assistant.refusal('search')).toMatch(/^rate_limited: /)
  expect((await post(`${url}/mcp`, { Authorization: `Bearer ${TOKEN}` })).status).toBe(429)
})
