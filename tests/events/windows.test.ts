import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { commentOn } from '../harness/comments.ts'
import { append, makePage, paragraph } from '../harness/content.ts'
import { makeDatabase } from '../harness/databases.ts'
import { everyType, Listening, settle, waiting, wakeRunner } from '../harness/events.ts'
import { runService, until } from '../harness/process.ts'
import { startTestServer, TestClock, type TestServer } from '../harness/server.ts'

const SECOND = 1_000

const change = ({ owner }: Pick<TestServer, 'owner'>, page: string): Promise<unknown> => append(owner, page, [paragraph('more')])

/** Makes the runner process due windows, and waits until it has. */
async function look(server: TestServer, listening: Listening, page: string): Promise<void> {
  const count = async (): Promise<number> => (await listening.events()).filter(({ type }) => type === 'comment.created').length
  const before = await count()
  await commentOn(server.owner, page)
  await until(async () => ((await count()) > before ? true : undefined))
}

describe('a window', () => {
  let server: TestServer
  let listening: Listening
  let elsewhere: string
  beforeAll(async () => {
    server = await startTestServer()
    elsewhere = await makePage(server.owner, 'Elsewhere')
    listening = await Listening.start(server, {
      connectionId: exampleWorkspace.connection.id,
      types: everyType().filter((type) => type !== 'page.created'),
    })
  })
  afterAll(() => server.stop())

  it('closes 5 seconds after the last change, not before, and comments do not wait for it', async () => {
    const page = await makePage(server.owner)
    await settle(server)
    await change(server, page)
    server.clock.advance(5 * SECOND - 1)
    await change(server, page)
    const last = server.clock.now()
    server.clock.advance(5 * SECOND - 1)
    await look(server, listening, elsewhere)
    expect((await waiting(server)).map(({ type }) => type)).toEqual(['page.content_updated', 'page.content_updated'])
    // Waits for windows that are due soon after.
    server.clock.advance(250)
    await until(async () => ((await waiting(server)).length === 0 ? true : undefined))
    const own = (await listening.events()).filter(({ entity }) => entity.id === page)
    expect(own.map(({ type, timestamp }) => [type, Date.parse(timestamp)])).toEqual([['page.content_updated', last]])
  })

  it('closes 30 seconds after the first change under any load, and later changes are reported separately', async () => {
    const page = await makePage(server.owner)
    await settle(server)
    for (let count = 0; count < 10; count += 1) {
      await change(server, page)
      server.clock.advance(4 * SECOND)
    }
    await settle(server)
    const own = (await listening.events()).filter(({ entity }) => entity.id === page)
    const counts = own.map((event) => (event.type === 'page.content_updated' ? event.data.updated_blocks.length : 0))
    expect(counts).toEqual([8, 2])
  })

  it.each([
    ['5 seconds after the last change', [5 * SECOND - 1, 5 * SECOND]],
    ['30 seconds after the first', [...Array.from({ length: 6 }, () => 4_900), 600 - 1, 1]],
  ])('contains changes one millisecond before it closes, but not at that moment: %s', async (_when, pauses) => {
    const page = await makePage(server.owner)
    await settle(server)
    await change(server, page)
    for (const milliseconds of pauses) {
      server.clock.advance(milliseconds)
      await change(server, page)
    }
    await settle(server)
    const own = (await listening.events()).filter(({ entity }) => entity.id === page)
    const counts = own.map((event) => (event.type === 'page.content_updated' ? event.data.updated_blocks.length : 0))
    expect(counts).toEqual([pauses.length, 1])
  })

  it('is reported when it closes, even while changes continue', async () => {
    const page = await makePage(server.owner)
    await settle(server)
    const first = server.clock.now()
    for (let count = 0; count < 8; count += 1) {
      await change(server, page)
      server.clock.advance(count < 7 ? 4 * SECOND : 2 * SECOND - 1)
    }
    await change(server, page)
    const own = async (): Promise<string[]> =>
      (await listening.events()).filter(({ entity }) => entity.id === page).map(({ type }) => type)
    await look(server, listening, elsewhere)
    expect(await own()).toEqual([])
    server.clock.advance(1)
    expect(server.clock.now() - first).toBe(30 * SECOND)
    // Waits for windows that are due soon after.
    server.clock.advance(250)
    await wakeRunner(server)
    await until(async () => ((await own()).length > 0 ? true : undefined))
    expect(await own()).toEqual(['page.content_updated'])
  })
})

it('changes of the same pages by several processes are reported once, whichever process forms the event', async () => {
  const database = await makeDatabase()
  const clock = new TestClock()
  const settings = { DATABASE_URL: database.url }
  const servers = [await startTestServer(settings, clock), await startTestServer(settings, clock)]
  const [one, two] = servers
  if (!one || !two) throw new Error('no servers')
  const pages = await Promise.all(Array.from({ length: 8 }, () => makePage(one.owner)))
  const types = everyType()
  const listening = await Listening.start(one, { connectionId: exampleWorkspace.connection.id, types })
  for (let round = 1; round <= 2; round += 1) {
    await Promise.all(servers.flatMap((server) => pages.map((page) => change(server, page))))
    await Promise.all(pages.map((page) => commentOn(two.owner, page)))
    await settle(one)
    const events = await listening.events()
    const outline = events.map(({ type, entity, timestamp }) => `${type} ${entity.id} ${timestamp}`)
    expect([outline.length, new Set(outline).size]).toEqual([16 * round, 16 * round])
    const named = events.flatMap((event) => (event.type === 'page.content_updated' ? event.data.updated_blocks : []))
    expect(new Set(named.map(({ id }) => id)).size).toBe(16 * round)
  }
  await Promise.all(servers.map((server) => server.stop()))
  await database.drop()
})

it('events that wait in a killed process are reported once by the next process', async () => {
  const database = await makeDatabase()
  const settings = { DATABASE_URL: database.url }
  const first = await startTestServer(settings)
  const listening = await Listening.start(first, { connectionId: exampleWorkspace.connection.id, types: everyType() })
  await first.stop()
  const killed = await runService(settings)
  const pages = await Promise.all(Array.from({ length: 3 }, () => makePage(killed.owner)))
  for (const page of pages) await commentOn(killed.owner, page)
  killed.kill('SIGKILL')
  await killed.ended
  const clock = new TestClock()
  clock.advance(Date.now() - clock.now() + 60 * SECOND)
  const second = await startTestServer(settings, clock)
  await until(async () => ((await waiting(second)).length === 0 ? true : undefined))
  const events = await listening.events(second)
  expect(events.map(({ type }) => type).toSorted()).toEqual([
    ...pages.map(() => 'comment.created'),
    ...pages.map(() => 'page.created'),
  ])
  await second.stop()
  await database.drop()
})
