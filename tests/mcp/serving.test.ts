import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, describe, expect, it } from 'vitest'
import { toolHttpServer } from '../../mcp/src/http_server.ts'
import { allOperations, compactOperations } from '../../mcp/src/operation_tools.ts'
import type { DescribedContract } from '../../mcp/src/contract.ts'
import { serverOfFile, TOKEN } from '../harness/server.ts'
import { Assistant, assistantOf } from './support/assistant.ts'

const server = await serverOfFile()
const document = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as DescribedContract

describe('the MCP tools', () => {
  it('are fifteen tools with names, descriptions, hints and schemas in fewer than 16,500 characters', async () => {
    const { client } = await assistantOf(server.url, TOKEN)
    const { tools } = await client.listTools()
    expect(tools).toHaveLength(15)
    expect(JSON.stringify(tools).length).toBeLessThan(16_500)
    const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]))
    expect(hints['read_page']).toMatchObject({ readOnlyHint: true, destructiveHint: false })
    expect(hints['create_page']).toMatchObject({ readOnlyHint: false, destructiveHint: false })
    expect(hints['edit_page']).toMatchObject({ readOnlyHint: false, destructiveHint: true })
  })

  it('are with --compact two tools that find and call operations, in fewer than 4,400 characters', async () => {
    const assistant = await assistantOf(server.url, TOKEN, { tools: compactOperations(document) })
    const { tools } = await assistant.client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['find_operations', 'call_operation'])
    expect(JSON.stringify(tools).length).toBeLessThan(4_400)
    expect((await assistant.call('find_operations', { query: 'move page' })).text).toContain('"movePage"')
    const described = await assistant.json('find_operations', { query: 'movepage' })
    expect(described).toMatchObject({
      parameters: expect.stringContaining('path.page_id (required)'),
      body: expect.stringContaining('body.parent (required)'),
    })
    const me = await assistant.json('call_operation', { operation: 'retrieveMe' })
    expect(me).toMatchObject({ object: 'user', type: 'bot' })
    expect(await assistant.refusal('call_operation', { operation: 'fly' })).toContain('Use find_operations.')
  })

  it('include, with --all, one for each operation that a tool can call', async () => {
    const assistant = await assistantOf(server.url, TOKEN, { tools: allOperations(document) })
    const { tools } = await assistant.client.listTools()
    expect(tools.length).toBeGreaterThan(60)
    const query = tools.find(({ name }) => name === 'queryDataSource')
    expect(query?.annotations).toMatchObject({ readOnlyHint: true })
    expect(query?.description).toContain('body.filter')
    expect(await assistant.json('listUsers', { query: { page_size: 1 } })).toMatchObject({ object: 'list' })
  })

  it('accept an array or object as JSON text, a number as text, and null for an optional argument', async () => {
    const assistant = await assistantOf(server.url, TOKEN)
    expect(await assistant.json('search', { query: null, limit: '1' })).toMatchObject({ results: [{}] })
  })

  it('refuse invalid arguments, and name them', async () => {
    const assistant = await assistantOf(server.url, TOKEN)
    expect(await assistant.refusal('search', { limit: 'many' })).toContain('limit')
  })

  it('report errors of the API with advice', async () => {
    const assistant = await assistantOf(server.url, TOKEN)
    const refusal = await assistant.refusal('read_page', { page: '00000000-0000-4000-8000-000000000000' })
    expect(refusal).toMatch(/^object_not_found: .* Use search to find ids\.$/)
    const stranger = await assistantOf(server.url, `${TOKEN.slice(0, -1)}x`)
    expect(await stranger.refusal('search')).toMatch(/^unauthorized: /)
  })

  it('come with pages and data sources as resources, and with prompts', async () => {
    const { client, json } = await assistantOf(server.url, TOKEN).then((one) => ({
      client: one.client,
      json: one.json.bind(one),
    }))
    const { id } = await json('create_page', { title: 'Handbook', markdown: 'Keep left' })
    const { contents } = await client.readResource({ uri: `workspace://pages/${String(id)}` })
    expect(contents).toMatchObject([{ mimeType: 'text/markdown', text: expect.stringContaining('Keep left') }])
    const { messages } = await client.getPrompt({ name: 'summarize_page', arguments: { page: String(id) } })
    expect(messages).toHaveLength(1)
  })
})

describe('the MCP server over HTTP', async () => {
  const tools = toolHttpServer({ baseUrl: server.url, version: '0.1.0', hosts: ['127.0.0.1'] })
  await once(tools.listen(0, '127.0.0.1'), 'listening')
  afterAll(() => void tools.close())
  const address = `http://127.0.0.1:${(tools.address() as AddressInfo).port}/mcp`

  it("acts with the rights of each caller's token", async () => {
    const client = new Client({ name: 'assistant', version: '1.0.0' })
    const requestInit = { headers: { Authorization: `Bearer ${TOKEN}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit }))
    expect(await new Assistant(client).json('search')).toHaveProperty('results')
  })

  it('returns 401 without a token, with the address of metadata that names the authorization server', async () => {
    const response = await fetch(address, { method: 'POST', body: '{}' })
    expect(response.status).toBe(401)
    const [, metadata = ''] = /resource_metadata="([^"]*)"/.exec(response.headers.get('www-authenticate') ?? '') ?? []
    expect(await (await fetch(metadata)).json()).toMatchObject({ resource: address, authorization_servers: [server.url] })
  })

  it('returns 403 when the Origin header names another site', async () => {
    const headers = { Origin: 'https://evil.example', Authorization: `Bearer ${TOKEN}` }
    expect((await fetch(address, { method: 'POST', headers, body: '{}' })).status).toBe(403)
  })

  it('returns 404 for other paths', async () => {
    expect((await fetch(new URL('/', address))).status).toBe(404)
  })
})

describe('workspace-service mcp', () => {
  it('serves an assistant that starts the process, and ends with the assistant', async () => {
    const client = new Client({ name: 'assistant', version: '1.0.0' })
    const args = ['cli/main.js', 'mcp', '--url', server.url]
    const env = { PATH: process.env['PATH'] ?? '', SERVICE_TOKEN: TOKEN }
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env }))
    expect(await new Assistant(client).json('search', { limit: 1 })).toHaveProperty('results')
    await client.close()
  })
})
