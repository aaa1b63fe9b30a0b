import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newestRelease } from '../../generated/operations.ts'
import { ApiError, createWorkspaceClient, type WorkspaceClient } from '../../client/src/index.ts'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
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

  it('creates a page, appends a block to the page and reads the page back', async () => {
    const page = await service.pages.create({
      parent: { page_id: HANDBOOK },
      properties: { title: [{ text: { content: 'Tide table' } }] },
    })
    const added = await service.blocks.children.append({
      block_id: page.id,
      children: [{ to_do: { rich_text: [{ text: { content: 'Check the sill' } }], checked: true } }, { divider: {} }],
    })
    expect(added.results).toHaveLength(2)
    const read = await service.blocks.children.list({ block_id: page.id })
    expect(read.results.map((block) => 'type' in block && block.type)).toEqual(['to_do', 'divider'])
  })

  it('waits for the end of a task', async () => {
    // The service asks to wait for seconds; these tests do not wait.
    const impatient = createWorkspaceClient({
      baseUrl: server.url,
      token: TOKEN,
      fetch: async (request) => {
        const response = await fetch(request)
        return new Response((await response.text()).replace('"poll_after_seconds":2', '"poll_after_seconds":0.05'), response)
      },
    })
    const accepted = await impatient.pages.create({ markdown: '# Tide table\n- 11:40', allow_async: true })
    if (accepted.object !== 'async_task') throw new Error('the page was made at once')
    const page = await impatient.finished(accepted)
    if (page.object !== 'page') throw new Error('the task made something else')
    expect((await service.pages.markdown.retrieve({ page_id: page.id })).markdown).toBe('- 11:40')

    const change = await impatient.pages.markdown.update({
      page_id: page.id,
      type: 'insert_content',
      insert_content: { content: 'x', after: 'not there' },
      allow_async: true,
    })
    if (change.object !== 'async_task') throw new Error('the page was changed at once')
    const refused = await impatient.finished(change).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(ApiError)
    expect(refused).toMatchObject({
      status: 400,
      code: 'validation_error',
      message: expect.stringContaining('body.insert_content.after') as string,
    })

    const agent_id = exampleWorkspace.agents.partsScout
    const batch = await impatient.agents.batch.create({
      operations: [
        { action: 'update_credit_limit', agent_id, fields: { credit_limit: 400 } },
        { action: 'update_status', agent_id: HANDBOOK, fields: { status: 'disabled' } },
      ],
    })
    const result = await impatient.finished(batch)
    if (result.object !== 'agent_batch_result') throw new Error('the task changed something else')
    expect(result.results).toMatchObject([
      { outcome: 'success', agent_id },
      { outcome: 'error', error: { code: 'object_not_found' } },
    ])
  })

  it('iterates over a list page by page', async () => {
    const page = await service.pages.create({ parent: { page_id: HANDBOOK } })
    const children = Array.from({ length: 7 }, (_, index) => ({
      paragraph: { rich_text: [{ text: { content: `line ${index}` } }] },
    }))
    await service.blocks.children.append({ block_id: page.id, children })
    const lines: string[] = []
    for await (const block of service.blocks.children.list({ block_id: page.id, page_size: 3 })) {
      if ('type' in block && block.type === 'paragraph') lines.push(block.paragraph.rich_text[0]?.plain_text ?? '')
    }
    expect(lines).toEqual(children.map((_, index) => `line ${index}`))
  })

  it('comments on a page and reads the discussion', async () => {
    const { id: page_id } = await service.pages.create({ parent: { page_id: HANDBOOK } })
    const first = await service.comments.create({ parent: { page_id }, markdown: 'Which berth? **Ask Aiko.**' })
    if (!('parent' in first)) throw new Error('the demo connection reads comments')
    await service.comments.create({
      discussion_id: first.discussion_id,
      rich_text: [{ text: { content: 'Berth 14' } }],
    })
    const texts: string[] = []
    for await (const comment of service.comments.list({ block_id: page_id, page_size: 1 }))
      texts.push(comment.rich_text.map((item) => item.plain_text).join(''))
    expect(texts.sort()).toEqual(['Berth 14', 'Which berth? Ask Aiko.'])
  })

  it('yields the items of a title, and a scalar property as a single item', async () => {
    const path = { page_id: HANDBOOK, property_id: 'title' }
    const types: string[] = []
    for await (const item of service.pages.properties.retrieve(path)) types.push(item.type)
    const whole = { object: 'property_item', id: 'done', type: 'checkbox', checkbox: true }
    const single = createWorkspaceClient({
      baseUrl: server.url,
      token: TOKEN,
      fetch: () => Promise.resolve(Response.json(whole)),
    })
    for await (const item of single.pages.properties.retrieve(path)) types.push(item.type)
    expect(types).toEqual(['title', 'checkbox'])
  })

  it('runs a view and yields its rows, page by page', async () => {
    const { id: page_id } = await service.pages.create({ parent: { page_id: HANDBOOK } })
    const made = await service.databases.create({
      parent: { page_id },
      initial_data_source: { properties: { Name: { title: {} } } },
    })
    const source = 'data_sources' in made ? made.data_sources[0]?.id : undefined
    const parent = { data_source_id: source ?? '' }
    const rows: string[] = []
    for (let count = 0; count < 5; count += 1) rows.push((await service.pages.create({ parent })).id)
    const views: string[] = []
    for await (const view of service.views.list({ database_id: made.id })) views.push(view.id)
    const found: string[] = []
    for await (const row of service.views.queries.create({ view_id: views[0] ?? '', page_size: 2 })) found.push(row.id)
    expect(found.sort()).toEqual(rows.sort())
  })

  it('stops fetching pages when the caller stops iterating', async () => {
    let requests = 0
    const counting = createWorkspaceClient({
      baseUrl: server.url,
      token: TOKEN,
      fetch: (request) => {
        requests += 1
        return fetch(request)
      },
    })
    for await (const user of counting.users.list({ page_size: 1 })) {
      expect(user.object).toBe('user')
      break
    }
    expect(requests).toBe(1)
  })

  it("rejects with the service's code, status and request id", async () => {
    const failure = service.blocks.retrieve({ block_id: '00000000-0000-4000-8000-000000000000' })
    await expect(failure).rejects.toBeInstanceOf(ApiError)
    await expect(failure).rejects.toMatchObject({
      code: 'object_not_found',
      status: 404,
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      additionalData: { integration_id: expect.any(String) },
    })
  })

  it('uses another version when the client or one call selects it', async () => {
    const old = createWorkspaceClient({ baseUrl: server.url, token: TOKEN, version: '2099-01-01' })
    await expect(old.users.me.retrieve()).rejects.toMatchObject({ code: 'missing_version' })
    await expect(old.users.me.retrieve({}, { version: newestRelease })).resolves.toMatchObject({ object: 'user' })
  })

  it('returns status, headers and request id of a response besides its body', async () => {
    const { data, status, headers, requestId } = await service.blocks.retrieve({ block_id: HANDBOOK }).withResponse()
    expect([data.id, status, headers.get('Service-Version')]).toEqual([HANDBOOK, 200, newestRelease])
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('retries a write whose response was lost, and the write takes effect once', async () => {
    let attempts = 0
    const losing = createWorkspaceClient({
      baseUrl: server.url,
      token: TOKEN,
      automaticIdempotencyKeys: true,
      firstWaitMilliseconds: 0,
      fetch: async (request) => {
        const response = await fetch(request)
        attempts += 1
        if (attempts > 1) return response
        await response.arrayBuffer()
        throw Object.assign(new Error('lost'), { code: 'ECONNRESET' })
      },
    })
    const page = await losing.pages.create({
      parent: { page_id: HANDBOOK },
      properties: { title: [{ text: { content: 'Once' } }] },
    })
    const found: string[] = []
    for await (const hit of service.search({ query: 'Once' })) found.push(hit.id)
    expect([attempts, found]).toEqual([2, [page.id]])
  })

  it('never includes the token in an error', async () => {
    const stranger = createWorkspaceClient({ baseUrl: server.url, token: 'itk_secret_that_nobody_may_see' })
    const error = await stranger.users.me.retrieve().catch((caught: unknown) => caught)
    expect(JSON.stringify([error, String(error), (error as Error).stack])).not.toContain('itk_secret')
  })
})
