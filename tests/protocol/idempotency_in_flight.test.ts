import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newestRelease } from '../../generated/operations.ts'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import {
  claimKey,
  freeKey,
  saveResponse,
  KEYS_PER_ACTOR_MAX,
  newUse,
  type KeyUse,
} from '../../server/domain/shared/idempotency.ts'
import { jsonBodyIdentity, keyedRequest } from '../../server/application/keyed_request.ts'
import { sweep } from '../harness/sweeps.ts'
import type { Database } from '../../server/store/database.ts'
import { openDatabase } from '../../server/store/open.ts'
import { parseConfig } from '../../server/config.ts'
import type { TestResponse } from '../harness/responses.ts'
import { children, makePage, text } from '../harness/content.ts'
import { databaseOfFile, engine, on } from '../harness/databases.ts'
import { expectError } from '../harness/expectations.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { withoutSql } from '../harness/long_runs.ts'

const bot = { workspaceId: exampleWorkspace.workspace.id, userId: exampleWorkspace.bot.id }

const shared = await databaseOfFile()
/** Two servers on one database. */
let servers: readonly [TestServer, TestServer]
/** The database as opened by a third process. */
let third: Database
beforeAll(async () => {
  const start = (): Promise<TestServer> => startTestServer({ DATABASE_URL: shared.url })
  servers = [await start(), await start()]
  third = openThird()
})
afterAll(() => Promise.all([...servers.map((server) => server.stop()), third.close()]))

const bodyFor = (parent: string, title = 'Sail plan'): object => ({
  parent: { page_id: parent },
  properties: { title: { title: [text(title)] } },
})
const create = (server: TestServer, key: string, body: object): Promise<TestResponse> =>
  server.owner.call('createPage', { body, headers: { 'Idempotency-Key': key } })
const countBelow = async (parent: string): Promise<number> => (await children(servers[0].owner, parent)).length

const openThird = (): Database => openDatabase(parseConfig({ DATABASE_URL: shared.url }).database)

/**
 * The claim of a request that another process executes.
 * @param holder null if it is unknown whether that process is alive
 */
async function claimFor(key: string, body: object, holder?: number | null): Promise<KeyUse> {
  const number = holder === undefined ? await third.presence?.own() : holder
  const use = { ...keyedUse(key, body), holder: number ?? null }
  const known = await servers[0].service.database.write((db) => claimKey(db, use, servers[0].clock.now()))
  if (known) throw new Error('the key was used before')
  return use
}

function keyedUse(key: string, body: object): KeyUse {
  const request = keyedRequest(bot, key, {
    method: 'POST',
    segments: ['v1', 'pages'],
    query: [],
    version: newestRelease,
    betas: [],
    body: jsonBodyIdentity(body),
  })
  return newUse(request)
}

function advance(milliseconds: number): void {
  for (const { clock } of servers) clock.advance(milliseconds)
}

function expectRunning(response: TestResponse, key: string): void {
  expectError(response, 409, 'conflict_error')
  expect(response.headers['retry-after']).toBe('1')
  expect(response.body['message']).toBe(
    `The first request with the idempotency key \`${key}\` is still running; retry after the time in Retry-After.`,
  )
}

describe('while the first request with a key runs', () => {
  it('409 conflict_error with Retry-After 1 for the same request, and 409 idempotency_key_reused for another, in every process', async () => {
    const [parent, key] = [await makePage(servers[0].owner), randomUUID()]
    await claimFor(key, bodyFor(parent))
    for (const server of servers) {
      expectRunning(await create(server, key, bodyFor(parent)), key)
      const other = await create(server, key, bodyFor(parent, 'Other'))
      expectError(other, 409, 'idempotency_key_reused')
      expect(other.body['message']).toBe(`Idempotency key \`${key}\` was first used for a different POST /v1/pages request.`)
      expect(other.headers['retry-after']).toBeUndefined()
    }
    expect(await countBelow(parent)).toBe(0)
  })

  it('409 until 60 seconds after its start, after which the key is free, even for another request', async () => {
    const [parent, key, second] = [await makePage(servers[0].owner), randomUUID(), randomUUID()]
    await claimFor(key, bodyFor(parent))
    await claimFor(second, bodyFor(parent))
    advance(59_999)
    expectRunning(await create(servers[1], key, bodyFor(parent)), key)
    expectError(await create(servers[1], second, bodyFor(parent, 'Other')), 409, 'idempotency_key_reused')
    advance(1)
    expect((await create(servers[1], key, bodyFor(parent))).status).toBe(200)
    expect((await create(servers[0], second, bodyFor(parent, 'Other'))).status).toBe(200)
    expect(await countBelow(parent)).toBe(2)
  })

  it('409 for the first request when a repeat has taken over its key, so that only one is committed', async () => {
    const [parent, key] = [await makePage(servers[0].owner), randomUUID()]
    const slow = await claimFor(key, bodyFor(parent))
    advance(60_000)
    const repeat = await create(servers[1], key, bodyFor(parent))
    expect(repeat.status).toBe(200)
    const late = servers[0].service.database.write((db) =>
      saveResponse(db, slow, { status: 200, headers: {}, text: '{}' }, servers[0].clock.now()),
    )
    await expect(late).rejects.toMatchObject({ code: 'conflict_error', headers: { 'Retry-After': '1' } })
    expect((await create(servers[0], key, bodyFor(parent))).text).toBe(repeat.text)
  })

  it('409 while a repeat that has taken over the key runs, even if the first request has failed', async () => {
    const [parent, key] = [await makePage(servers[0].owner), randomUUID()]
    const slow = await claimFor(key, bodyFor(parent))
    advance(60_000)
    const repeat = await claimFor(key, bodyFor(parent))
    await servers[0].service.database.write((db) => freeKey(db, slow))
    expectRunning(await create(servers[1], key, bodyFor(parent)), key)
    await servers[0].service.database.write((db) => freeKey(db, repeat))
    expect((await create(servers[1], key, bodyFor(parent))).status).toBe(200)
  })
})

describe('when the process of the first request with a key has ended', () => {
  it('200 immediately, for the same request and for another, in every process', async () => {
    const parent = await makePage(servers[0].owner)
    for (const server of servers) {
      const [keys, other] = [[randomUUID(), randomUUID()] as const, openThird()]
      const holder = await other.presence?.own()
      for (const key of keys) await claimFor(key, bodyFor(parent), holder)
      expectRunning(await create(server, keys[0], bodyFor(parent)), keys[0])
      await other.close()
      const first = await create(server, keys[0], bodyFor(parent))
      expect(first.status).toBe(200)
      expect((await create(server, keys[0], bodyFor(parent))).text).toBe(first.text)
      expect((await create(server, keys[1], bodyFor(parent, 'Other'))).status).toBe(200)
    }
    expect(await countBelow(parent)).toBe(4)
  })

  it('409 with Retry-After 1 when the responding process itself holds the key', async () => {
    const [parent, key] = [await makePage(servers[0].owner), randomUUID()]
    await claimFor(key, bodyFor(parent), await servers[0].service.database.presence?.own())
    expectRunning(await create(servers[0], key, bodyFor(parent)), key)
  })

  it('409 with the remaining seconds when the state of that process is unknown', async () => {
    const [parent, key] = [await makePage(servers[0].owner), randomUUID()]
    await claimFor(key, bodyFor(parent), null)
    for (const [milliseconds, seconds] of [
      [0, '60'],
      [17_400, '43'],
      [42_599, '1'],
    ] as const) {
      advance(milliseconds)
      const response = await create(servers[1], key, bodyFor(parent))
      expectError(response, 409, 'conflict_error')
      expect(response.headers['retry-after']).toBe(seconds)
    }
    expectError(await create(servers[1], key, bodyFor(parent, 'Other')), 409, 'idempotency_key_reused')
    advance(1)
    expect((await create(servers[1], key, bodyFor(parent))).status).toBe(200)
  })
})

describe('concurrent requests with one key', () => {
  it('200 with the response of one created page, or 409 while the page is being created', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [parent, key] = [await makePage(servers[0].owner), randomUUID()]
      const responses = await Promise.all(
        Array.from({ length: 16 }, (_, index) => create(servers[index % 2 === 0 ? 0 : 1], key, bodyFor(parent))),
      )
      const done = responses.filter(({ status }) => status === 200)
      expect(done.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).toHaveLength(1)
      expect(new Set(done.map((response) => response.text)).size).toBe(1)
      for (const response of responses) if (response.status !== 200) expectRunning(response, key)
      expect(await countBelow(parent)).toBe(1)
      expect((await create(servers[1], key, bodyFor(parent))).text).toBe(done[0]?.text)
    }
  })

  it('200 for one request, and 409 for every different request with the same key', async () => {
    const [parent, key] = [await makePage(servers[0].owner), randomUUID()]
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, index) => create(servers[index % 2 === 0 ? 0 : 1], key, bodyFor(parent, `Title ${index}`))),
    )
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const response of responses) if (response.status !== 200) expectError(response, 409, 'idempotency_key_reused')
    expect(await countBelow(parent)).toBe(1)
  })

  it('200 for different keys, which do not affect each other', async () => {
    const parent = await makePage(servers[0].owner)
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, index) => create(servers[index % 2 === 0 ? 0 : 1], randomUUID(), bodyFor(parent))),
    )
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(12)
    expect(await countBelow(parent)).toBe(12)
  })
})

on('postgresql', describe)('a request that the database delays', () => {
  /** Blocks all writes in the workspace while `work` runs. */
  async function holdingUp(work: () => Promise<void>): Promise<void> {
    const client = new pg.Client({ connectionString: shared.url })
    client.on('error', () => undefined)
    await client.connect()
    await client.query('begin')
    await client.query('select id from workspaces for update')
    try {
      await work()
    } finally {
      await client.query('rollback')
      await client.end()
    }
  }

  /**
   * Waits until the key belongs to a different request than before.
   * @returns the mark of that request
   */
  async function claimed(key: string, before?: string): Promise<string> {
    const find = async (): Promise<string | undefined> =>
      (
        await servers[0].service.database.read((db) =>
          db.get({ claim: 'text' }, 'select claim from idempotency_keys where key = ?', key),
        )
      )?.claim
    await expect.poll(find, { timeout: 60_000 }).not.toBeOneOf([undefined, before])
    return (await find()) ?? ''
  }

  it('409 while the first request waits for a lock, and 200 with the stored response when done', async () => {
    const [parent, key] = [await makePage(servers[0].owner), randomUUID()]
    let first: Promise<TestResponse> | undefined
    await holdingUp(async () => {
      first = create(servers[0], key, bodyFor(parent))
      await claimed(key)
      expectRunning(await create(servers[1], key, bodyFor(parent)), key)
      expectError(await create(servers[1], key, bodyFor(parent, 'Other')), 409, 'idempotency_key_reused')
    })
    const done = await first
    expect(done?.status).toBe(200)
    expect((await create(servers[1], key, bodyFor(parent))).text).toBe(done?.text)
    expect(await countBelow(parent)).toBe(1)
  })

  it('409 when a repeat has taken over, and the slow request is rolled back', async () => {
    const [parent, key] = [await makePage(servers[0].owner), randomUUID()]
    const responses: Promise<TestResponse>[] = []
    await holdingUp(async () => {
      responses.push(create(servers[0], key, bodyFor(parent)))
      const slow = await claimed(key)
      advance(60_000)
      responses.push(create(servers[1], key, bodyFor(parent)))
      await claimed(key, slow)
    })
    const [slow, repeat] = await Promise.all(responses)
    if (!slow || !repeat) throw new Error('no responses')
    expectRunning(slow, key)
    expect(repeat.status).toBe(200)
    expect(await countBelow(parent)).toBe(1)
  })
})

async function sweepAll(): Promise<void> {
  advance(48 * 3_600_000)
  await sweep(servers[0].service.database, servers[0].clock.now())
}

async function countKeys(database: Database): Promise<number> {
  return (await database.read((db) => db.get({ n: 'integer' }, 'select count(*) as n from idempotency_keys')))?.n ?? 0
}

describe('stored idempotency keys', () => {
  it('are deleted after 24 hours, and not before', async () => {
    await sweepAll()
    const [database, parent] = [servers[0].service.database, await makePage(servers[0].owner)]
    expect(await countKeys(database)).toBe(0)
    for (let index = 0; index < 250; index += 1) await claimFor(`old-${index}`, {})
    advance(3_600_000)
    expect((await create(servers[0], 'young', bodyFor(parent))).status).toBe(200)
    advance(23 * 3_600_000 - 1)
    await sweep(database, servers[0].clock.now())
    expect(await countKeys(database)).toBe(251)
    advance(1)
    await sweep(database, servers[0].clock.now())
    expect(await countKeys(database)).toBe(1)
    expect((await create(servers[0], 'young', bodyFor(parent))).headers['idempotency-replayed']).toBe('true')
  })

  withoutSql(it)(
    'are at most 100,000 for one actor: the oldest completed ones are deleted, those of others and in flight stay',
    async () => {
      await sweepAll()
      const { database } = servers[0].service
      const [now, beyond] = [servers[0].clock.now(), 5]
      await fillKeys(database, bot.userId, KEYS_PER_ACTOR_MAX + beyond, now)
      await fillKeys(database, randomUUID(), 10, now)
      await claimFor('running', {})
      await database.write((db) => db.run('update idempotency_keys set changed_time = 1 where key = ?', 'running'))
      // One claim in 256, selected by its random mark, counts the keys of its actor.
      const counting = { ...keyedUse('counting', {}), claim: '00000100-0000-4000-8000-000000000000' }
      await database.write((db) => claimKey(db, counting, now))
      await database.write((db) => freeKey(db, counting))
      const rows = await database.read((db) =>
        db.all(
          { key: 'text' },
          'select key from idempotency_keys where actor_id = ? order by changed_time, key limit 3',
          bot.userId,
        ),
      )
      expect(rows.map(({ key }) => key)).toStrictEqual(['running', 'filled-6', 'filled-7'])
      expect(await countKeys(database)).toBe(KEYS_PER_ACTOR_MAX + 10)
      await sweepAll()
    },
  )
})

/** Inserts keys with responses, one each millisecond until now. */
async function fillKeys(database: Database, actorId: string, count: number, now: number): Promise<void> {
  const [id, time, bytes] = engine === 'sqlite' ? ['?', '?', 'zeroblob(32)'] : ['?::uuid', '?::bigint', "'\\x00'::bytea"]
  await database.write((db) =>
    db.run(
      `insert into idempotency_keys (workspace_id, actor_id, key, fingerprint, request, claim, changed_time, status, headers, body)
     select ${id}, ${id}, 'filled-' || i, ${bytes}, 'POST /v1/pages', ${id}, ${time} + i, 200, '{}', '{}'
     from (with recursive n (i) as (select 0 union all select i + 1 from n where i + 1 < ?) select i from n) as numbers where true`,
      bot.workspaceId,
      actorId,
      randomUUID(),
      now - count,
      count,
    ),
  )
}
