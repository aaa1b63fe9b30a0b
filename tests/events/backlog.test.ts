import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { story } from '../../server/bootstrap/story.ts'
import { formEvents } from '../../server/domain/events/form_events.ts'
import type { Transaction } from '../../server/store/database.ts'
import { insertEntries, type NewEntry } from '../../server/store/outbox.ts'
import { makePage } from '../harness/content.ts'
import { Listening } from '../harness/events.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

/** Far ahead of the clock of the service, so that only the test forms events. */
const START = Date.now() + 86_400_000
const LATER = START + 86_400_000
/** Two changes of a page that are so far apart are in different windows. */
const APART = 60_000

class RolledBack extends Error {}

describe('a backlog of changes', () => {
  let server: TestServer
  let listening: Listening
  let pages: string[]
  let page = ''
  beforeAll(async () => {
    server = await startTestServer()
    const types = ['page.content_updated'] as const
    listening = await Listening.start(server, { connectionId: story.connection.id, types })
    pages = await Promise.all(['One', 'Other', 'Third'].map((title) => makePage(server.owner, title)))
    page = pages[0] ?? ''
  })
  afterAll(() => server.stop())

  const change = (entityId: string, time: number): NewEntry => ({
    entityId,
    stream: 'window',
    type: 'page.content_updated',
    time,
    authorId: story.people[0].id,
    details: JSON.stringify({ updatedBlocks: [{ id: randomUUID(), type: 'block' }] }),
    listeners: { [listening.id]: '2026-03-11' },
  })

  /** Forms the events of a backlog. @returns how many windows each transaction made events of, and the entries left */
  async function form(backlog: readonly NewEntry[]): Promise<{ counts: number[]; entriesLeft: number }> {
    let outcome: { counts: number[]; entriesLeft: number } | undefined
    const work = async (db: Transaction): Promise<void> => {
      await db.run('delete from outbox')
      await insertEntries(db, story.workspace.id, backlog)
      const counts: number[] = []
      for (let hasMore = true; hasMore;) {
        const formed = await formEvents(db, story.workspace.id, 'window', LATER)
        counts.push(formed.count)
        hasMore = formed.hasMore
      }
      const left = await db.all({ number: 'integer' }, 'select number from outbox')
      outcome = { counts, entriesLeft: left.length }
      throw new RolledBack()
    }
    await expect(server.service.database.write(work, story.workspace.id)).rejects.toThrow(RolledBack)
    if (!outcome) throw new Error('no events were formed')
    return outcome
  }

  const spread = (entityId: string, count: number, apart: number): NewEntry[] =>
    Array.from({ length: count }, (_entry, n) => change(entityId, START + n * apart))

  it('of one page becomes events in several transactions, each of whole windows', async () => {
    const pairs = Array.from({ length: 225 }, (_pair, n) => [START + n * APART, START + n * APART + 1])
    const { counts, entriesLeft } = await form(pairs.flat().map((time) => change(page, time)))
    expect(entriesLeft).toBe(0)
    expect(counts).toStrictEqual([99, 99, 27])
  })

  it('with one window of more changes than a transaction reads becomes one event', async () => {
    expect(await form(spread(page, 900, 1))).toStrictEqual({ counts: [1], entriesLeft: 0 })
  })

  it('of several pages becomes events of as many pages as there is room for', async () => {
    const backlog = pages.flatMap((one) => spread(one, 90, 1))
    expect(await form(backlog)).toStrictEqual({ counts: [2, 1], entriesLeft: 0 })
  })
})
