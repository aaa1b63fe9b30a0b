import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { story } from '../../../server/bootstrap/story.ts'
import { createPersonalToken } from '../../../server/domain/administration/tokens.ts'
import { setWorkspacePolicies } from '../../../server/domain/administration/workspaces.ts'
import { runDueTask, type TaskParts, type Work } from '../../../server/domain/async_tasks/run.ts'
import { serviceUnavailable } from '../../../server/kernel/unavailable.ts'
import { insertTask } from '../../../server/store/async_tasks.ts'
import type { Transaction } from '../../../server/store/database.ts'
import { revokeTokens } from '../../../server/store/tokens.ts'
import { sweep } from '../../../server/jobs/sweeper.ts'
import type { Answer } from '../../harness/answers.ts'
import type { Caller } from '../../harness/caller.ts'
import { children, makePage, plainTexts, readText } from '../../harness/content.ts'
import { makeConnection, type TestConnection } from '../../harness/connections.ts'
import { expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { at, idOf, type JsonObject } from '../../harness/json.ts'
import { makeMarkdownPage, outline, readMarkdown } from '../../harness/markdown.ts'
import { startTestServer, type TestServer } from '../../harness/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const DAY_MS = 86_400_000
const retrieve = (id: string, caller = server.owner): Promise<Answer> =>
  caller.call('retrieveAsyncTask', { path: { task_id: id } })
const change = (id: string, markdown: string, caller = server.owner): Promise<Answer> =>
  caller.call('updatePageMarkdown', {
    path: { page_id: id },
    body: { type: 'replace_content', replace_content: { new_str: markdown }, allow_async: true },
  })

/** Asks for a task until it has ended. */
async function ended(id: string, caller: Caller = server.owner): Promise<JsonObject> {
  for (let times = 0; times < 200; times += 1) {
    const { status, body } = await retrieve(id, caller)
    if (status !== 200 || body['status'] === 'succeeded' || body['status'] === 'failed') return body
    await pause(50)
  }
  throw new Error('the task does not end')
}

describe('tasks of operations', () => {
  it('202 with a task to poll, and its end is the page (P11, 5.3)', async () => {
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

  it('202 for a change of Markdown, whose end is the Markdown (M15)', async () => {
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

  it('200 false stays synchronous', async () => {
    const page = await makeMarkdownPage(server.owner, 'a')
    const { status } = await server.owner.call('updatePageMarkdown', {
      path: { page_id: page },
      body: { type: 'replace_content', replace_content: { new_str: 'b' }, allow_async: false },
    })
    expect([status, await readMarkdown(server.owner, page)]).toStrictEqual([200, 'b'])
  })

  it('a partial page for who may write but not read', async () => {
    const parent = await makePage(server.owner)
    const { caller } = await makeConnection(server, { capabilities: ['insert_content'], grants: [parent] })
    const { body } = await caller.call('createPage', { body: { parent: { page_id: parent }, markdown: 'x', allow_async: true } })
    expect(Object.keys((await ended(idOf(body), caller))['result'] as JsonObject).sort()).toStrictEqual(['id', 'object'])
  })

  it('a page with the properties that were asked for', async () => {
    const { body } = await server.owner.call('createPage', {
      body: { parent: { page_id: await makePage(server.owner) }, markdown: 'x', allow_async: true },
      query: 'filter_properties=none',
    })
    expect(at(await ended(idOf(body)), 'result', 'properties')).toStrictEqual({})
  })

  it('faults of matching end the task as failed; others are answered at once', async () => {
    const page = await makeMarkdownPage(server.owner, 'a')
    await makePage(server.owner, 'Sub', page)
    const async_ = (body: object): Promise<Answer> =>
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

  it('a repeated request with an idempotency key gets the same task', async () => {
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
  it('404 for anybody else, and for what is no task; no capability is needed (5.5)', async () => {
    const page = await makeMarkdownPage(server.owner, 'a')
    const id = idOf((await change(page, 'b')).body)
    await ended(id)
    const { caller } = await makeConnection(server, { capabilities: ['read_content'], grants: [story.workspace.id] })
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

  it('200 the result is that of the version that asks for it', async () => {
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

  it('404 seven days after its end, and then it is swept away', async () => {
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

/** A worker of our own, whose work and clock the test decides. Its tasks have a name that the server's own worker does not meet in time. */
describe('attempts (5.2)', () => {
  let now = Date.parse('2020-01-01T00:00:00Z')
  const NAME = 'POST /v1/test'

  async function taskOf({ botId }: Pick<TestConnection, 'botId'>): Promise<string> {
    const id = randomUUID()
    await own.service.database.write((db) =>
      insertTask(db, story.workspace.id, { id, actorId: botId, operation: NAME, version: '2026-03-11', request: '{"n":1}' }, now),
    )
    return id
  }

  const faults: unknown[] = []
  function parts(work: Work): TaskParts {
    return {
      database: own.service.database,
      works: new Map([[NAME, work]]),
      now: () => now,
      onFault: (fault) => faults.push(fault),
      scopeOf: (task, actor, db) => ({
        db,
        actor,
        now,
        baseUrl: own.url,
        cursors: undefined as never,
        version: task.version,
        files: undefined as never,
      }),
    }
  }

  // Its clock stands before the tasks of this part, so that its own worker never finds one due.
  let own: TestServer
  beforeAll(async () => {
    own = await startTestServer()
    own.clock.advance(Date.parse('2019-01-01T00:00:00Z') - own.clock.now())
  })
  afterAll(() => own.stop())

  const state = async (id: string, { caller }: TestConnection): Promise<unknown[]> => {
    const { status, body, headers } = await caller.call('retrieveAsyncTask', { path: { task_id: id } })
    return [status, body['status'], headers['retry-after']]
  }

  /** Something that work leaves behind. */
  const makeEmoji = (db: Transaction): Promise<unknown> =>
    db.run(
      'insert into custom_emojis (workspace_id, id, name, url, created_time) values (?, ?, ?, ?, ?)',
      story.workspace.id,
      randomUUID(),
      'x',
      'https://example.org',
      1,
    )
  const countEmojis = async (): Promise<unknown> =>
    (await own.service.database.read((db) => db.get({ n: 'integer' }, 'select count(*) as n from custom_emojis')))?.n

  it('what may pass is tried again after 2, 8 and 32 seconds, then it has failed', async () => {
    const connection = await makeConnection(own, { capabilities: [] })
    const id = await taskOf(connection)
    let attempts = 0
    const work: Work = async () => {
      attempts += 1
      throw attempts === 2 ? new Error('a fault of ours') : serviceUnavailable('The storage is away.')
    }
    expect(await state(id, connection)).toStrictEqual([200, 'queued', '2'])
    for (const [index, seconds] of [2, 8, 32].entries()) {
      expect(await runDueTask(parts(work))).toBe(true)
      expect([attempts, ...(await state(id, connection))]).toStrictEqual([index + 1, 200, 'retrying', '2'])
      now += seconds * 1000 - 1
      expect(await runDueTask(parts(work))).toBe(false)
      now += 1
    }
    expect(await runDueTask(parts(work))).toBe(true)
    expect([attempts, ...(await state(id, connection))]).toStrictEqual([4, 200, 'failed', undefined])
    // Those who run the service are told of each.
    expect(faults.splice(0)).toMatchObject(
      ['storage is away', 'fault of ours', 'storage is away', 'storage is away'].map((words) => ({
        message: expect.stringContaining(words),
      })),
    )
    now += DAY_MS
    expect(await runDueTask(parts(work))).toBe(false)
  })

  it('a task whose worker died is taken by another; the dead one can keep nothing', async () => {
    const connection = await makeConnection(own, { capabilities: [] })
    const id = await taskOf(connection)
    const gate = Promise.withResolvers<void>()
    const claims: string[] = []
    const [emojis, stuck] = [await countEmojis(), parts(({ db }) => makeEmoji(db).then(() => ({ object: 'late' })))]
    const dead: TaskParts = {
      ...stuck,
      database: {
        ...stuck.database,
        write: async (work, workspaceId) => {
          if (workspaceId !== undefined) await gate.promise
          return stuck.database.write(work, workspaceId)
        },
      },
    }
    const running = runDueTask(dead)
    while ((await state(id, connection))[1] !== 'running') await pause(10)
    expect(await runDueTask(parts(async () => ({ object: 'never' })))).toBe(false)
    now += 120_000
    expect(
      await runDueTask(
        parts(async (_scope, request) => {
          claims.push(JSON.stringify(request))
          return { object: 'page', id }
        }),
      ),
    ).toBe(true)
    gate.resolve()
    await running
    const row = await own.service.database.read((db) =>
      db.get(
        { status: 'text', result: 'text', request: 'text?' },
        'select status, result, request from async_tasks where id = ?',
        id,
      ),
    )
    expect([row?.status, JSON.parse(row?.result ?? ''), row?.request, claims]).toStrictEqual([
      'succeeded',
      { object: 'page', id },
      null,
      ['{"n":1}'],
    ])
    expect(await countEmojis()).toBe(emojis)
  })

  it('what a failed attempt has written is gone', async () => {
    const connection = await makeConnection(own, { capabilities: [] })
    await taskOf(connection)
    const before = await countEmojis()
    await runDueTask(
      parts(async ({ db }) => {
        await makeEmoji(db)
        throw serviceUnavailable('no')
      }),
    )
    expect(await countEmojis()).toBe(before)
    now += DAY_MS
    while (await runDueTask(parts(async () => ({ object: 'page', id: 'x' })))) continue
  })

  it('a task of somebody who has lost access has failed with 401, one of an operation nobody knows with 503', async () => {
    const connection = await makeConnection(own, { capabilities: [] })
    const id = await taskOf(connection)
    await own.service.database.write((db) => revokeTokens(db, story.workspace.id, connection.botId, now))
    await runDueTask(parts(async () => ({ object: 'never' })))
    const errorOf = async (task: string): Promise<unknown> => {
      const row = await own.service.database.read((db) =>
        db.get({ error: 'text?', status: 'text' }, 'select error, status from async_tasks where id = ?', task),
      )
      return [row?.status, row?.error && (JSON.parse(row.error) as { status: number }).status]
    }
    expect(await errorOf(id)).toStrictEqual(['failed', 401])
    const tomas = story.people[1].id
    await own.service.database.write((db) =>
      createPersonalToken(db, { workspaceId: story.workspace.id, personId: tomas, days: 7 }, now - 7 * DAY_MS),
    )
    const outdated = await taskOf({ botId: tomas })
    await runDueTask(parts(async () => ({ object: 'never' })))
    expect(await errorOf(outdated)).toStrictEqual(['failed', 401])
    await own.service.database.write((db) => createPersonalToken(db, { workspaceId: story.workspace.id, personId: tomas }, now))
    const policy = (token_holders: 'owners' | 'members'): Promise<void> =>
      own.service.database.write((db) => setWorkspacePolicies(db, story.workspace.id, { token_holders }))
    for (const [holders, outcome] of [
      ['members', ['succeeded', null]],
      ['owners', ['failed', 401]],
    ] as const) {
      await policy(holders)
      const left = await taskOf({ botId: tomas })
      await runDueTask(parts(async () => ({ object: 'page', id: 'x' })))
      expect(await errorOf(left)).toStrictEqual(outcome)
    }
    await policy('members')
    const other = await makeConnection(own, { capabilities: [] })
    const unknown = await taskOf(other)
    for (let times = 0; times < 4; times += 1) {
      await runDueTask({ ...parts(async () => ({})), works: new Map() })
      now += DAY_MS
    }
    expect(await errorOf(unknown)).toStrictEqual(['failed', 503])
  })
})
