import { afterEach, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { Deadline } from '../../server/kernel/deadline.ts'
import { makePage, paragraph } from '../harness/content.ts'
import { makeDatabase } from '../harness/databases.ts'
import { expectError } from '../harness/expectations.ts'
import { idOf, resultsOf } from '../harness/json.ts'
import { until } from '../harness/process.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { subscribe, verify } from '../harness/webhooks.ts'
import { holdWrites } from './support/lock.ts'

const later = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

describe('a request that exceeds the time limit', () => {
  const ends: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })

  async function start(secondsMax = '1'): Promise<{ server: TestServer; url: string }> {
    const database = await makeDatabase('none')
    ends.push(() => database.drop())
    const server = await startTestServer({ DATABASE_URL: database.url, REQUEST_SECONDS_MAX: secondsMax })
    ends.push(() => server.stop())
    return { server, url: database.url }
  }

  it('gets 503, and its change is never made later', async () => {
    const { server, url } = await start()
    const page = await makePage(server.owner)
    const lock = await holdWrites(url)
    ends.push(() => lock.release().catch(() => undefined))
    const late = await server.owner.call('appendBlockChildren', {
      path: { block_id: page },
      body: { children: [paragraph('too late')] },
    })
    expectError(late, 503, 'service_unavailable', 'Nothing was changed')
    await lock.release()
    await later(300)
    expect(resultsOf((await server.owner.call('listBlockChildren', { path: { block_id: page } })).body)).toEqual([])

    // The service continues normally.
    const next = await server.owner.call('appendBlockChildren', {
      path: { block_id: page },
      body: { children: [paragraph('in time')] },
    })
    expect(next.status).toBe(200)
    expect(resultsOf((await server.owner.call('listBlockChildren', { path: { block_id: page } })).body)).toHaveLength(1)
  })

  it('gets 503, and its wrong verification token is not counted later', async () => {
    const { server, url } = await start()
    const id = idOf((await subscribe(server.owner, 'https://hooks.workspace.example/in')).body)
    const lock = await holdWrites(url)
    ends.push(() => lock.release().catch(() => undefined))
    expectError(await verify(server.owner, id, 'wrong'), 503, 'service_unavailable', 'Nothing was changed')
    await lock.release()
    await later(300)
    const { database } = server.service
    const row = await database.read((db) =>
      db.get({ wrong_tries: 'integer' }, 'select wrong_tries from webhook_subscriptions where id = ?', id),
    )
    expect(row).toEqual({ wrong_tries: 0 })
  })

  it('does not delay readers', async () => {
    const { server, url } = await start('30')
    const lock = await holdWrites(url)
    ends.push(() => lock.release().catch(() => undefined))
    let isWritten = false
    const write = makePage(server.owner).finally(() => (isWritten = true))
    expect((await server.owner.call('retrieveBlock', { path: { block_id: exampleWorkspace.pages.checklist } })).status).toBe(200)
    expect(isWritten).toBe(false)
    await lock.release()
    await write
  })

  it('gets 200 instead if the lock is released in time', async () => {
    const { server, url } = await start()
    const lock = await holdWrites(url)
    ends.push(() => lock.release().catch(() => undefined))
    const write = makePage(server.owner)
    await later(300)
    await lock.release()
    expect(await write).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('the deadline of a request', () => {
  const forever = new Promise<never>(() => undefined)

  it('does not affect work that finishes in time', async () => {
    const deadline = new Deadline(1_000)
    expect(await deadline.guard(later(10).then(() => 'done'))).toBe('done')
  })

  it('ends the wait for late work, and prevents its commit', async () => {
    const deadline = new Deadline(30)
    await expect(deadline.guard(forever)).rejects.toMatchObject({ code: 'service_unavailable' })
    expect(() => deadline.check()).toThrow()
    expect(() => deadline.beginCommit()).toThrow()
  })

  it('waits for the outcome of a commit that started in time, however long it takes', async () => {
    const deadline = new Deadline(30)
    const work = async (): Promise<string> => {
      await later(5)
      deadline.beginCommit()
      await later(100)
      return 'committed'
    }
    expect(await deadline.guard(work())).toBe('committed')
  })

  it('follows the clock when a busy process delays its timers', async () => {
    const deadline = new Deadline(20)
    const work = async (): Promise<void> => {
      await later(1)
      for (const end = performance.now() + 60; performance.now() < end;);
      deadline.beginCommit()
    }
    await expect(deadline.guard(work())).rejects.toMatchObject({ code: 'service_unavailable' })
  })

  it('discards later failures of abandoned work', async () => {
    const failures: unknown[] = []
    const listen = (reason: unknown): void => void failures.push(reason)
    process.on('unhandledRejection', listen)
    const deadline = new Deadline(10)
    await expect(
      deadline.guard(
        later(40).then(() => {
          throw new Error('too late')
        }),
      ),
    ).rejects.toMatchObject({ code: 'service_unavailable' })
    await until(async () => later(80).then(() => true))
    process.off('unhandledRejection', listen)
    expect(failures).toEqual([])
  })
})
