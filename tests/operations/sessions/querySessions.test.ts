import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { makeAgent, share } from '../../harness/agents.ts'
import type { TestResponse } from '../../harness/responses.ts'
import type { Caller } from '../../harness/caller.ts'
import { makeConnection, makeMember } from '../../harness/connections.ts'
import { makePage } from '../../harness/content.ts'
import { enumerationValues } from '../../harness/enumerations.ts'
import { expectInvalid } from '../../harness/expectations.ts'
import { resultsOf, textAt, type JsonObject } from '../../harness/json.ts'
import { authorize, makeClient } from '../../harness/oauth.ts'
import { startTestServer, TestClock, type TestServer } from '../../harness/server.ts'
import { proposing, ScriptedAgents } from '../../harness/scripted_agents.ts'
import { talk } from '../../harness/sessions.ts'

const agents = new ScriptedAgents()
agents.add(
  'Write',
  proposing(() => '', 'a line'),
)
const clock = new TestClock()
let server: TestServer
let first: string
let second: string
const ids: Record<string, string> = {}
beforeAll(async () => {
  server = await startTestServer({ BOOTSTRAP_SAMPLE: 'empty' }, clock, agents)
  ;[first, second] = [await makeAgent(server), await makeAgent(server)]
  // One minute apart: a, b, c, d; then a again.
  for (const [name, agent, message] of [
    ['a', first, 'Bolts 100% sure'],
    ['b', second, 'BÖLTS'],
    ['c', first, 'Write'],
    ['d', second, 'Oars'],
  ] as const) {
    ids[name] = String((await talk(server.owner, { agent_id: agent, message }))['id'])
    clock.advance(60_000)
  }
  await talk(server.owner, { session_id: String(ids['a']), message: 'More' })
})
afterAll(() => server.stop())

const query = (body: JsonObject, caller = server.owner): Promise<TestResponse> => caller.call('querySessions', { body })
/** Names of the found sessions. */
async function names(body: JsonObject): Promise<string> {
  const found = resultsOf((await query(body)).body).map(({ id }) => Object.keys(ids).find((name) => ids[name] === id))
  return found.join('')
}
const start = Date.parse('2026-05-16T04:30:00.000Z')
const minute = (count: number): string => new Date(start + count * 60_000).toISOString()

describe('querySessions', () => {
  it('200 with the sessions of each status, and with all sessions for all statuses', async () => {
    const words = enumerationValues('SessionStatus')
    const found = []
    for (const status of words) found.push(await names({ filter: { property: 'status', status: { equals: status } } }))
    const all = await names({ filter: { property: 'status', status: { in: words } } })
    expect(found.join('').split('').toSorted().join('')).toBe('abcd')
    expect(all.split('').toSorted().join('')).toBe('abcd')
  })

  it('200 with all sessions visible to the caller, last changed first', async () => {
    const { status, body } = await server.owner.call('querySessions')
    expect([status, body]).toMatchObject([
      200,
      { object: 'list', type: 'session', session: {}, has_more: false, next_cursor: null },
    ])
    expect(resultsOf(body).map(({ id }) => id)).toStrictEqual([ids['a'], ids['d'], ids['c'], ids['b']])
    expect(resultsOf(body)[2]).toMatchObject({ required_actions: [{ title: 'Write a line' }], message_count: 2 })
  })

  it.each<[string, () => JsonObject, string]>([
    ['filtered by a part of the title in upper or lower case', () => ({ query: 'bölt' }), 'b'],
    ['filtered by a part of the title with pattern characters', () => ({ query: '0%' }), 'a'],
    ['filtered by id', () => ({ filter: { property: 'id', string: { equals: String(ids['c']).replaceAll('-', '') } } }), 'c'],
    ['filtered by agent', () => ({ filter: { property: 'agent_id', string: { equals: second } } }), 'db'],
    [
      'filtered by the personal agent, which has no session',
      () => ({ filter: { property: 'agent_id', string: { equals: 'service_ai' } } }),
      '',
    ],
    ['filtered by status', () => ({ filter: { property: 'status', status: { equals: 'requires_action' } } }), 'c'],
    [
      'filtered by one of several statuses',
      () => ({ filter: { property: 'status', status: { in: ['completed', 'failed'] } } }),
      'adb',
    ],
    ['created before a time', () => ({ filter: { property: 'created_at', timestamp: { before: minute(1) } } }), 'a'],
    ['created on or before a time', () => ({ filter: { property: 'created_at', timestamp: { on_or_before: minute(1) } } }), 'ab'],
    ['changed after a time', () => ({ filter: { property: 'updated_at', timestamp: { after: minute(3) } } }), 'a'],
    [
      'changed on or after a time, and before another',
      () => ({ filter: { property: 'updated_at', timestamp: { on_or_after: minute(2), before: minute(4) } } }),
      'dc',
    ],
    [
      'created on a day',
      () => ({ filter: { property: 'created_at', timestamp: { on_or_after: '2026-05-16', before: '2026-05-17' } } }),
      'adcb',
    ],
    [
      'filtered by nested lists',
      () => ({
        filter: {
          or: [
            {
              and: [
                { property: 'agent_id', string: { equals: first } },
                { property: 'status', status: { equals: 'completed' } },
              ],
            },
            { or: [{ property: 'id', string: { equals: String(ids['d']) } }] },
          ],
        },
      }),
      'ad',
    ],
    ['sorted by creation', () => ({ sorts: [{ property: 'created_at', direction: 'ascending' }] }), 'abcd'],
    [
      'sorted by both times',
      () => ({
        sorts: [
          { property: 'updated_at', direction: 'ascending' },
          { property: 'created_at', direction: 'descending' },
        ],
      }),
      'bcda',
    ],
  ])('200 %s', async (_what, body, expected) => {
    expect(await names(body())).toBe(expected)
  })

  it('200 page by page', async () => {
    const found: unknown[] = []
    let cursor: string | null = null
    do {
      const { body } = await query({
        page_size: 1,
        start_cursor: cursor,
        sorts: [{ property: 'created_at', direction: 'descending' }],
      })
      found.push(...resultsOf(body).map(({ id }) => id))
      cursor = body['next_cursor'] as string | null
    } while (cursor !== null)
    expect(found).toStrictEqual(['d', 'c', 'b', 'a'].map((name) => ids[name]))
  })

  it.each([1, 2, 3])('200 with each session once, %d to a page, when all have changed at the same time', async (page_size) => {
    const { caller, connectionId } = await makeConnection(server, { capabilities: ['read_content', 'insert_content'] })
    const agent_id = await makeAgent(server, {}, [[{ connectionId }, 'view']])
    const begun: unknown[] = []
    for (let count = 0; count < 7; count += 1) {
      begun.push((await talk(caller, { agent_id, message: 'Ahoy' }))['id'])
      clock.advance(60_000)
    }
    await server.service.database.write((db) =>
      db.run('update sessions set updated_time = ? where agent_id = ?', clock.now(), agent_id),
    )
    const sorts = [
      { property: 'updated_at', direction: 'ascending' },
      { property: 'created_at', direction: 'descending' },
    ]
    const found: unknown[] = []
    let cursor: string | null = null
    do {
      const { body } = await query({ page_size, start_cursor: cursor, sorts }, caller)
      found.push(...resultsOf(body).map(({ id }) => id))
      cursor = body['next_cursor'] as string | null
    } while (cursor !== null && found.length < 20)
    expect(found).toStrictEqual(begun.toReversed())
  })

  it('200 for callers who see many agents, without sessions of other callers', async () => {
    const stranger = await makeConnection(server, { capabilities: ['read_content'] })
    for (let count = 0; count < 17; count += 1) {
      await makeAgent(server)
      await makeAgent(server, {}, [[{ connectionId: stranger.connectionId }, 'view']])
    }
    expect(resultsOf((await query({}, stranger.caller)).body)).toStrictEqual([])
    expect(await names({})).toBe('adcb')
    expect(await names({ query: 'b' })).toBe('ab')
    expect(await names({ page_size: 2, sorts: [{ property: 'created_at', direction: 'ascending' }] })).toBe('ab')
    const start_cursor = textAt((await query({ page_size: 3 })).body, 'next_cursor')
    expect(await names({ page_size: 3, start_cursor })).toBe('b')
  })

  it("200 with only the caller's own sessions and those of visible agents", async () => {
    const stranger = await makeConnection(server, { capabilities: ['read_content'] })
    expect(resultsOf((await query({}, stranger.caller)).body)).toStrictEqual([])
    const member = await makeMember(server, exampleWorkspace.people[1].id)
    const { id } = await talk(member, { message: 'Mine' })
    expect(resultsOf((await query({}, member)).body).map((session) => session['id'])).toStrictEqual([id])
    const filter = { property: 'agent_id', string: { equals: 'service_ai' } }
    expect(resultsOf((await query({ filter }, member)).body)).toMatchObject([{ id }])
    const other = await makeMember(server, exampleWorkspace.people[2].id)
    expect(resultsOf((await query({ filter }, other)).body)).toStrictEqual([])
    expect(resultsOf((await query({}, server.owner)).body)).toHaveLength(4)
  })
})

describe('querySessions with a token that acts for a member', () => {
  it("200 with the member's sessions for an OAuth token, and without the OAuth bot's sessions for the member", async () => {
    const [personId, page] = [exampleWorkspace.people[0].id, await makePage(server.owner)]
    const [member, oauth] = [
      await makeMember(server, personId),
      await authorize(server, await makeClient(server), { pages: [page] }),
    ]
    const own = await makeAgent(server, {}, [[{ personId }, 'view']])
    const begin = async (caller: Caller): Promise<string> =>
      String((await talk(caller, { agent_id: own, message: 'Ahoy' }))['id'])
    const began = [await begin(member), await begin(oauth.caller)]
    await share(server, own, { personId }, null)
    /** Which of the two sessions a caller sees, in lists and directly. */
    const seenBy = async (caller: Caller): Promise<boolean[]> => {
      const listed = resultsOf((await query({}, caller)).body).map(({ id }) => id)
      for (const id of began) {
        const { status } = await caller.call('retrieveSession', { path: { session_id: id } })
        expect([id, status]).toStrictEqual([id, listed.includes(id) ? 200 : 404])
      }
      return began.map((id) => listed.includes(id))
    }
    expect([await seenBy(oauth.caller), await seenBy(member)]).toStrictEqual([
      [true, true],
      [true, false],
    ])
    // The same with more agents than are checked one by one.
    for (let count = 0; count < 17; count += 1) await makeAgent(server, {}, [[{ personId }, 'view']])
    expect(await seenBy(oauth.caller)).toStrictEqual([true, true])
  })
})

describe('querySessions with an invalid request', () => {
  const status = { property: 'status', status: { equals: 'queued' } }
  it('400 for conditions nested three lists deep, naming the innermost list', async () => {
    const response = await query({ filter: { and: [{ or: [{ and: [status] }] }] } })
    expectInvalid(response, 'body.filter.and[0].or[0].property')
    expect(response.body['additional_data']).toMatchObject({
      failed_paths: expect.arrayContaining(['body.filter.and[0].or[0].and']) as string[],
    })
  })

  it.each<[string, JsonObject, string | RegExp]>([
    ['no operator', { filter: { property: 'created_at', timestamp: {} } }, /body\.filter\.timestamp/],
    [
      'two operators for a status',
      { filter: { property: 'status', status: { equals: 'queued', in: ['failed'] } } },
      /body\.filter\.status/,
    ],
    ['no status', { filter: { property: 'status', status: { in: [] } } }, 'body.filter.status.in.length'],
    ['an unknown status', { filter: { property: 'status', status: { equals: 'asleep' } } }, 'body.filter.status.equals'],
    ['the key of another property', { filter: { property: 'id', status: { equals: 'queued' } } }, 'body.filter.property'],
    ['a malformed id', { filter: { property: 'agent_id', string: { equals: 'mine' } } }, 'body.filter.string.equals'],
    ['more than 100 conditions', { filter: { or: Array.from({ length: 101 }, () => status) } }, 'body.filter.or.length'],
    ['an empty text', { query: '' }, 'body.query.length'],
    ['an empty list', { filter: { and: [] } }, 'body.filter.and.length'],
    [
      'a day that does not exist',
      { filter: { property: 'created_at', timestamp: { after: '2026-02-30' } } },
      'body.filter.timestamp.after',
    ],
    [
      'a repeated property',
      { sorts: Array(2).fill({ property: 'created_at', direction: 'ascending' }) as JsonObject[] },
      'body.sorts[1].property',
    ],
    ['an unknown property', { sorts: [{ property: 'title', direction: 'ascending' }] }, 'body.sorts[0].property'],
    ['page_size 0', { page_size: 0 }, 'body.page_size'],
    ['a page_size above the maximum', { page_size: 101 }, 'body.page_size'],
    ['a malformed cursor', { start_cursor: 'abc' }, 'body.start_cursor'],
  ])('400 for %s', async (_what, body, location) => {
    const response = await query(body)
    if (typeof location === 'string') expectInvalid(response, location)
    else expect([response.status, response.body['message']]).toMatchObject([400, expect.stringMatching(location)])
  })

  it('400 for a cursor of another query', async () => {
    const cursor = textAt((await query({ page_size: 1 })).body, 'next_cursor')
    expectInvalid(await query({ page_size: 1, start_cursor: cursor, query: 'o' }), 'body.start_cursor')
  })
})
