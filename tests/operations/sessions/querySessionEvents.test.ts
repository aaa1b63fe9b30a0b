import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeAgent } from '../../harness/agents.ts'
import type { TestResponse } from '../../harness/responses.ts'
import { makeConnection } from '../../harness/connections.ts'
import { enumerationValues } from '../../harness/enumerations.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { resultsOf, textAt, type JsonObject } from '../../harness/json.ts'
import { startTestServer, type TestServer } from '../../harness/server.ts'
import { proposing, ScriptedAgents } from '../../harness/scripted_agents.ts'
import { eventsOf, talk } from '../../harness/sessions.ts'

const agents = new ScriptedAgents()
agents.add('Think', async function* () {
  yield { type: 'thinking', text: 'Hm.' }
  yield { type: 'read', call: { callId: 'a', tool: 'look', arguments: { secret: 'x' } }, settle: () => undefined }
  yield { type: 'message', text: 'There.' }
  await Promise.resolve()
})
agents.add('Fail', async function* () {
  yield { type: 'failed', code: 'output_limit', message: 'Too long.', retryable: false }
  await Promise.resolve()
})
agents.add(
  'Write',
  proposing(() => '', 'a line'),
)
let server: TestServer
let id: string
let events: JsonObject[]
beforeAll(async () => {
  server = await startTestServer({ BOOTSTRAP_SAMPLE: 'empty' }, undefined, agents)
  id = String((await talk(server.owner, { agent_id: await makeAgent(server), message: 'Think' }))['id'])
  // The thought comes a minute after the first events, and everything after it another minute later.
  await server.service.database.write((db) =>
    db.run(
      'update session_events set created_time = created_time + case when sequence > 4 then 120000 else 60000 end where session_id = ? and sequence >= 4',
      id,
    ),
  )
  events = resultsOf((await query({})).body)
})
afterAll(() => server.stop())

const query = (body: JsonObject, caller = server.owner): Promise<TestResponse> =>
  caller.call('querySessionEvents', { path: { session_id: id }, body })
const minute = (count: number): string => new Date(Date.parse('2026-05-16T04:30:00.000Z') + count * 60_000).toISOString()

describe('querySessionEvents', () => {
  it('200 with the events of each type, and with all events for all types', async () => {
    const words = enumerationValues('SessionEventType')
    const found: JsonObject[] = []
    for (const type of words) {
      const some = resultsOf((await query({ filter: { property: 'type', event_type: { equals: type } } })).body)
      expect(some.every((event) => event['type'] === type)).toBe(true)
      found.push(...some)
    }
    expect(found).toHaveLength(events.length)
    const all = resultsOf((await query({ filter: { property: 'type', event_type: { in: words } } })).body)
    expect(all).toHaveLength(events.length)
  })

  it('200 without the statuses that only streams show, and without inputs and outputs of tools', async () => {
    const { body, text } = await server.owner.call('querySessionEvents', { path: { session_id: id } })
    expect(body).toMatchObject({ object: 'list', type: 'session_event', session_event: {}, has_more: false, next_cursor: null })
    expect(resultsOf(body).map(({ sequence, type }) => `${String(sequence)} ${String(type)}`)).toStrictEqual([
      '1 user.message',
      '4 agent.thinking',
      '5 agent.tool_use',
      '6 agent.tool_result',
      '7 agent.message',
      '8 session.status',
    ])
    expect(resultsOf(body)[0]).toMatchObject({ metadata: null, content: [{ type: 'text', text: 'Think' }] })
    expect(text).not.toMatch(/secret|seen/)
  })

  it("200 with the session's error or required actions in the final status", async () => {
    const agent_id = await makeAgent(server)
    for (const [message, key] of [
      ['Fail', 'error'],
      ['Write', 'required_actions'],
    ] as const) {
      const session = await talk(server.owner, { agent_id, message })
      const last = (await eventsOf(server.owner, String(session['id']))).at(-1)
      expect([session[key], Object.keys(last ?? {}).toSorted()]).toStrictEqual([
        last?.[key],
        ['created_at', 'id', 'object', 'sequence', 'session_id', 'status', 'type', key].toSorted(),
      ])
      expect(last).toMatchObject({ type: 'session.status', status: session['status'] })
      expect(last?.[key]).toBeDefined()
    }
  })

  it.each<[string, () => JsonObject, number[]]>([
    ['by id', () => ({ property: 'id', string: { equals: String(events[2]?.['id']) } }), [5]],
    ['by an unknown id', () => ({ property: 'id', string: { equals: 'nothing' } }), []],
    ['by type', () => ({ property: 'type', event_type: { equals: 'agent.message' } }), [7]],
    ['by several types', () => ({ property: 'type', event_type: { in: ['user.message', 'session.status'] } }), [1, 8]],
    ['by number', () => ({ property: 'sequence', number: { greater_than: 4, less_than: 7 } }), [5, 6]],
    [
      'by number, both ends included',
      () => ({ property: 'sequence', number: { greater_than_or_equal_to: 4, less_than_or_equal_to: 5 } }),
      [4, 5],
    ],
    [
      'by a number with a fraction',
      () => ({ property: 'sequence', number: { greater_than: 4.5, less_than_or_equal_to: 6.9 } }),
      [5, 6],
    ],
    ['by a number above all others', () => ({ property: 'sequence', number: { less_than: 1e300 } }), [1, 4, 5, 6, 7, 8]],
    ['by a number below all others', () => ({ property: 'sequence', number: { less_than: -1e300 } }), []],
    ['at a time', () => ({ property: 'created_at', timestamp: { equals: minute(1) } }), [4]],
    ['before a time', () => ({ property: 'created_at', timestamp: { before: minute(1) } }), [1]],
    ['after a time', () => ({ property: 'created_at', timestamp: { after: minute(1) } }), [5, 6, 7, 8]],
    ['until a time', () => ({ property: 'created_at', timestamp: { on_or_before: minute(1), on_or_after: minute(0) } }), [1, 4]],
    [
      'by three levels of lists',
      () => ({
        and: [
          { property: 'sequence', number: { greater_than: 1 } },
          {
            or: [
              { property: 'type', event_type: { equals: 'session.status' } },
              { and: [{ property: 'sequence', number: { less_than: 5 } }] },
            ],
          },
        ],
      }),
      [4, 8],
    ],
  ])('200 filtered %s', async (_what, filter, expected) => {
    expect(resultsOf((await query({ filter: filter() })).body).map(({ sequence }) => sequence)).toStrictEqual(expected)
  })

  it('200 sorted and page by page', async () => {
    const found: unknown[] = []
    let cursor: string | null = null
    do {
      const sorts = [{ property: 'created_at', direction: 'descending' }]
      const { body } = await query({ page_size: 2, start_cursor: cursor, sorts })
      found.push(...resultsOf(body).map(({ sequence }) => sequence))
      cursor = body['next_cursor'] as string | null
    } while (cursor !== null)
    expect(found).toStrictEqual([5, 6, 7, 8, 4, 1])
    const { body } = await query({ sorts: [{ property: 'sequence', direction: 'descending' }], page_size: 2 })
    expect(resultsOf(body).map(({ sequence }) => sequence)).toStrictEqual([8, 7])
  })
})

describe('querySessionEvents with an invalid request', () => {
  const type = { property: 'type', event_type: { equals: 'user.message' } }
  it('400 for conditions nested four lists deep, naming the innermost list', async () => {
    const response = await query({ filter: { and: [{ or: [{ and: [{ or: [type] }] }] }] } })
    expectInvalid(response, 'body.filter.and[0].or[0].and[0].property')
    expect(response.body['additional_data']).toMatchObject({
      failed_paths: expect.arrayContaining(['body.filter.and[0].or[0].and[0].or']) as string[],
    })
  })

  it.each<[string, JsonObject, string | RegExp]>([
    ['no operator', { filter: { property: 'sequence', number: {} } }, /body\.filter\.number/],
    [
      'two operators for a type',
      { filter: { property: 'type', event_type: { equals: 'user.message', in: ['user.message'] } } },
      /body\.filter\.event_type/,
    ],
    ['an unknown type', { filter: { property: 'type', event_type: { equals: 'agent.song' } } }, 'body.filter.event_type.equals'],
    [
      'a repeated property',
      { sorts: Array(2).fill({ property: 'sequence', direction: 'ascending' }) as JsonObject[] },
      'body.sorts[1].property',
    ],
    ['an unknown sort', { sorts: [{ property: 'type', direction: 'ascending' }] }, 'body.sorts[0].property'],
    ['no type', { filter: { property: 'type', event_type: { in: [] } } }, 'body.filter.event_type.in.length'],
    ['an empty list', { filter: { or: [] } }, 'body.filter.or.length'],
    ['the key of another property', { filter: { property: 'sequence', string: { equals: 'x' } } }, 'body.filter.property'],
    [
      'a day that does not exist',
      { filter: { property: 'created_at', timestamp: { equals: '2026-02-30' } } },
      'body.filter.timestamp.equals',
    ],
    ['page_size 0', { page_size: 0 }, 'body.page_size'],
    ['a page_size above the maximum', { page_size: 101 }, 'body.page_size'],
    ['a malformed cursor', { start_cursor: 'abc' }, 'body.start_cursor'],
  ])('400 for %s', async (_what, body, location) => {
    const response = await query(body)
    if (typeof location === 'string') expectInvalid(response, location)
    else expect([response.status, response.body['message']]).toMatchObject([400, expect.stringMatching(location)])
  })

  it('400 for a cursor of another query or session', async () => {
    const cursor = textAt((await query({ page_size: 1 })).body, 'next_cursor')
    expectInvalid(
      await query({ start_cursor: cursor, sorts: [{ property: 'created_at', direction: 'ascending' }] }),
      'body.start_cursor',
    )
    const other = String((await talk(server.owner, { agent_id: await makeAgent(server), message: 'Ahoy' }))['id'])
    const call = { path: { session_id: other }, body: { page_size: 1, start_cursor: cursor } }
    expectInvalid(await server.owner.call('querySessionEvents', call), 'body.start_cursor')
  })

  it('404 when the session is missing or not shared, and 403 without the capability to read content', async () => {
    const stranger = await makeConnection(server, { capabilities: ['read_content'] })
    const ghost = randomUUID()
    expectNotFound(await server.owner.call('querySessionEvents', { path: { session_id: ghost }, body: {} }), ghost)
    expectNotFound(await query({}, stranger.caller), id)
    const writer = await makeConnection(server, { capabilities: ['insert_content'] })
    expectError(await query({}, writer.caller), 403, 'restricted_resource')
  })
})
