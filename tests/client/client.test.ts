import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  ApiError,
  ConnectionError,
  createWorkspaceClient,
  UnreadableAnswerError,
  type WorkspaceClient,
} from '../../client/src/index.ts'
import { startTestServer, TOKEN, type TestServer } from '../harness/server.ts'

const HANDBOOK = '5df6f817-b099-4bcf-a0ec-6db25097c040'

describe('the client against the running service', () => {
  let server: TestServer
  let service: WorkspaceClient

  beforeAll(async () => {
    server = await startTestServer()
    service = createWorkspaceClient({ baseUrl: server.url, token: TOKEN })
  })
  afterAll(() => server.stop())

  it('creates a page, appends to it and reads it back', async () => {
    const page = await service.createPage({
      body: { parent: { page_id: HANDBOOK }, properties: { title: [{ text: { content: 'Tide table' } }] } },
    })
    const added = await service.appendBlockChildren({
      path: { block_id: page.id },
      body: { children: [{ to_do: { rich_text: [{ text: { content: 'Check the sill' } }], checked: true } }, { divider: {} }] },
    })
    expect(added.results).toHaveLength(2)
    const read = await service.listBlockChildren({ path: { block_id: page.id } })
    expect(read.results.map((block) => 'type' in block && block.type)).toEqual(['to_do', 'divider'])
  })

  it('waits for the end of a task', async () => {
    // The service asks to wait for seconds: not here.
    const impatient = createWorkspaceClient({
      baseUrl: server.url,
      token: TOKEN,
      fetch: async (request) => {
        const answer = await fetch(request)
        return new Response((await answer.text()).replace('"poll_after_seconds":2', '"poll_after_seconds":0.05'), answer)
      },
    })
    const accepted = await impatient.createPage({ body: { markdown: '# Tide table\n- 11:40', allow_async: true } })
    if (accepted.object !== 'async_task') throw new Error('the page was made at once')
    const page = await impatient.finished(accepted)
    if (page.object !== 'page') throw new Error('the task made something else')
    expect((await service.retrievePageMarkdown({ path: { page_id: page.id } })).markdown).toBe('- 11:40')

    const change = await impatient.updatePageMarkdown({
      path: { page_id: page.id },
      body: { type: 'insert_content', insert_content: { content: 'x', after: 'not there' }, allow_async: true },
    })
    if (change.object !== 'async_task') throw new Error('the page was changed at once')
    const refused = await impatient.finished(change).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(ApiError)
    expect(refused).toMatchObject({
      status: 400,
      code: 'validation_error',
      message: expect.stringContaining('body.insert_content.after') as string,
    })
  })

  it('iterates over a list page by page', async () => {
    const page = await service.createPage({ body: { parent: { page_id: HANDBOOK } } })
    const children = Array.from({ length: 7 }, (_, index) => ({
      paragraph: { rich_text: [{ text: { content: `line ${index}` } }] },
    }))
    await service.appendBlockChildren({ path: { block_id: page.id }, body: { children } })
    const lines: string[] = []
    for await (const block of service.each('listBlockChildren', { path: { block_id: page.id }, query: { page_size: 3 } })) {
      if ('type' in block && block.type === 'paragraph') lines.push(block.paragraph.rich_text[0]?.plain_text ?? '')
    }
    expect(lines).toEqual(children.map((_, index) => `line ${index}`))
  })

  it('comments on a page and reads the discussion', async () => {
    const { id: page_id } = await service.createPage({ body: { parent: { page_id: HANDBOOK } } })
    const first = await service.createComment({ body: { parent: { page_id }, markdown: 'Which berth? **Ask Aiko.**' } })
    if (!('parent' in first)) throw new Error('the demo connection reads comments')
    await service.createComment({
      body: { discussion_id: first.discussion_id, rich_text: [{ text: { content: 'Berth 14' } }] },
    })
    const texts: string[] = []
    for await (const comment of service.each('listComments', { query: { block_id: page_id, page_size: 1 } }))
      texts.push(comment.rich_text.map((item) => item.plain_text).join(''))
    expect(texts.sort()).toEqual(['Berth 14', 'Which berth? Ask Aiko.'])
  })

  it('yields the pieces of a title, and a property that is answered whole as its only item', async () => {
    const path = { page_id: HANDBOOK, property_id: 'title' }
    const types: string[] = []
    for await (const item of service.each('retrievePageProperty', { path })) types.push(item.type)
    const whole = { object: 'property_item', id: 'done', type: 'checkbox', checkbox: true }
    const single = createWorkspaceClient({
      baseUrl: server.url,
      token: TOKEN,
      fetch: () => Promise.resolve(Response.json(whole)),
    })
    for await (const item of single.each('retrievePageProperty', { path })) types.push(item.type)
    expect(types).toEqual(['title', 'checkbox'])
  })

  it('runs a view and yields its rows, page by page', async () => {
    const { id: page_id } = await service.createPage({ body: { parent: { page_id: HANDBOOK } } })
    const made = await service.createDatabase({
      body: { parent: { page_id }, initial_data_source: { properties: { Name: { title: {} } } } },
    })
    const source = 'data_sources' in made ? made.data_sources[0]?.id : undefined
    const parent = { data_source_id: source ?? '' }
    const rows: string[] = []
    for (let count = 0; count < 5; count += 1) rows.push((await service.createPage({ body: { parent } })).id)
    const views: string[] = []
    for await (const view of service.each('listDatabaseViews', { query: { database_id: made.id } })) views.push(view.id)
    const found: string[] = []
    for await (const row of service.each('createViewQuery', { path: { view_id: views[0] ?? '' }, body: { page_size: 2 } }))
      found.push(row.id)
    expect(found.sort()).toEqual(rows.sort())
  })

  it('stops fetching when the caller stops asking', async () => {
    let requests = 0
    const counting = createWorkspaceClient({
      baseUrl: server.url,
      token: TOKEN,
      fetch: (request) => {
        requests += 1
        return fetch(request)
      },
    })
    for await (const user of counting.each('listUsers', { query: { page_size: 1 } })) {
      expect(user.object).toBe('user')
      break
    }
    expect(requests).toBe(1)
  })

  it('rejects with the code, status and request id of the service', async () => {
    const failure = service.retrieveBlock({ path: { block_id: '00000000-0000-4000-8000-000000000000' } })
    await expect(failure).rejects.toBeInstanceOf(ApiError)
    await expect(failure).rejects.toMatchObject({
      code: 'object_not_found',
      status: 404,
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      additionalData: { integration_id: expect.any(String) },
    })
  })

  it('speaks another version when told, for the client or for one call', async () => {
    const old = createWorkspaceClient({ baseUrl: server.url, token: TOKEN, version: '2099-01-01' })
    await expect(old.retrieveMe()).rejects.toMatchObject({ code: 'missing_version' })
    await expect(old.retrieveMe({ version: '2026-03-11' })).resolves.toMatchObject({ object: 'user' })
  })

  it('never holds the token in an error', async () => {
    const stranger = createWorkspaceClient({ baseUrl: server.url, token: 'itk_secret_that_nobody_may_see' })
    const error = await stranger.retrieveMe().catch((caught: unknown) => caught)
    expect(JSON.stringify([error, String(error), (error as Error).stack])).not.toContain('itk_secret')
  })
})

/** What only a misbehaving server or network shows. The stand-in plays the network, not a part of ours. */
describe('the client against a broken network', () => {
  let broken: Server
  let url: string
  let answers: ((response: ServerResponse, request: IncomingMessage) => void)[] = []
  const rateLimited = (response: ServerResponse): void => {
    response.writeHead(429, { 'Content-Type': 'application/json', 'Retry-After': '0' })
    response.end(JSON.stringify({ object: 'error', status: 429, code: 'rate_limited', message: 'Slow down.' }))
  }
  const fault = (response: ServerResponse): void => {
    response.writeHead(503, { 'Content-Type': 'application/json', 'Retry-After': '0' })
    response.end(JSON.stringify({ object: 'error', status: 503, code: 'service_unavailable', message: 'Not now.' }))
  }
  const good = (response: ServerResponse): void => void response.writeHead(200).end('{"object":"user"}')

  beforeAll(async () => {
    broken = createServer((request, response) => {
      request.resume()
      request.on('end', () => (answers.shift() ?? good)(response, request))
    })
    await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(broken.address() as AddressInfo).port}`
  })
  afterAll(
    () =>
      new Promise((resolve) => {
        broken.closeAllConnections()
        broken.close(resolve)
      }),
  )

  it('repeats what is rate limited, after Retry-After, on every method', async () => {
    answers = [rateLimited, rateLimited]
    await expect(createWorkspaceClient({ baseUrl: url, token: 't' }).createPage({ body: {} })).resolves.toEqual({
      object: 'user',
    })
    expect(answers).toHaveLength(0)
  })

  it('gives up after its retries', async () => {
    answers = [rateLimited, rateLimited, rateLimited]
    await expect(createWorkspaceClient({ baseUrl: url, token: 't' }).retrieveMe()).rejects.toMatchObject({ code: 'rate_limited' })
  })

  it('repeats a fault of the service on GET but never on POST', async () => {
    answers = [fault]
    await expect(createWorkspaceClient({ baseUrl: url, token: 't' }).retrieveMe()).resolves.toEqual({ object: 'user' })
    answers = [fault]
    await expect(createWorkspaceClient({ baseUrl: url, token: 't' }).createPage({ body: {} })).rejects.toMatchObject({
      code: 'service_unavailable',
    })
  })

  it.each([
    ['an empty 500', (response: ServerResponse) => void response.writeHead(500).end()],
    ['a page of a proxy', (response: ServerResponse) => void response.writeHead(502).end('<html>Bad gateway</html>')],
    ['a success that is no JSON', (response: ServerResponse) => void response.writeHead(200).end('{"object":')],
    ['an empty success', (response: ServerResponse) => void response.writeHead(200).end()],
    ['an error body of somebody else', (response: ServerResponse) => void response.writeHead(400).end('{"error":"no"}')],
  ])('rejects %s as unreadable', async (_name, answer) => {
    answers = [answer]
    await expect(createWorkspaceClient({ baseUrl: url, token: 't' }).retrieveMe()).rejects.toBeInstanceOf(UnreadableAnswerError)
  })

  it('rejects a broken connection and a time-out', async () => {
    answers = [(response) => void response.destroy()]
    await expect(createWorkspaceClient({ baseUrl: url, token: 't' }).retrieveMe()).rejects.toBeInstanceOf(ConnectionError)
    answers = [(response) => void setTimeout(() => good(response), 400)]
    await expect(createWorkspaceClient({ baseUrl: url, token: 't', timeoutMs: 50 }).retrieveMe()).rejects.toBeInstanceOf(
      ConnectionError,
    )
  })

  it('stops when the caller aborts', async () => {
    answers = [(response) => void setTimeout(() => good(response), 400)]
    const reason = new Error('changed my mind')
    await expect(
      createWorkspaceClient({ baseUrl: url, token: 't' }).retrieveMe({ signal: AbortSignal.timeout(20) }),
    ).rejects.toMatchObject({ name: 'TimeoutError' })
    await expect(
      createWorkspaceClient({ baseUrl: url, token: 't' }).retrieveMe({ signal: AbortSignal.abort(reason) }),
    ).rejects.toBe(reason)
  })

  it('sends what it is told: version, betas, idempotency key, brand', async () => {
    let headers: IncomingMessage['headers'] = {}
    answers = [
      (response, request) => {
        headers = request.headers
        good(response)
      },
    ]
    const acme = createWorkspaceClient({ baseUrl: `${url}/`, token: 't', headerBrand: 'Acme', betas: ['strict-ids-2026-06-15'] })
    await acme.createPage({ body: {}, idempotencyKey: 'crate-17' })
    expect(headers).toMatchObject({
      authorization: 'Bearer t',
      'acme-version': '2026-03-11',
      'acme-beta': 'strict-ids-2026-06-15',
      'idempotency-key': 'crate-17',
      'content-type': 'application/json',
    })
  })
})
