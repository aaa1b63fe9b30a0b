import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { formEvents } from '../../server/domain/events/form_events.ts'
import type { Transaction } from '../../server/store/database.ts'
import { insertEntries, type NewEntry } from '../../server/store/outbox.ts'
import { makePage } from '../harness/content.ts'
import { Listening } from '../harness/events.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

/** Far ahead of the service's clock, so that only the test creates events. */
const START = Date.now() + 86_400_000
const LATER = START + 86_400_000
/** Two changes of a page this far apart are in different windows. */
const APART = 60_000

class RolledBack extends Error {}

interface Outcome {
  /** Number of windows that each transaction turned into events. */
  readonly counts: readonly number[]
  /** Milliseconds of each transaction. */
  readonly durations: readonly number[]
  readonly entriesLeft: number
}

describe('a backlog of changes', () => {
  let server: TestServer
  let listening: Listening
  let pages: string[]
  let page = ''
  beforeAll(async () => {
    server = await startTestServer()
    const types = ['page.content_updated'] as const
    listening = await Listening.start(server, { connectionId: exampleWorkspace.connection.id, types })
    pages = await Promise.all(['One', 'Other', 'Third'].map((title) => makePage(server.owner, title)))
    page = pages[0] ?? ''
  })
  afterAll(() => server.stop())

  const change = (entityId: string, time: number): NewEntry => ({
    entityId,
    stream: 'window',
    type: 'page.content_updated',
    time,
    authorId: exampleWorkspace.people[0].id,
    details: JSON.stringify({ updatedBlocks: [{ id: randomUUID(), type: 'block' }] }),
    listeners: { [listening.id]: '2026-03-11' },
  })

  /** Creates the events of a backlog. */
  async function form(backlog: readonly NewEntry[]): Promise<Outcome> {
    let outcome: Outcome | undefined
    const work = async (db: Transaction): Promise<void> => {
      await db.run('delete from outbox')
      await insertEntries(db, exampleWorkspace.workspace.id, backlog)
      const [counts, durations]: [number[], number[]] = [[], []]
      for (let hasMore = true; hasMore;) {
        const start = performance.now()
        const formed = await formEvents(db, exampleWorkspace.workspace.id, 'window', LATER)
        counts.push(formed.count)
        durations.push(performance.now() - start)
        hasMore = formed.hasMore
      }
      const left = await db.all({ number: 'integer' }, 'select number from outbox')
      outcome = { counts, durations, entriesLeft: left.length }
      throw new RolledBack()
    }
    await expect(server.service.database.write(work, exampleWorkspace.workspace.id)).rejects.toThrow(RolledBack)
    if (!outcome) throw new Error('no events were formed')
    return outcome
  }

  const spread = (entityId: string, count: number, apart: number): NewEntry[] =>
    Array.from({ length: count }, (_entry, n) => change(entityId, START + n * apart))

  // Runs first: after other tests, the engine knows the size of the table, and plans differently than in production.
  it('of many pages costs each transaction the same, however many pages remain', async () => {
    const { durations } = await form(Array.from({ length: 4_000 }, (_entry, n) => change(randomUUID(), START + n)))
    expect(durations).toHaveLength(41)
    const [first, last] = [durations.slice(0, 10), durations.slice(-11, -1)].map((some) => some.toSorted((a, b) => a - b)[2] ?? 0)
    expect(first).toBeLessThan(3 * (last ?? 0) + 20)
  })

  it('of one page becomes events in several transactions, and no transaction splits a window', async () => {
    const pairs = Array.from({ length: 225 }, (_pair, n) => [START + n * APART, START + n * APART + 1])
    const { counts, entriesLeft } = await form(pairs.flat().map((time) => change(page, time)))
    expect(entriesLeft).toBe(0)
    expect(counts).toStrictEqual([99, 99, 27])
  })

  it('of one window becomes one event, even if the window is larger than one transaction reads', async () => {
    expect(await form(spread(page, 900, 1))).toMatchObject({ counts: [1], entriesLeft: 0 })
  })

  it('of several pages becomes events in transactions that each take as many pages as fit', async () => {
    const backlog = pages.flatMap((one) => spread(one, 90, 1))
    expect(await form(backlog)).toMatchObject({ counts: [2, 1], entriesLeft: 0 })
  })

  it('for many subscriptions adds a bounded amount of event text in each transaction', async () => {
    const blocks = Array.from({ length: 500 }, () => ({ id: randomUUID(), type: 'block' }))
    const others = Array.from({ length: 100 }, () => [randomUUID(), '2026-03-11'] as const)
    const backlog = spread(page, 10, APART).map((entry) => ({
      ...entry,
      details: JSON.stringify({ updatedBlocks: blocks }),
      listeners: { ...entry.listeners, ...Object.fromEntries(others) },
    }))
    expect(await form(backlog)).toMatchObject({ counts: [5, 5], entriesLeft: 0 })
  })
})
