import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { createWorkspaceClient } from '../../client/src/index.ts'
import { ConfigError, createTestServer } from '../../testkit/src/index.ts'
import { responseOf, call, makePage } from './support/responses.ts'

const server = await createTestServer({ time: '2026-05-16T04:30:00.000Z' })
afterAll(() => server.close())
const client = createWorkspaceClient({ baseUrl: server.url, token: server.token, fetch: server.fetch })

describe('a test server', () => {
  it('serves the published client without a socket', async () => {
    const { id } = await client.pages.create({ markdown: 'Low water at nine' })
    const { markdown } = await client.pages.markdown.retrieve({ page_id: id })
    expect(markdown).toBe('Low water at nine')
  })

  it('sends the same bytes through its port and its fetch', async () => {
    const id = await makePage(server.workspace)
    const headers = { Authorization: `Bearer ${server.token}`, 'Service-Version': '2026-03-11' }
    const targets: readonly (readonly [path: string, init: RequestInit])[] = [
      [`/v1/pages/${id}`, { headers }],
      [`/v1/pages/${id}`, { headers, method: 'HEAD' }],
      ['/v1/pages', { headers: { ...headers, 'Content-Type': 'application/json' }, method: 'POST', body: '{"parent":' }],
      ['/v1/search', { headers, method: 'POST' }],
      ['/v1/users/me', {}],
      ['/v1/nothing', { headers }],
      ['/healthz', {}],
      ['/v1/pages', { method: 'OPTIONS', headers: { Origin: 'https://app.example' } }],
    ]
    for (const [path, init] of targets) {
      const [bySocket, inMemory] = [await fetch(server.url + path, init), await server.fetch(path, init)]
      expect(inMemory.status, path).toBe(bySocket.status)
      expect(namesOf(inMemory), path).toEqual(namesOf(bySocket))
      expect(withoutRequestId(await inMemory.text()), path).toBe(withoutRequestId(await bySocket.text()))
    }
  })

  it('adds no headers to requests through its fetch, but adds missing ones through its workspace', async () => {
    expect((await responseOf('retrieveMe', await server.fetch('/v1/users/me'))).status).toBe(401)
    expect((await call(server.workspace, 'retrieveMe')).body).toMatchObject({ type: 'bot' })
    const stranger = { headers: { Authorization: 'Bearer itk_of_somebody_else' } }
    expect((await responseOf('retrieveMe', await server.workspace.fetch('/v1/users/me', stranger))).status).toBe(401)
  })

  it('accepts the bytes of an upload', async () => {
    const upload = await client.fileUploads.create({ filename: 'tide.txt', content_type: 'text/plain' })
    const sent = await client.fileUploads.send({ file_upload_id: upload.id, file: new Blob(['Low water']) })
    expect(sent).toMatchObject({ status: 'uploaded', content_length: 9 })
  })

  it('refuses requests to other servers', async () => {
    await expect(server.fetch('https://api.example/v1/users/me')).rejects.toThrow(TypeError)
  })

  it('drops a request that is aborted', async () => {
    const reason = new Error('no longer wanted')
    await expect(server.fetch('/v1/users/me', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })

  it('has a token that belongs to the owner as a person', async () => {
    const { owner, fetch } = server.workspace
    const asOwner = await fetch('/v1/users/me', { headers: { Authorization: `Bearer ${owner.token}` } })
    expect((await responseOf('retrieveMe', asOwner)).body).toMatchObject({ id: owner.id, type: 'person' })
  })

  it('works without a port', async () => {
    await using portless = await createTestServer({ port: 'none' })
    expect((await call(portless.workspace, 'retrieveMe')).status).toBe(200)
    await expect(fetch(`${portless.url}/healthz`)).rejects.toThrow()
  })

  it('releases its port when closed', async () => {
    let port: number
    {
      await using passing = await createTestServer()
      port = Number(new URL(passing.url).port)
    }
    const successor = createServer().listen(port, '127.0.0.1')
    await once(successor, 'listening')
    expect((successor.address() as AddressInfo).port).toBe(port)
    successor.close()
  })

  it('reads settings only from its options, and refuses invalid ones', async () => {
    process.env['HEADER_BRAND'] = 'Other'
    try {
      await using own = await createTestServer({ port: 'none', settings: { FILE_BYTES_MAX: '5' } })
      const { body } = await call(own.workspace, 'retrieveMe')
      expect(body).toMatchObject({ bot: { workspace_limits: { max_file_upload_size_in_bytes: 5 } } })
      expect([...(await own.workspace.fetch('/v1/users/me')).headers.keys()]).toContain('service-version')
    } finally {
      delete process.env['HEADER_BRAND']
    }
    await expect(createTestServer({ settings: { PORT: 'many' } })).rejects.toThrow(ConfigError)
    await expect(createTestServer({ time: 'tomorrow' })).rejects.toThrow('tomorrow is not a time.')
  })
})

describe('createWorkspace of a test server', () => {
  it('creates a workspace that other workspaces cannot see', async () => {
    const [one, other] = [await server.createWorkspace('North'), await server.createWorkspace('South')]
    const id = await makePage(one)
    expect((await call(one, 'retrievePage', { path: { page_id: id } })).status).toBe(200)
    expect((await call(other, 'retrievePage', { path: { page_id: id } })).status).toBe(404)
    expect((await call(one, 'retrieveMe')).body).toMatchObject({ bot: { workspace_id: one.id, workspace_name: 'North' } })
  })
})

function namesOf({ headers }: Response): string[] {
  // Without headers of the connection itself.
  return [...headers.keys()].filter((name) => !['connection', 'keep-alive'].includes(name))
}

function withoutRequestId(text: string): string {
  return text.replace(/"request_id":"[^"]+"/, '')
}
