import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { story } from '../../server/bootstrap/story.ts'
import { parseConfig } from '../../server/config.ts'
import type { Transaction } from '../../server/store/database.ts'
import { storeLimits } from '../../server/store/limits.ts'
import { openDatabase } from '../../server/store/open.ts'
import { makeDatabase } from '../harness/databases.ts'
import { Wire } from '../harness/wire.ts'

/** Writers of a workspace that wait for their turn at the same time are carried out in one transaction. */

const shared = await makeDatabase('story')
const wire = new Wire(shared.url)
const address = parseConfig({ DATABASE_URL: await wire.mend() }).database
// However long it takes on a busy machine.
const database = openDatabase(address, { ...storeLimits, togetherMs: 60_000 })
const impatient = openDatabase(address, { ...storeLimits, togetherMs: 500 })
afterAll(async () => {
  await Promise.all([database.close(), impatient.close()])
  wire.cut()
  await shared.drop()
})

type Work = (db: Transaction) => Promise<unknown>

beforeAll(() => database.write((db) => db.run('create table marks (place integer, name text primary key)')))

/** Writes in a row of `marks` who was there, behind those who were there before. @returns the transaction */
const mark =
  (name: string): ((db: Transaction) => Promise<string | undefined>) =>
  async (db) => {
    const last = await db.get({ place: 'integer?' }, 'select max(place) as place from marks')
    await db.run('insert into marks values (?, ?)', (last?.place ?? 0) + 1, name)
    return (await db.get({ id: 'text' }, 'select pg_current_xact_id()::text as id'))?.id
  }

/** What belongs to a request: here, its place among those that began. */
const requests = new AsyncLocalStorage<number>()

/** Begins with all of the work at the same time, behind a writer who has the turn until all of it waits. */
async function begin(works: readonly Work[], { store = database, mayShare = true } = {}): Promise<Promise<unknown>[]> {
  await store.write((db) => db.run('delete from marks'))
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  void store.write(async () => (begun.resolve(), end.promise), story.workspace.id)
  await begun.promise
  const written = works.map((work, place) => requests.run(place, () => store.write(work, story.workspace.id, mayShare)))
  for (const one of written) one.catch(() => undefined)
  end.resolve()
  return written
}

const atOnce = async (...all: Parameters<typeof begin>): Promise<PromiseSettledResult<unknown>[]> =>
  Promise.allSettled(await begin(...all))

const valuesOf = (outcomes: readonly PromiseSettledResult<unknown>[]): unknown[] =>
  outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason))

async function marks(): Promise<string[]> {
  const rows = await database.read((db) => db.all({ name: 'text' }, 'select name from marks order by place'))
  return rows.map(({ name }) => name)
}

const names = (count: number): string[] => Array.from({ length: count }, (_name, index) => `writer ${index}`)

it("waiting writers share a transaction, in order of arrival, and each sees the earlier ones' changes", async () => {
  const transactions = valuesOf(await atOnce(names(6).map(mark)))
  expect(new Set(transactions).size).toBe(1)
  expect(await marks()).toEqual(names(6))
})

it('at most sixteen writers share one, and none with potentially large work', async () => {
  expect(new Set(valuesOf(await atOnce(names(20).map(mark)))).size).toBeGreaterThan(1)
  expect(await marks()).toEqual(names(20))
  expect(new Set(valuesOf(await atOnce(names(4).map(mark), { mayShare: false }))).size).toBe(4)
  expect(await marks()).toEqual(names(4))
})

it.each([
  ['those who share a transaction', true],
  ['those who have one each', false],
])('%s run in the context of their own requests', async (_who, mayShare) => {
  const placed: Work = async (db) => (await mark(`request ${requests.getStore()}`)(db), requests.getStore())
  expect(valuesOf(await atOnce([placed, placed, placed], { mayShare }))).toEqual([0, 1, 2])
  expect(await marks()).toEqual(['request 0', 'request 1', 'request 2'])
})

const failures: Readonly<Record<string, Work>> = {
  'before it writes': async (db) => {
    await db.get({ place: 'integer?' }, 'select max(place) as place from marks')
    throw new Error('refused')
  },
  'behind its changes': async (db) => {
    await mark('half')(db)
    throw new Error('refused')
  },
  'with a statement that is waited for': async (db) => {
    await mark('half')(db)
    await db.change('insert into marks values (0, ?)', 'half')
  },
}

it.each(Object.entries(failures))('a writer that fails %s rolls back none of the others', async (_when, fail) => {
  const [first, failed, second] = await atOnce([mark('first'), fail, mark('second')])
  expect([first?.status, failed?.status, second?.status]).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await marks()).toEqual(['first', 'second'])
})

it('a writer whose last, unawaited statement fails rolls back none of the others', async () => {
  const [first, failed, second] = await atOnce([
    mark('first'),
    async (db) => {
      await db.run('insert into marks values (0, ?)', 'half')
      await db.run('insert into marks values (0, ?)', 'half')
    },
    mark('second'),
  ])
  expect([first?.status, second?.status]).toEqual(['fulfilled', 'fulfilled'])
  expect(failed).toMatchObject({ status: 'rejected', reason: { code: 'conflict_error' } })
  expect(await marks()).toEqual(['first', 'second'])
})

it("a writer that continues after its end changes nothing in the others' transaction", async () => {
  let late: Promise<void> | undefined
  const ended = Promise.withResolvers<void>()
  await atOnce([
    async (db) => {
      await mark('first')(db)
      late = ended.promise.then(() => db.run('insert into marks values (0, ?)', 'late'))
    },
    async (db) => {
      ended.resolve()
      await expect(late).rejects.toThrow('The transaction has ended.')
      await mark('second')(db)
    },
  ])
  expect(await marks()).toEqual(['first', 'second'])
})

it.each(['before it writes', 'behind a change'])('no writer waits for one that is slow %s', async (when) => {
  let isAnswered = false
  const slow = async (db: Transaction): Promise<void> => {
    if (when === 'behind a change') await mark('slow')(db)
    // Ends only once the one before it is answered.
    while (!isAnswered) {
      await pause(10)
      await db.get({}, 'select 1 as one')
    }
    if (when === 'before it writes') await mark('slow')(db)
  }
  const written = await begin([mark('first'), slow, mark('last')], { store: impatient })
  void written[0]?.then(() => (isAnswered = true))
  await Promise.all(written)
  expect(await marks()).toEqual(['first', 'slow', 'last'])
})

it('a connection that breaks before the commit changes nothing; during the commit, the outcome is unknown', async () => {
  const breaking = async (db: Transaction): Promise<void> => {
    await mark('second')(db)
    wire.drop()
    await mark('behind')(db)
  }
  for (const { status, code } of reasonsOf(await atOnce([mark('first'), breaking])))
    expect([status, code]).toEqual([503, 'service_unavailable'])
  expect(await until(marks)).toEqual([])

  const refused = async (): Promise<void> => Promise.reject(new Error('refused'))
  const last = async (db: Transaction): Promise<void> => {
    await mark('last')(db)
    wire.dropAt = 'commit'
  }
  const outcomes = reasonsOf(await atOnce([mark('first'), refused, last]))
  expect(outcomes.map(({ status }) => status)).toEqual([504, 503, 504])
})

const reasonsOf = (outcomes: readonly PromiseSettledResult<unknown>[]): { status?: number; code?: string }[] =>
  outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason : {}) as { status?: number; code?: string })

/** What is read once the database answers again. */
async function until<T>(read: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read()
    } catch (error) {
      if (attempt >= 100) throw error
      await pause(50)
    }
  }
}
