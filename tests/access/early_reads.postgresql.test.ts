import { beforeEach, describe, expect, it } from 'vitest'
import { story } from '../../server/bootstrap/story.ts'
import { setConnectionEnabled, updateConnection } from '../../server/domain/administration/connections.ts'
import { share, unshare } from '../../server/domain/sharing.ts'
import type { Database, Transaction } from '../../server/store/database.ts'
import { makeConnection, type TestConnection } from '../harness/connections.ts'
import { makeDatabase, makeRow } from '../harness/databases_content.ts'
import { idOf } from '../harness/json.ts'
import { observed } from '../harness/observed.ts'
import { serverOfFile, TestClock } from '../harness/server.ts'

/** Data is read while the token is looked up, for the actor that it last stood for, and answered only if it still stands for the same one. */

const { workspace, pages } = story

/** What happens once the early read has its result, before the token is looked up. */
let meanwhile: (() => Promise<unknown>) | undefined
let early: unknown
const trips = { made: 0, waiting: [] as (() => void)[] }

/** Statements that are asked for before the event loop has had a turn go out together. */
function sent<T>(ask: () => T | Promise<T>): Promise<T> {
  if (trips.waiting.length === 0)
    setImmediate(() => {
      trips.made += 1
      for (const go of trips.waiting.splice(0)) go()
    })
  return new Promise((resolve, reject) => void trips.waiting.push(() => void Promise.resolve(ask()).then(resolve, reject)))
}

function watched(database: Database): Database {
  const counting: Database['read'] = (work) =>
    database.read((db) =>
      work(
        observed(db, {
          all: (shape, statement) => sent(() => db.all(shape, statement)),
          get: (shape, statement) => sent(() => db.get(shape, statement)),
        }),
      ),
    )
  return {
    ...database,
    read: (work) => {
      const found = counting(work)
      early ??= found
      return found
    },
    async readCached(key, work) {
      // The read begins in the same turn, if it does.
      await Promise.resolve()
      if (meanwhile) {
        await Promise.allSettled([early])
        await meanwhile()
        meanwhile = undefined
      }
      return database.readCached(key, (db) =>
        work(observed(db, { get: (shape, statement) => sent(() => db.get(shape, statement)) })),
      )
    },
  }
}

const server = await serverOfFile({ RATE_LIMIT: '1000/60' }, new TestClock(), undefined, { wrapDatabase: watched })
let crane: TestConnection
beforeEach(async () => {
  crane = await makeConnection(server, { capabilities: ['read_content'], grants: [workspace.id] })
  expect(await statusOf()).toBe(200)
})

/** What a connection gets for a page. @param change made after the page has been read, and before the token is looked up */
async function statusOf(change?: (db: Transaction) => Promise<unknown>): Promise<number> {
  early = undefined
  meanwhile = change && (() => server.service.database.write((db) => change(db)))
  const { status } = await crane.caller.call('retrievePage', { path: { page_id: pages.handbook } })
  expect(meanwhile).toBeUndefined()
  return status
}

describe('a cached read sees what has changed since the last request', () => {
  const grant = (): { connectionId: string } => ({ connectionId: crane.connectionId })

  it('retrievePage 401: the connection is disabled', async () => {
    expect(await statusOf((db) => setConnectionEnabled(db, crane.connectionId, false, server.clock.now()))).toBe(401)
    expect(await statusOf()).toBe(401)
    expect(await statusOf((db) => setConnectionEnabled(db, crane.connectionId, true, server.clock.now()))).toBe(200)
  })

  it('retrievePage 401: the token is revoked', async () => {
    expect(await statusOf((db) => db.run('update tokens set revoked_time = 1 where connection_id = ?', crane.connectionId))).toBe(
      401,
    )
  })

  it('retrievePage 403: the connection loses the capability, and gets it back', async () => {
    expect(await statusOf((db) => updateConnection(db, crane.connectionId, { capabilities: [] }))).toBe(403)
    expect(await statusOf((db) => updateConnection(db, crane.connectionId, { capabilities: ['read_content'] }))).toBe(200)
  })

  it('retrievePage 404: the workspace is no longer shared, and is shared again', async () => {
    expect(await statusOf((db) => unshare(db, workspace.id, grant(), workspace.id))).toBe(404)
    expect(await statusOf((db) => share(db, workspace.id, grant(), workspace.id, server.clock.now()))).toBe(200)
  })

  it('retrievePage 401: the token has expired', async () => {
    await server.service.database.write((db) =>
      db.run('update tokens set expires_time = ? where connection_id = ?', server.clock.now() + 1_000, crane.connectionId),
    )
    expect(await statusOf()).toBe(200)
    server.clock.advance(1_000)
    expect(await statusOf()).toBe(401)
  })
})

it('a request is charged once, even if its speculative read fails', async () => {
  const left = async (page_id: string): Promise<number> => {
    const { headers } = await crane.caller.call('retrievePage', { path: { page_id } })
    return Number(/"connection";r=(\d+)/.exec(String(headers['ratelimit']))?.[1])
  }
  const before = await left(pages.handbook)
  expect(await left(pages.handbook)).toBe(before - 1)
  expect(await left('7d1a3a5e-6a0f-4c83-9c53-5a3f2b7f0a11')).toBe(before - 2)
  expect(await left(pages.handbook)).toBe(before - 3)
})

const { sourceId } = await makeDatabase(server.owner, pages.checklist, { Hours: { number: {} } })
const rowId = idOf(await makeRow(server.owner, sourceId, { Hours: { number: 3 } }))

describe('round trips to the database, one of them to count the request', () => {
  it.each([
    ['retrieveBlock', { block_id: pages.handbook }, 2],
    ['retrievePage', { page_id: pages.handbook }, 2],
    ['retrievePage', { page_id: rowId }, 4],
    ['listBlockChildren', { block_id: pages.handbook }, 2],
  ] as const)('%s %j: %i', async (id, path, count) => {
    const asked = async (): Promise<number> => {
      const before = trips.made
      expect((await server.owner.call(id, { path })).status).toBe(200)
      return trips.made - before
    }
    // Jobs may read at the same time: then it is tried again.
    await expect.poll(asked).toBe(count)
  })
})
