import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newestRelease } from '../../../generated/operations.ts'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { createPersonalToken } from '../../../server/domain/administration/tokens.ts'
import { setWorkspacePolicies } from '../../../server/domain/administration/workspaces.ts'
import { asyncTaskKind, type Work } from '../../../server/domain/data/async_tasks/task_kind.ts'
import { operationName } from '../../../server/domain/data/async_tasks/tasks.ts'
import { claimJobs, type HeldAttempt } from '../../../server/domain/shared/jobs/attempts.ts'
import type { JobKind } from '../../../server/domain/shared/jobs/job.ts'
import { enqueue } from '../../../server/domain/shared/jobs/queue.ts'
import { ServiceError } from '../../../server/kernel/errors.ts'
import { serviceUnavailable } from '../../../server/kernel/unavailable.ts'
import { insertTask } from '../../../server/store/async_tasks.ts'
import type { Transaction } from '../../../server/store/database.ts'
import { revokeTokens } from '../../../server/store/tokens.ts'
import { makeConnection, type TestConnection } from '../../harness/connections.ts'
import { startTestServer, type TestServer } from '../../harness/server.ts'

const DAY_MS = 86_400_000
const NAME = operationName('createPage')
/** Jobs of this kind, unknown to servers, are tasks whose work and clock the test controls. */
const KIND = 'async_task_of_the_test'

let now: number
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  now = server.clock.now()
})
afterAll(() => server.stop())

async function taskOf({ botId }: Pick<TestConnection, 'botId'>): Promise<string> {
  const id = randomUUID()
  const workspaceId = exampleWorkspace.workspace.id
  await server.service.database.write(async (db) => {
    await insertTask(
      db,
      workspaceId,
      { id, actorId: botId, operation: NAME, version: newestRelease, request: '{"n":1}' },
      server.clock.now(),
    )
    await enqueue(db, { kind: KIND, workspaceId, key: id, payload: { id }, dueTime: now })
  })
  return id
}

/** The transaction of prepared work. */
type Change = Awaited<ReturnType<Work>>

function kindOf(works: ReadonlyMap<string, Work>): JobKind {
  const kind = asyncTaskKind({
    database: server.service.database,
    works,
    now: () => now,
    scopeOf: (actor, version, db) => ({
      db,
      actor,
      now,
      baseUrl: server.url,
      cursors: undefined as never,
      version,
      files: undefined as never,
    }),
  })
  return { ...kind, name: KIND }
}

async function claim(change: Change | undefined): Promise<HeldAttempt | undefined> {
  const parts = { database: server.service.database, now: () => now, scrub: (text: string) => text }
  const kind = kindOf(new Map(change === undefined ? [] : [[NAME, async () => change]]))
  return (await claimJobs(parts, [{ kind, room: 1, after: null }]))[0]
}

/**
 * Runs the due task.
 * @returns whether there was one
 */
async function run(work: Change | undefined): Promise<boolean> {
  const attempt = await claim(work)
  await attempt?.run()
  return attempt !== undefined
}

const state = async (id: string, { caller }: TestConnection): Promise<unknown[]> => {
  const { status, body, headers } = await caller.call('retrieveAsyncTask', { path: { task_id: id } })
  return [status, body['status'], headers['retry-after']]
}

/** A visible effect of the work. */
const makeEmoji = (db: Transaction): Promise<unknown> =>
  db.run(
    'insert into custom_emojis (workspace_id, id, name, url, created_time) values (?, ?, ?, ?, ?)',
    exampleWorkspace.workspace.id,
    randomUUID(),
    'x',
    'https://example.org',
    1,
  )
const countEmojis = async (): Promise<unknown> =>
  (await server.service.database.read((db) => db.get({ n: 'integer' }, 'select count(*) as n from custom_emojis')))?.n

const errorOf = async (task: string): Promise<unknown> => {
  const row = await server.service.database.read((db) =>
    db.get({ error: 'text?', status: 'text' }, 'select error, status from async_tasks where id = ?', task),
  )
  return [row?.status, row?.error && (JSON.parse(row.error) as { status: number }).status]
}

describe('an asynchronous task', () => {
  it('is retried after about 2, 8 and 32 seconds for temporary failures, and then fails', async () => {
    const connection = await makeConnection(server, { capabilities: [] })
    const id = await taskOf(connection)
    let attempts = 0
    const work: Change = async () => {
      attempts += 1
      throw attempts === 2 ? new Error('a fault of ours') : serviceUnavailable('The storage is away.')
    }
    expect(await state(id, connection)).toStrictEqual([200, 'queued', '2'])
    for (const [index, seconds] of [2, 8, 32].entries()) {
      expect(await run(work)).toBe(true)
      expect([attempts, ...(await state(id, connection))]).toStrictEqual([index + 1, 200, 'retrying', '2'])
      now += seconds * 900 - 1
      expect(await run(work)).toBe(false)
      now += seconds * 200 + 1
    }
    expect(await run(work)).toBe(true)
    expect([attempts, ...(await state(id, connection))]).toStrictEqual([4, 200, 'failed', undefined])
    expect(await errorOf(id)).toStrictEqual(['failed', 503])
    now += DAY_MS
    expect(await run(work)).toBe(false)
  })

  it('is shown as running, with the time to poll again, while a worker runs it', async () => {
    const connection = await makeConnection(server, { capabilities: [] })
    const id = await taskOf(connection)
    const asRunning = `update async_tasks set status = 'running' where id = ? and status = 'running'`
    let isRunning = false
    await run(async ({ db }) => {
      isRunning = (await db.change(asRunning, id)) === 1
      return { object: 'page', id }
    })
    expect([isRunning, ...(await state(id, connection))]).toStrictEqual([true, 200, 'succeeded', undefined])
    // As if the worker were still running.
    await server.service.database.write((db) =>
      db.run(`update async_tasks set status = 'running', result = null where id = ?`, id),
    )
    expect(await state(id, connection)).toStrictEqual([200, 'running', '2'])
  })

  it('fails at the first attempt when the tokens of the caller are revoked', async () => {
    const connection = await makeConnection(server, { capabilities: [] })
    const id = await taskOf(connection)
    await server.service.database.write((db) => revokeTokens(db, exampleWorkspace.workspace.id, connection.botId, now))
    expect(await run(async () => ({ object: 'never' }))).toBe(true)
    expect(await errorOf(id)).toStrictEqual(['failed', 401])
    now += DAY_MS
    expect(await run(async () => ({ object: 'never' }))).toBe(false)
  })

  it('fails with 406 row_limit_exceeded, like the request, when it exceeds the row limit', async () => {
    const connection = await makeConnection(server, { capabilities: [] })
    const id = await taskOf(connection)
    await run(() => Promise.reject(new ServiceError('row_limit_exceeded', { message: 'There are too many rows.' })))
    const { status, body } = await connection.caller.call('retrieveAsyncTask', { path: { task_id: id } })
    const error = { object: 'error', status: 406, code: 'row_limit_exceeded', message: 'There are too many rows.' }
    expect([status, body]).toMatchObject([200, { status: 'failed', error }])
  })

  it('is taken over from a dead worker, which can no longer commit', async () => {
    const connection = await makeConnection(server, { capabilities: [] })
    const id = await taskOf(connection)
    const requests: string[] = []
    const emojis = await countEmojis()
    const dead = await claim(({ db }) => makeEmoji(db).then(() => ({ object: 'late' })))
    expect(await run(async () => ({ object: 'never' }))).toBe(false)
    now += 120_000
    const second = await claim(async (_scope, request) => {
      requests.push(JSON.stringify(request))
      return { object: 'page', id }
    })
    await dead?.run()
    expect(await countEmojis()).toBe(emojis)
    await second?.run()
    const row = await server.service.database.read((db) =>
      db.get(
        { status: 'text', result: 'text', request: 'text?' },
        'select status, result, request from async_tasks where id = ?',
        id,
      ),
    )
    expect([row?.status, JSON.parse(row?.result ?? ''), row?.request, requests]).toStrictEqual([
      'succeeded',
      { object: 'page', id },
      null,
      ['{"n":1}'],
    ])
  })

  it('fails with 503 when every worker that runs it dies', async () => {
    const connection = await makeConnection(server, { capabilities: [] })
    const id = await taskOf(connection)
    for (let times = 0; times < 4; times += 1) {
      expect(await claim(undefined)).toBeDefined()
      now += 120_000
    }
    await run(async () => ({ object: 'never' }))
    expect(await errorOf(id)).toStrictEqual(['failed', 503])
  })

  it('rolls back what a failed attempt has written', async () => {
    const connection = await makeConnection(server, { capabilities: [] })
    await taskOf(connection)
    const before = await countEmojis()
    await run(async ({ db }) => {
      await makeEmoji(db)
      throw serviceUnavailable('no')
    })
    expect(await countEmojis()).toBe(before)
    now += DAY_MS
    while (await run(async () => ({ object: 'page', id: 'x' }))) continue
  })

  it('fails with 401 when the token has expired or the workspace policy forbids it, and with 503 when the operation is unknown', async () => {
    const tomas = exampleWorkspace.people[1].id
    await server.service.database.write((db) =>
      createPersonalToken(db, { workspaceId: exampleWorkspace.workspace.id, personId: tomas, days: 7 }, now - 7 * DAY_MS),
    )
    const outdated = await taskOf({ botId: tomas })
    await run(async () => ({ object: 'never' }))
    expect(await errorOf(outdated)).toStrictEqual(['failed', 401])
    await server.service.database.write((db) =>
      createPersonalToken(db, { workspaceId: exampleWorkspace.workspace.id, personId: tomas }, now),
    )
    const policy = (token_holders: 'owners' | 'members'): Promise<void> =>
      server.service.database.write((db) => setWorkspacePolicies(db, exampleWorkspace.workspace.id, { token_holders }))
    for (const [holders, outcome] of [
      ['members', ['succeeded', null]],
      ['owners', ['failed', 401]],
    ] as const) {
      await policy(holders)
      const left = await taskOf({ botId: tomas })
      await run(async () => ({ object: 'page', id: 'x' }))
      expect(await errorOf(left)).toStrictEqual(outcome)
    }
    await policy('members')
    const other = await makeConnection(server, { capabilities: [] })
    const unknown = await taskOf(other)
    for (let times = 0; times < 4; times += 1) {
      await run(undefined)
      now += DAY_MS
    }
    expect(await errorOf(unknown)).toStrictEqual(['failed', 503])
  })
})
