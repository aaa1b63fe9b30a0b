import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { sweep } from '../../harness/sweeps.ts'
import type { TestResponse } from '../../harness/responses.ts'
import type { Caller } from '../../harness/caller.ts'
import { append, children, makePage, paragraph, plainTexts, readText } from '../../harness/content.ts'
import { makeConnection, makeMember } from '../../harness/connections.ts'
import { expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { at, idOf, type JsonObject } from '../../harness/json.ts'
import { makeMarkdownPage, outline, readMarkdown } from '../../harness/markdown.ts'
import { serverOfFile } from '../../harness/server.ts'
import { until } from '../../harness/process.ts'
import { damageIn } from '../../harness/damage_in.ts'

const server = await serverOfFile()

const DAY_MS = 86_400_000
const retrieve = (id: string, caller = server.owner): Promise<TestResponse> =>
  caller.call('retrieveAsyncTask', { path: { task_id: id } })
const change = (id: string, markdown: string, caller = server.owner): Promise<TestResponse> =>
  caller.call('updatePageMarkdown', {
    path: { page_id: id },
    body: { type: 'replace_content', replace_content: { new_str: markdown }, allow_async: true },
  })

/** Polls a task until it has ended. */
async function ended(id: string, caller: Caller = server.owner): Promise<JsonObject> {
  for (let times = 0; times < 200; times += 1) {
    const { status, body } = await retrieve(id, caller)
    if (status !== 200 || body['status'] === 'succeeded' || body['status'] === 'failed') return body
    await pause(50)
  }
  throw new Error('the task does not end')
}

describe('an asynchronous operation', () => {
  it('404 for the internal task that fills a page from a template', async () => {
    const [template, parent] = [await makePage(server.owner, 'Template'), await makePage(server.owner)]
    await append(server.owner, template, [paragraph('Monday')])
    const body = { parent: { page_id: parent }, template: { type: 'template_id', template_id: template } }
    const { status, body: page } = await server.owner.call('createPage', { body })
    expect([status, page]).toMatchObject([200, { object: 'page' }])
    const tasks = await server.service.database.read((db) =>
      db.all({ id: 'text' }, `select id from async_tasks where operation = 'apply template'`),
    )
    expect(tasks).toHaveLength(1)
    for (const { id } of tasks) expectNotFound(await retrieve(id), id)
  })

  it('202 with a task whose result is the page', async () => {
    const parent = await makePage(server.owner)
    const accepted = await server.owner.call('createPage', {
      body: { parent: { page_id: parent }, markdown: '# Title\ntext', allow_async: true },
    })
    expect([accepted.status, accepted.headers['retry-after'], accepted.body]).toMatchObject([
      202,
      '2',
      {
        object: 'async_task',
        status: 'queued',
        poll_after_seconds: 2,
        operation: { surface: 'rest', name: 'POST /v1/pages' },
        status_url: `${server.url}/v1/async_tasks/${idOf(accepted.body)}`,
      },
    ])
    const task = await ended(idOf(accepted.body))
    expect(task).toMatchObject({
      status: 'succeeded',
      id: accepted.body['id'],
      created_time: accepted.body['created_time'],
      result: { object: 'page', parent: { page_id: parent } },
    })
    expect(task['result']).not.toHaveProperty('request_id')
    expect(task).not.toHaveProperty('poll_after_seconds')
    expect(at(task, 'result', 'properties', 'title', 'title')).toMatchObject([readText('Title')])
    expect(await readMarkdown(server.owner, idOf(at(task, 'result')))).toBe('text')
    expect(plainTexts(await children(server.owner, parent))).toStrictEqual(['child_page'])
  })

  it('202 for an update of Markdown with a task whose result is the Markdown', async () => {
    const page = await makeMarkdownPage(server.owner, 'a\nb')
    const [first] = await outline(server.owner, page)
    const accepted = await change(page, 'a\nc')
    expect([accepted.status, at(accepted.body, 'operation', 'name')]).toStrictEqual([202, 'PATCH /v1/pages/:page_id/markdown'])
    const task = await ended(idOf(accepted.body))
    expect(task).toMatchObject({
      status: 'succeeded',
      result: { object: 'page_markdown', id: page, markdown: 'a\nc', truncated: false },
    })
    expect((await outline(server.owner, page))[0]?.id).toBe(first?.id)
    expect((await retrieve(idOf(accepted.body))).headers['retry-after']).toBeUndefined()
  })

  it('200 when allow_async is false, because the operation runs synchronously', async () => {
    const page = await makeMarkdownPage(server.owner, 'a')
    const { status } = await server.owner.call('updatePageMarkdown', {
      path: { page_id: page },
      body: { type: 'replace_content', replace_content: { new_str: 'b' }, allow_async: false },
    })
    expect([status, await readMarkdown(server.owner, page)]).toStrictEqual([200, 'b'])
  })

  it('202 with a task whose result is a partial page for callers who may write but not read', async () => {
    const parent = await makePage(server.owner)
    const { caller } = await makeConnection(server, { capabilities: ['insert_content'], grants: [parent] })
    const { body } = await caller.call('createPage', { body: { parent: { page_id: parent }, markdown: 'x', allow_async: true } })
    expect(Object.keys((await ended(idOf(body), caller))['result'] as JsonObject).sort()).toStrictEqual(['id', 'object'])
  })

  it('202 with a task whose result has the properties in filter_properties', async () => {
    const { body } = await server.owner.call('createPage', {
      body: { parent: { page_id: await makePage(server.owner) }, markdown: 'x', allow_async: true },
      query: 'filter_properties=none',
    })
    expect(at(await ended(idOf(body)), 'result', 'properties')).toStrictEqual({})
  })

  it('202 with a task that fails when a text does not match, while other errors are immediate', async () => {
    const page = await makeMarkdownPage(server.owner, 'a')
    await makePage(server.owner, 'Sub', page)
    const async_ = (body: object): Promise<TestResponse> =>
      server.owner.call('updatePageMarkdown', { path: { page_id: page }, body: { ...body, allow_async: true } })
    const failed = await ended(
      idOf((await async_({ type: 'update_content', update_content: { content_updates: [{ old_str: 'z', new_str: '' }] } })).body),
    )
    expect(failed).toMatchObject({
      status: 'failed',
      error: {
        object: 'error',
        status: 400,
        code: 'validation_error',
        message: expect.stringContaining('content_updates[0].old_str') as string,
      },
    })
    expect(failed['error']).not.toHaveProperty('request_id')
    expect(await ended(idOf((await async_({ type: 'replace_content', replace_content: { new_str: '' } })).body))).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('"Sub"') as string },
    })
    expectInvalid(await async_({ type: 'replace_content' }), 'body.replace_content')
    const ghost = randomUUID()
    expectNotFound(await change(ghost, 'x'), ghost)
    for (const body of [
      { parent: { page_id: ghost } },
      { parent: { page_id: page }, properties: { title: [{ mention: { page: { id: ghost } } }] } },
    ]) {
      expectNotFound(await server.owner.call('createPage', { body: { ...body, markdown: 'x', allow_async: true } }), ghost)
    }
    expectInvalid(
      await server.owner.call('createPage', {
        body: { parent: { page_id: page }, properties: { Stage: { number: 1 } }, markdown: 'x', allow_async: true },
      }),
      'body.properties.Stage',
    )
    expectInvalid(
      await server.owner.call('createPage', {
        body: {
          parent: { page_id: page },
          position: { type: 'after_block', after_block: { id: ghost } },
          markdown: 'x',
          allow_async: true,
        },
      }),
      'body.position.after_block.id',
    )
    expect(await readMarkdown(server.owner, page)).toMatch(/^a\n<page/)
    await server.owner.call('deleteBlock', { path: { block_id: page } })
    expectInvalid(
      await server.owner.call('createPage', { body: { parent: { page_id: page }, markdown: 'x', allow_async: true } }),
      'body.parent',
    )
  })

  it('202 with the same task for a repeated idempotency key', async () => {
    const parent = await makePage(server.owner)
    const request = {
      body: { parent: { page_id: parent }, markdown: 'once', allow_async: true },
      headers: { 'Idempotency-Key': randomUUID() },
    }
    const [one, two] = [await server.owner.call('createPage', request), await server.owner.call('createPage', request)]
    expect([two.status, two.headers['retry-after'], idOf(two.body)]).toStrictEqual([202, '2', idOf(one.body)])
    await ended(idOf(one.body))
    expect(await children(server.owner, parent)).toHaveLength(1)
  })
})

describe('retrieveAsyncTask', () => {
  it('200 for every token of the member who started the task, and 404 for other members', async () => {
    const [tomas, aiko] = [exampleWorkspace.people[1].id, exampleWorkspace.people[2].id]
    const [one, other, stranger] = [
      await makeMember(server, tomas),
      await makeMember(server, tomas),
      await makeMember(server, aiko),
    ]
    const operations = [{ action: 'delete', agent_id: randomUUID() }]
    const id = idOf((await one.call('createAgentBatch', { body: { operations } })).body)
    expect(await ended(id, other)).toMatchObject({ id, status: 'succeeded', result: { object: 'agent_batch_result' } })
    expectNotFound(await retrieve(id, stranger), id)
    expectNotFound(await retrieve(id), id)
  })

  it('404 for an unknown id of up to 200 characters, and 400 for a longer one', async () => {
    const longest = '⛵'.repeat(200)
    expectNotFound(await retrieve(longest), longest)
    expectInvalid(await retrieve(`${longest}x`), 'path.task_id.length')
  })

  it('400 for requests that would list, change or cancel tasks', async () => {
    for (const [method, path] of [
      ['GET', '/v1/async_tasks'],
      ['POST', `/v1/async_tasks/${randomUUID()}/cancel`],
      ['DELETE', `/v1/async_tasks/${randomUUID()}`],
      ['PATCH', `/v1/async_tasks/${randomUUID()}`],
    ] as const)
      expect(await server.owner.send(method, path)).toMatchObject({ status: 400, body: { code: 'invalid_request_url' } })
  })

  it('404 with the same message for other callers and unknown ids, even without any capability', async () => {
    const page = await makeMarkdownPage(server.owner, 'a')
    const id = idOf((await change(page, 'b')).body)
    await ended(id)
    const { caller } = await makeConnection(server, { capabilities: ['read_content'], grants: [exampleWorkspace.workspace.id] })
    const same = { ...(await retrieve(id, caller)).body, request_id: null }
    const ghost = randomUUID()
    expect(JSON.stringify(same).replaceAll(id, ghost)).toBe(
      JSON.stringify({ ...(await retrieve(ghost, caller)).body, request_id: null }),
    )
    for (const text of [ghost, 'x', 'task_1', id.toUpperCase(), id.replaceAll('-', ''), 'a%00b', '😀'])
      expectNotFound(await retrieve(text), text)
    expectInvalid(await retrieve('x'.repeat(201)), 'path.task_id.length')
    const nobody = await makeConnection(server, { capabilities: [] })
    expectNotFound(await retrieve(ghost, nobody.caller), ghost)
  })

  it("200 with a result in the shapes of the polling request's version", async () => {
    const parent = await makePage(server.owner)
    const { body } = await server.owner.call('createPage', {
      body: { parent: { page_id: parent }, markdown: 'x', allow_async: true },
      headers: { 'Service-Version': '2022-06-28' },
    })
    const id = idOf(body)
    await ended(id)
    const resultAt = async (version: string): Promise<unknown> =>
      (await server.owner.call('retrieveAsyncTask', { path: { task_id: id }, headers: { 'Service-Version': version } })).body[
        'result'
      ]
    expect(await resultAt('2022-06-28')).toMatchObject({ object: 'page', archived: false })
    expect(await resultAt('2026-03-11')).not.toHaveProperty('archived')
  })

  it('404 seven days after the end of the task, whose row is then deleted', async () => {
    const id = idOf((await change(await makeMarkdownPage(server.owner, 'a'), 'b')).body)
    await ended(id)
    server.clock.advance(7 * DAY_MS - 1000)
    expect((await retrieve(id)).status).toBe(200)
    await sweep(server.service.database, server.clock.now())
    expect((await retrieve(id)).status).toBe(200)
    server.clock.advance(1000)
    expectNotFound(await retrieve(id), id)
    await sweep(server.service.database, server.clock.now())
    expect(await server.service.database.read((db) => db.get({}, 'select id from async_tasks where id = ?', id))).toBeUndefined()
  })
})

it('retrieveAsyncTask: 200 for finished tasks, which are stored in the form that doctor and imports check', async () => {
  const parent = { page_id: exampleWorkspace.pages.handbook }
  const tasks = [
    await server.owner.call('createPage', { body: { parent, markdown: '# Keel', allow_async: true } }),
    await server.owner.call('updatePageMarkdown', {
      path: { page_id: exampleWorkspace.pages.handbook },
      body: { type: 'replace_content', replace_content: { new_str: 'Mind the tide' }, allow_async: true },
    }),
    await server.owner.call('createAgentBatch', {
      body: { operations: [{ agent_id: exampleWorkspace.agents.partsScout, action: 'delete' }] },
    }),
  ]
  expect(tasks.map(({ status }) => status)).toEqual([202, 202, 202])
  expect(await damageIn(server)).toEqual([])
  const finished = await until(async () => {
    const responses = await Promise.all(
      tasks.map(({ body }) => server.owner.call('retrieveAsyncTask', { path: { task_id: String(body['id']) } })),
    )
    const words = responses.map(({ body }) => String(body['status']))
    return words.every((word) => /^(?:succeeded|failed)$/.test(word)) ? words : undefined
  })
  expect(finished).toContain('succeeded')
  expect(await damageIn(server)).toEqual([])
})
