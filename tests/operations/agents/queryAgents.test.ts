import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { changeAgent, favor, makeAgent, setRun, setTerms, share } from '../../harness/agents.ts'
import type { TestResponse } from '../../harness/responses.ts'
import { makeConnection, makeMember } from '../../harness/connections.ts'
import { expectError, expectInvalid } from '../../harness/expectations.ts'
import { at, resultsOf, textAt, type JsonObject } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

const PERSONAL = '33333333-3333-3333-3333-333333333333'
const [INES, TOMAS] = exampleWorkspace.people.map(({ id }) => id) as [string, string]
const toolServer = (server_host: string): object => ({
  type: 'custom_mcp_server',
  name: 'Tools',
  account: { type: 'mcp_server', server_host },
  enabled_tools: [],
  run_tools_automatically: { read: false, write: false },
})
const WORKSPACE = { type: 'workspace', name: 'Yard', account: null, permissions: [] }

/** One, two, three were created in this order; two ran last, three never ran. */
let [one, two, three]: string[] = []
const ran = (): number => Date.parse('2026-05-10T08:00:00.000Z')
const server = await serverOfFile({ BOOTSTRAP_SAMPLE: 'empty' })
const ines = await makeMember(server, INES)
const make = async (name: string, options: object): Promise<string> => {
  server.clock.advance(60_000)
  const id = await makeAgent(server, { name, ...options })
  await share(server, id, { personId: INES }, 'full')
  return id
}
one = await make('Rope Walker', {
  description: 'Splices LINES',
  instructions: 'Slowly.',
  connections: [WORKSPACE, toolServer('tides.example'), toolServer('charts.example')],
  createdBy: TOMAS,
})
two = await make('Line Reader', { type: 'autofill_custom_agent', model: { mode: 'pinned', id: 'workshop-chat' } })
three = await make('Third', { createdBy: INES })
const gone = await make('Gone Line', {})
await make('Line out', { type: 'external' })
await setRun(server, one, ran())
await setRun(server, two, ran() + 1_000)
await changeAgent(server, three, { pauseReason: 'failure_limit' })
await favor(server, two, INES)
await server.owner.call('deleteAgent', { path: { agent_id: gone } })

const query = (body?: object, caller = server.owner): Promise<TestResponse> =>
  caller.call('queryAgents', body === undefined ? {} : { body })
const names = async (body?: object, caller = server.owner): Promise<unknown[]> => {
  const response = await query(body, caller)
  expect([response.status, response.status === 200 ? '' : response.body['message']]).toEqual([200, ''])
  return resultsOf(response.body).map(({ name }) => name)
}

describe('queryAgents', () => {
  it('200 without a body: newest first, without external, deleted and hidden agents', async () => {
    const { status, body } = await query()
    expect([status, body]).toMatchObject([200, { object: 'list', type: 'agent', agent: {}, has_more: false, next_cursor: null }])
    expect(resultsOf(body).map(({ name }) => name)).toEqual(['Third', 'Line Reader', 'Rope Walker'])
    const item = resultsOf(body)[2]
    expect(at(item, 'connections')).toMatchObject([{ type: 'workspace' }, { type: 'custom_mcp_server', enabled_tools: [] }, {}])
    expect(item).toMatchObject({
      created_by: { type: 'user', id: TOMAS },
      last_run_at: new Date(ran()).toISOString(),
      credit_limit: null,
    })
    for (const name of ['version', 'last_run_time', 'has_unpublished_changes', 'instructions'])
      expect(item).not.toHaveProperty(name)
  })

  it('200 with instructions when verbose is set', async () => {
    const found = resultsOf((await query({ verbose: true }, ines)).body)
    expect(found.map(({ name, instructions }) => [name, instructions])).toEqual([
      ['Third', null],
      ['Line Reader', null],
      ['Rope Walker', 'Slowly.'],
      ['Service Agent', undefined],
    ])
  })

  it('200 with the personal agent for a person, in its fixed form', async () => {
    const [only] = resultsOf((await query({ filter: { property: 'id', id: { equals: 'service_ai' } } }, ines)).body)
    expect(only).toMatchObject({
      id: PERSONAL,
      agent_type: 'service_ai',
      status: 'active',
      created_time: null,
      last_run_at: null,
      triggers: [],
    })
    expect(await names({ filter: { property: 'id', id: { equals: 'service_ai' } } })).toEqual([])
  })

  it.each<[string, () => object, string[]]>([
    ['text in the name or the description, in upper or lower case', () => ({ query: 'lines' }), ['Rope Walker']],
    ['text with pattern characters', () => ({ query: '%' }), []],
    [
      'the id',
      () => ({ filter: { property: 'id', id: { equals: (one ?? '').toUpperCase().replaceAll('-', '') } } }),
      ['Rope Walker'],
    ],
    ['the type', () => ({ filter: { property: 'agent_type', string: { equals: 'autofill_custom_agent' } } }), ['Line Reader']],
    ['the creator', () => ({ filter: { property: 'created_by', people: { contains: TOMAS } } }), ['Rope Walker']],
    [
      'a part of the host of a tool server',
      () => ({ filter: { property: 'connections', mcp_server: { contains: 'DES.ex' } } }),
      ['Rope Walker'],
    ],
    [
      'a text that no host contains',
      () => ({ filter: { property: 'connections', mcp_server: { contains: 'example\ncharts' } } }),
      [],
    ],
    ['the status', () => ({ filter: { property: 'status', status: { in: ['disabled', 'disabled'] } } }), ['Third']],
    [
      'the status deleted, which finds deleted agents',
      () => ({ filter: { property: 'status', status: { in: ['deleted'] } } }),
      ['Gone Line'],
    ],
    [
      'nothing, with deleted agents included',
      () => ({ include_deleted: true }),
      ['Gone Line', 'Third', 'Line Reader', 'Rope Walker'],
    ],
    [
      'a status that excludes deleted agents, although they are included',
      () => ({ include_deleted: true, filter: { property: 'status', status: { in: ['active'] } } }),
      ['Line Reader', 'Rope Walker'],
    ],
    [
      'the way in which the model is chosen',
      () => ({ filter: { property: 'model_mode', select: { equals: 'pinned' } } }),
      ['Line Reader'],
    ],
    [
      'the number of the version',
      () => ({ filter: { property: 'agent_version', number: { equals: 1 } } }),
      ['Third', 'Line Reader', 'Rope Walker'],
    ],
    ['a version that is not a number', () => ({ filter: { property: 'agent_version', number: { equals: 1.5 } } }), []],
    ['a version beyond every existing one', () => ({ filter: { property: 'agent_version', number: { equals: 1e300 } } }), []],
    ['favorites, for a token without a user', () => ({ filter: { property: 'favorited', checkbox: { equals: true } } }), []],
    [
      'lists in lists',
      () => ({
        filter: {
          and: [
            {
              or: [
                { property: 'id', id: { equals: two } },
                { property: 'id', id: { equals: three } },
              ],
            },
            { property: 'model_mode', select: { equals: 'auto' } },
          ],
        },
      }),
      ['Third'],
    ],
  ])('200 filtered by %s', async (_name, body, expected) => {
    expect(await names(body())).toEqual(expected)
  })

  it.each<[string, object, string[]]>([
    ['me as the creator', { property: 'created_by', people: { contains: 'me' } }, ['Third']],
    ['favorites', { property: 'favorited', checkbox: { equals: true } }, ['Line Reader']],
    ['all but favorites', { property: 'favorited', checkbox: { equals: false } }, ['Third', 'Rope Walker', 'Service Agent']],
    ['the type of the personal agent', { property: 'agent_type', string: { equals: 'service_ai' } }, ['Service Agent']],
    [
      'the status of the personal agent',
      { property: 'status', status: { in: ['active'] } },
      ['Line Reader', 'Rope Walker', 'Service Agent'],
    ],
    [
      'a version, which the personal agent does not have',
      { property: 'agent_version', number: { equals: 1 } },
      ['Third', 'Line Reader', 'Rope Walker'],
    ],
  ])('200 for a person, filtered by %s', async (_name, filter, expected) => {
    expect(await names({ filter }, ines)).toEqual(expected)
  })

  it('200 with time bounds treated as exclusive, and dates as midnight in UTC', async () => {
    const times = (property: string, date: object): Promise<unknown[]> => names({ filter: { property, date } }, ines)
    expect(await times('last_run_at', { after: '2026-05-10T08:00:00.000Z' })).toEqual(['Line Reader'])
    expect(await times('last_run_at', { before: '2026-05-10T10:00:01+02:00' })).toEqual(['Rope Walker'])
    expect(await times('last_run_at', { after: '2026-05-10', before: '2026-05-11' })).toEqual(['Line Reader', 'Rope Walker'])
    expect(await times('last_run_at', { after: '2026-05-11', before: '2026-05-10' })).toEqual([])
    expect(await times('created_time', { after: '2026-05-16T04:31:00Z', before: '2026-05-16T04:33:00Z' })).toEqual([
      'Line Reader',
    ])
    expect(await times('created_time', { after: '0001-01-01' })).toHaveLength(3)
    expect(await times('created_time', { before: '9999-12-31T23:59:59.999Z' })).toHaveLength(3)
  })

  it('200 sorted as requested, with missing values last in both directions', async () => {
    const sorted = (...sorts: string[]): Promise<unknown[]> =>
      names(
        {
          sorts: sorts.map((text) => ({ property: text.slice(1), direction: text.startsWith('+') ? 'ascending' : 'descending' })),
        },
        ines,
      )
    expect(await sorted('+created_time')).toEqual(['Rope Walker', 'Line Reader', 'Third', 'Service Agent'])
    expect(await sorted('-created_time')).toEqual(['Third', 'Line Reader', 'Rope Walker', 'Service Agent'])
    expect((await sorted('+last_run_at')).slice(0, 2)).toEqual(['Rope Walker', 'Line Reader'])
    expect((await sorted('-last_run_at')).slice(0, 2)).toEqual(['Line Reader', 'Rope Walker'])
    expect(await sorted('-last_run_at', '-created_time')).toEqual(['Line Reader', 'Rope Walker', 'Third', 'Service Agent'])
    const byId = [three ?? '', PERSONAL].sort().map((id) => (id === PERSONAL ? 'Service Agent' : 'Third'))
    expect((await sorted('+last_run_at')).slice(2)).toEqual(byId)
  })

  it('200; values hidden from the caller match no filter and sort as missing', async () => {
    const viewer = await makeConnection(server, { capabilities: ['read_content'] })
    for (const id of [one, two, three]) await share(server, id ?? '', { connectionId: viewer.connectionId }, 'view')
    const { caller } = viewer
    expect(await names({ filter: { property: 'connections', mcp_server: { contains: 'tides' } } }, caller)).toEqual([])
    expect(await names({ filter: { property: 'last_run_at', date: { after: '2020-01-01' } } }, caller)).toEqual([])
    const results = resultsOf((await query({ sorts: [{ property: 'last_run_at', direction: 'descending' }] }, caller)).body)
    const ids = results.map(({ id }) => String(id))
    expect(ids).toEqual([...ids].sort())
    expect(results.every(({ last_run_at, credit_limit }) => last_run_at === 'hidden' && credit_limit === 'hidden')).toBe(true)
  })

  it("200 with the enforced credit limit, the smaller of the agent's and the workspace's", async () => {
    await setTerms(server, { defaultAgentLimit: 40 })
    const limits = resultsOf((await query({}, ines)).body).map(({ credit_limit }) => credit_limit)
    await setTerms(server, { defaultAgentLimit: null })
    expect(limits).toEqual([40, 40, 40, null])
  })

  it('200 page by page in each order, with the personal agent', async () => {
    for (const sorts of [
      [],
      [{ property: 'last_run_at', direction: 'ascending' }],
      [
        { property: 'last_run_at', direction: 'descending' },
        { property: 'created_time', direction: 'ascending' },
      ],
    ]) {
      const whole = await names({ sorts, include_deleted: true }, ines)
      const pages: unknown[] = []
      for (let start_cursor: string | null = null, more = true; more;) {
        const { body }: { body: JsonObject } = await query({ sorts, include_deleted: true, page_size: 1, start_cursor }, ines)
        pages.push(at(body, 'results', 0, 'name'))
        more = body['has_more'] === true
        if (more) start_cursor = textAt(body, 'next_cursor')
      }
      expect(pages).toEqual(whole)
      expect(pages).toHaveLength(5)
    }
  })

  it('400 when the cursor is malformed or belongs to another query or caller', async () => {
    const cursor = textAt((await query({ page_size: 1 })).body, 'next_cursor')
    expectInvalid(await query({ start_cursor: cursor, query: 'line' }), 'body.start_cursor')
    expectInvalid(await query({ start_cursor: cursor }, ines), 'body.start_cursor')
    expectInvalid(await query({ start_cursor: 'MTIz' }), 'body.start_cursor')
    expect((await query({ start_cursor: cursor })).status).toBe(200)
  })

  const leaf = { property: 'favorited', checkbox: { equals: true } }
  it.each<[string, object, string]>([
    [
      'lists nested three levels deep',
      { filter: { and: [{ or: [leaf, { and: [leaf] }] }] } },
      'body.filter.and[0].or[1].property',
    ],
    ['the key of another property', { filter: { property: 'status', select: { equals: 'active' } } }, 'body.filter.property'],
    ['an empty list of statuses', { filter: { property: 'status', status: { in: [] } } }, 'body.filter.status.in.length'],
    [
      'more than 100 statuses',
      { filter: { property: 'status', status: { in: Array.from({ length: 101 }, () => 'active') } } },
      'body.filter.status.in.length',
    ],
    ['an unknown status', { filter: { property: 'status', status: { in: ['paused'] } } }, 'body.filter.status.in[0]'],
    ['an unknown direction', { sorts: [{ property: 'created_time', direction: 'up' }] }, 'body.sorts[0].direction'],
    ['an empty list of conditions', { filter: { and: [] } }, 'body.filter.and.length'],
    ['more than 100 conditions', { filter: { or: Array.from({ length: 101 }, () => leaf) } }, 'body.filter.or.length'],
    ['a condition without a bound', { filter: { property: 'created_time', date: {} } }, 'body.filter.date.after'],
    [
      'a date that does not exist',
      { filter: { or: [{ property: 'created_time', date: { after: '2026-02-30' } }] } },
      'body.filter.or[0].date.after',
    ],
    [
      'external agent as type',
      { filter: { property: 'agent_type', string: { equals: 'external' } } },
      'body.filter.string.equals',
    ],
    ['an unknown sort', { sorts: [{ property: 'name', direction: 'ascending' }] }, 'body.sorts[0].property'],
    [
      'one property twice',
      {
        sorts: [
          { property: 'created_time', direction: 'ascending' },
          { property: 'created_time', direction: 'descending' },
        ],
      },
      'body.sorts[1].property',
    ],
    ['page_size 0', { page_size: 0 }, 'body.page_size'],
    ['page_size 101', { page_size: 101 }, 'body.page_size'],
    ['an empty text', { query: '' }, 'body.query.length'],
    ['an unknown key', { archived: true }, 'body.archived'],
  ])('400 for %s', async (_name, body, location) => {
    expectInvalid(await query(body), location)
  })

  it('403 without the capability to read content', async () => {
    const { caller } = await makeConnection(server, { capabilities: ['update_content'] })
    expectError(await query({}, caller), 403, 'restricted_resource', 'read_content')
  })
})
