import { BrandedValues } from '../../server/contract/branded_values.ts'
import { afterAll, describe, expect, it } from 'vitest'
import { story } from '../../server/bootstrap/story.ts'
import { isPromise } from '../../server/kernel/maybe_promise.ts'
import type { Database } from '../../server/store/database.ts'
import { LastFound } from '../../server/store/dialects/last_found.ts'
import { releaseDates } from '../../server/versions/index.ts'
import type { Answer } from '../harness/answers.ts'
import type { Caller, HeaderMap } from '../harness/caller.ts'
import { makeConnection, makeMember } from '../harness/connections.ts'
import { exampleCall, ghostPath, idParameters, servedWith, targetOf, type KnownOperation } from '../harness/every_operation.ts'
import { observed } from '../harness/observed.ts'
import { startTestServer, TestClock, TOKEN } from '../harness/server.ts'

/**
 * A read from SQLite is answered at once, without a promise. From a database that has to be waited for, it is answered by the same steps, one
 * after the other. Both answers have to be the same, whatever is asked.
 */

// If you are here because an answer differs: a function that returns `MaybePromise` does something before or after it waits that it does not
// do when there is nothing to wait for.
const reads = { atOnce: 0, later: 0 }
let waits = false

const lastFound = new LastFound()

/** The database, which has to be waited for while `waits` is set: it then reads early for callers that it has seen before. */
function switchable(database: Database): Database {
  const count = <T>(result: T): T => {
    reads[isPromise(result) ? 'later' : 'atOnce'] += 1
    return result
  }
  const waiting: Database['read'] = async (work) =>
    database.read((db) =>
      work(
        observed(db, {
          all: async (shape, statement) => db.all(shape, statement),
          get: async (shape, statement) => db.get(shape, statement),
        }),
      ),
    )
  return {
    ...database,
    read: (work) => count(waits ? waiting(work) : database.read(work)),
    readCached: (key, work) =>
      count(waits ? Promise.resolve(waiting(work)).then((found) => lastFound.keep(key, found)) : database.readCached(key, work)),
    foundLast: (key) => (waits ? lastFound.of(key) : undefined),
  }
}

const settings = {
  RATE_LIMIT: '100000/60',
  TRUST_PROXY: '1',
  ALLOW_PLAIN_HTTP: 'true',
  CORS_ALLOWED_ORIGINS: 'https://app.example',
}
const server = await startTestServer(settings, new TestClock(), undefined, { wrapDatabase: switchable })
afterAll(() => server.stop())
const { workspace, pages, people } = story
const callers: Readonly<Record<string, Caller>> = {
  'the owner': server.owner,
  'a member': await makeMember(server, people[1].id),
  'a bot that sees one page': (await makeConnection(server, { capabilities: ['read_content'], grants: [pages.checklist] }))
    .caller,
  'a bot that may not read': (await makeConnection(server, { capabilities: ['insert_content'], grants: [workspace.id] })).caller,
  nobody: server.caller(undefined),
  'a wrong token': server.caller('itk_nobody_knows_this_token'),
}

const operations = servedWith('bearer', 'connection')
const gets = operations.filter(({ method }) => method === 'get')

let addresses = 0

/** Another one each time, so that no address uses up the budget of failed authentications. */
function nextAddress(): string {
  addresses += 1
  return `10.0.${addresses >> 8}.${addresses & 255}`
}

/** An answer without what differs from one request to the next: the time, the request id and the budgets that the request is charged to. */
function comparable({ status, headers: { date: _date, ...headers }, text }: Answer): string {
  const id = String(headers['x-service-request-id'])
  return JSON.stringify({ status, headers, text })
    .replaceAll(id, 'request id')
    .replaceAll(/;r=\d+;t=\d+/g, ';r;t')
    .replace(/"retry-after":"\d+"/, '"retry-after"')
}

/** @returns the status of both answers */
async function bothWays(ask: () => Promise<Answer>): Promise<number> {
  const atOnce = await ask()
  waits = true
  try {
    const later = await ask()
    expect(comparable(atOnce)).toBe(comparable(later))
  } finally {
    waits = false
  }
  return atOnce.status
}

/** Asks for the contract's example, with something about it changed. @returns the statuses of the answers */
async function statuses(
  asked: readonly KnownOperation[],
  caller: Caller,
  change: {
    readonly headers?: HeaderMap
    readonly query?: string
    readonly path?: typeof ghostPath
    readonly method?: string
  } = {},
): Promise<ReadonlySet<number>> {
  const found = new Set<number>()
  for (const operation of asked) {
    const { query, headers } = exampleCall(operation)
    const text = [new URLSearchParams(query as Record<string, string>).toString(), change.query ?? ''].filter(Boolean).join('&')
    const target = `${targetOf(operation, change.path?.(operation))}${text === '' ? '' : `?${text}`}`
    const ask = (): Promise<Answer> =>
      caller.send(change.method ?? operation.method.toUpperCase(), target, {
        headers: { ...headers, ...change.headers, 'X-Forwarded-For': nextAddress() },
      })
    found.add(await bothWays(ask))
  }
  return found
}

const malformed: typeof ghostPath = (operation) =>
  Object.fromEntries(operation.pathParameters.map((name) => [name, idParameters(operation).includes(name) ? 'no-id' : 'x']))

describe('every synchronous read responds like an asynchronous one', () => {
  it.each(Object.entries(callers))('to %s', async (name, caller) => {
    const found = await statuses(gets, caller)
    expect(found.has(200)).toBe(name !== 'nobody' && name !== 'a wrong token')
    expect(await statuses(gets, caller, { path: ghostPath })).not.toContain(500)
    expect(await statuses(gets, caller, { path: malformed })).not.toContain(500)
  })

  it.each(releaseDates)('in version %s', async (date) => {
    const headers = { 'Service-Version': date }
    expect(await statuses(gets, server.owner, { headers })).toContain(200)
    expect(await statuses(gets, server.owner, { headers, path: ghostPath })).toContain(404)
  })

  it('with the headers of a brand', async () => {
    const branded = await startTestServer({ ...settings, HEADER_BRAND: 'Tide' }, new TestClock(), undefined, {
      wrapDatabase: switchable,
    })
    const headers = { 'Service-Version': undefined, 'Tide-Version': '2026-03-11' }
    const asked = gets.filter(({ id }) => !BrandedValues.isIn('answer', id))
    expect(await statuses(asked, branded.owner, { headers })).toContain(200)
    await branded.stop()
  })

  it('with every kind of header', async () => {
    const sent: readonly [HeaderMap, number][] = [
      [{ 'Service-Version': undefined }, 400],
      [{ 'Service-Version': '2099-01-01' }, 400],
      [{ 'Service-Beta': 'strict-ids-2026-06-15' }, 200],
      [{ 'Service-Beta': 'nope' }, 400],
      [{ Accept: 'image/png' }, 400],
      [{ Accept: 'text/html, application/json;q=0.9' }, 200],
      [{ Origin: 'https://app.example' }, 200],
      [{ 'If-None-Match': '*', 'If-Modified-Since': 'Sat, 16 May 2026 04:30:00 GMT' }, 200],
      [{ 'Idempotency-Key': 'k' }, 200],
      [{ Connection: 'close' }, 200],
      [{ Authorization: `bearer  ${TOKEN}` }, 200],
    ]
    for (const [headers, status] of sent)
      expect(await statuses(gets, server.owner, { headers }), JSON.stringify(headers)).toContain(status)
  })

  it('with every kind of query, and without a body', async () => {
    expect(await statuses(gets, server.owner, { query: 'page_size=1' })).toContain(200)
    expect(await statuses(gets, server.owner, { query: 'page_size=0' })).toEqual(new Set([400]))
    expect(await statuses(gets, server.owner, { query: 'strange=1' })).toEqual(new Set([400]))
    expect(await statuses(gets, server.owner, { query: 'start_cursor=x' })).toContain(400)
    expect(await statuses(gets, server.owner, { method: 'HEAD' })).toContain(200)
  })

  it('when the rate limit is exhausted', async () => {
    const { caller, connectionId } = await makeConnection(server, { capabilities: ['read_content'], grants: [workspace.id] })
    await server.service.database.write((db) => db.run('update connections set rate_limit = 1 where id = ?', connectionId))
    await caller.call('retrieveMe')
    expect(await statuses(gets, caller)).toEqual(new Set([429]))
  })
})

it('every refused write responds alike', async () => {
  const writes = operations.filter(({ method }) => method !== 'get')
  for (const headers of [{ Authorization: undefined }, { 'Service-Version': undefined }, { 'Service-Beta': 'nope' }])
    expect([...(await statuses(writes, server.owner, { headers }))]).not.toContain(200)
  expect(await statuses(writes, server.owner, { path: malformed, query: 'strange=1' })).toEqual(new Set([400]))
})

it.each(['retrieveBlock', 'retrievePage'] as const)('%s waits for nothing', async (id) => {
  const path = { block_id: pages.checklist, page_id: pages.checklist }
  const count = async (): Promise<typeof reads> => {
    Object.assign(reads, { atOnce: 0, later: 0 })
    expect((await server.owner.call(id, { path })).status).toBe(200)
    return { ...reads }
  }
  // Jobs may read at the same time: then it is tried again.
  await expect.poll(count).toEqual({ atOnce: 2, later: 0 })
})
