import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newestRelease } from '../../../generated/operations.ts'
import { story } from '../../../server/bootstrap/story.ts'
import { createPersonalToken } from '../../../server/domain/administration/tokens.ts'
import { setWorkspacePolicies } from '../../../server/domain/administration/workspaces.ts'
import { runDueTask, type TaskParts, type Work } from '../../../server/domain/async_tasks/run.ts'
import { serviceUnavailable } from '../../../server/kernel/unavailable.ts'
import { insertTask } from '../../../server/store/async_tasks.ts'
import type { Transaction } from '../../../server/store/database.ts'
import { revokeTokens } from '../../../server/store/tokens.ts'
import { makeConnection, type TestConnection } from '../../harness/connections.ts'
import { startTestServer, type TestServer } from '../../harness/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const DAY_MS = 86_400_000

/** A worker of our own, whose work and clock the test decides. Its tasks have a name that the server's own worker does not meet in time. */
describe('attempts at a task', () => {
  let now = Date.parse('2020-01-01T00:00:00Z')
  const NAME = 'POST /v1/test'

  async function taskOf({ botId }: Pick<TestConnection, 'botId'>): Promise<string> {
    const id = randomUUID()
    await own.service.database.write((db) =>
      insertTask(
        db,
        story.workspace.id,
        { id, actorId: botId, operation: NAME, version: newestRelease, request: '{"n":1}' },
        now,
      ),
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
