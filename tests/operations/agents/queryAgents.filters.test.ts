import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import type { AgentLevel } from '../../../server/domain/agents/agent.ts'
import { changeAgent, favor, makeAgent, setRun, share } from '../../harness/agents.ts'
import type { Caller } from '../../harness/caller.ts'
import { makeMember } from '../../harness/connections.ts'
import { at, resultsOf, textAt } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

/** A filter must return the same agents as a literal evaluation of its definition on every agent. */

const PERSONAL = '33333333-3333-3333-3333-333333333333'
const [INES, TOMAS, AIKO] = exampleWorkspace.people.map(({ id }) => id) as [string, string, string]
const START = Date.parse('2026-05-16T04:30:00.000Z')
const MINUTE = 60_000

/** An agent as its caller, Aiko, sees it, without hidden fields. */
interface Known {
  readonly id: string
  readonly agent_type: string
  readonly created_by: string | null
  readonly created_time: number | null
  readonly last_run_at: number | null
  readonly favorited: boolean
  readonly hosts: readonly string[]
  readonly status: string
  readonly model_mode: string
  readonly agent_version: number | null
}

type Leaf = { readonly property: string } & Readonly<Record<string, unknown>>
type Filter = Leaf | { readonly and: readonly Filter[] } | { readonly or: readonly Filter[] }

function fits(filter: Filter, agent: Known): boolean {
  if ('and' in filter) return (filter.and as readonly Filter[]).every((entry) => fits(entry, agent))
  if ('or' in filter) return (filter.or as readonly Filter[]).some((entry) => fits(entry, agent))
  return fitsLeaf(filter, agent)
}

function fitsLeaf(leaf: Leaf, agent: Known): boolean {
  const operand = (key: string, operator: string): unknown => (leaf[key] as Readonly<Record<string, unknown>>)[operator]
  switch (leaf.property) {
    case 'id':
      return operand('id', 'equals') === agent.id || (operand('id', 'equals') === 'service_ai' && agent.id === PERSONAL)
    case 'agent_type':
      return operand('string', 'equals') === agent.agent_type
    case 'created_by': {
      const wanted = operand('people', 'contains')
      return agent.created_by !== null && agent.created_by === (wanted === 'me' ? AIKO : wanted)
    }
    case 'created_time':
    case 'last_run_at': {
      const [time, after, before] = [agent[leaf.property], operand('date', 'after'), operand('date', 'before')]
      if (time === null) return false
      return (
        (after === undefined || time > Date.parse(String(after))) && (before === undefined || time < Date.parse(String(before)))
      )
    }
    case 'favorited':
      return operand('checkbox', 'equals') === agent.favorited
    case 'connections':
      return agent.hosts.some((host) => host.includes(String(operand('mcp_server', 'contains')).toLowerCase()))
    case 'status':
      return (operand('status', 'in') as readonly string[]).includes(agent.status)
    case 'model_mode':
      return operand('select', 'equals') === agent.model_mode
    default:
      return operand('number', 'equals') === agent.agent_version
  }
}

function namesDeleted(filter: Filter): boolean {
  if ('and' in filter) return (filter.and as readonly Filter[]).some(namesDeleted)
  if ('or' in filter) return (filter.or as readonly Filter[]).some(namesDeleted)
  return filter.property === 'status' && JSON.stringify(filter).includes('"deleted"')
}

const known: Known[] = []
const server = await serverOfFile({ BOOTSTRAP_SAMPLE: 'empty' })
const aiko = await makeMember(server, AIKO)
for (let number = 0; number < 16; number += 1) known.push(await make(number))
known.push({
  id: PERSONAL,
  agent_type: 'service_ai',
  created_by: null,
  created_time: null,
  last_run_at: null,
  favorited: false,
  hosts: [],
  status: 'active',
  model_mode: 'auto',
  agent_version: null,
})

/** Agents that differ in every filterable property; no two are equal in all. */
async function make(number: number): Promise<Known> {
  server.clock.advance(MINUTE)
  const pick = <T>(list: readonly T[], step: number): T => list[Math.floor(number / step) % list.length] as T
  const agent_type = pick(['custom_agent', 'autofill_custom_agent'] as const, 1)
  const created_by = pick([INES, null, AIKO], 2)
  const hosts = pick([[], ['tides.example'], ['charts.example', 'tides.example:8443']], 1)
  const model_mode = pick(['auto', 'pinned'] as const, 4)
  const published = number % 5 !== 0
  const level: AgentLevel = pick(['view', 'edit', 'full'] as const, 3)
  const id = await makeAgent(
    server,
    {
      type: agent_type,
      createdBy: created_by,
      model: model_mode === 'auto' ? { mode: 'auto' } : { mode: 'pinned', id: null },
      connections: hosts.map((server_host) => ({
        type: 'mcp_server',
        name: 'Tools',
        account: { type: 'mcp_server', server_host },
        enabled_tools: null,
        run_tools_automatically: { read: true, write: true },
      })),
      ...(published ? {} : { versionId: null }),
    },
    [number % 2 === 0 ? [{ personId: AIKO }, level] : [{ everybody: true }, level]],
  )
  await share(server, id, { connectionId: exampleWorkspace.connection.id }, 'full')
  const created_time = server.clock.now()
  const ran = number % 3 === 0 ? null : START + number * MINUTE
  if (ran !== null) await setRun(server, id, ran)
  if (number % 4 === 1) await favor(server, id, AIKO)
  await favor(server, id, TOMAS)
  if (published && number % 6 === 1) await changeAgent(server, id, { publish: true })
  const status = pick(['active', 'disabled', 'active', 'deleted'], 1)
  if (status === 'disabled') await changeAgent(server, id, { pauseReason: 'failure_limit' })
  if (status === 'deleted') await server.owner.call('deleteAgent', { path: { agent_id: id } })
  const mayEdit = level !== 'view'
  return {
    id,
    agent_type,
    created_by,
    created_time,
    last_run_at: mayEdit ? ran : null,
    favorited: number % 4 === 1,
    hosts: mayEdit ? hosts : [],
    status,
    model_mode,
    agent_version: published ? (number % 6 === 1 ? 2 : 1) : null,
  }
}

const moment = fc.integer({ min: -1, max: 18 }).map((minutes) => new Date(START + minutes * MINUTE).toISOString())
const leafOf = (property: string, key: string, operators: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Leaf> =>
  fc.record({ property: fc.constant(property), [key]: fc.record(operators) }) as fc.Arbitrary<Leaf>
const timesOf = (property: string): fc.Arbitrary<Leaf> =>
  fc
    .record({ after: moment, before: moment }, { requiredKeys: [] })
    .filter((date) => Object.keys(date).length > 0)
    .map((date) => ({ property, date }))

const leaf: fc.Arbitrary<Leaf> = fc.oneof(
  leafOf('id', 'id', { equals: fc.nat(16).map((index) => `#${index}`) }),
  leafOf('agent_type', 'string', { equals: fc.constantFrom('custom_agent', 'autofill_custom_agent', 'service_ai') }),
  leafOf('created_by', 'people', { contains: fc.constantFrom('me', INES, TOMAS) }),
  timesOf('created_time'),
  timesOf('last_run_at'),
  leafOf('favorited', 'checkbox', { equals: fc.boolean() }),
  leafOf('connections', 'mcp_server', {
    contains: fc.constantFrom('TIDES', 'example', 'charts.', ':8443', 'example\ntides', '%'),
  }),
  leafOf('status', 'status', { in: fc.array(fc.constantFrom('active', 'disabled', 'deleted'), { minLength: 1, maxLength: 3 }) }),
  leafOf('model_mode', 'select', { equals: fc.constantFrom('auto', 'pinned') }),
  leafOf('agent_version', 'number', { equals: fc.constantFrom(1, 2, 3, 1.5, -1) }),
)
const listOf = (entry: fc.Arbitrary<Filter>): fc.Arbitrary<Filter> =>
  fc.array(entry, { minLength: 1, maxLength: 4 }).chain((entries) => fc.constantFrom<Filter>({ and: entries }, { or: entries }))
const filters: fc.Arbitrary<Filter> = fc.oneof(leaf, listOf(leaf), listOf(fc.oneof(leaf, listOf(leaf))))

/** A generated filter with the ids of this run. */
function named(filter: Filter): Filter {
  return JSON.parse(
    JSON.stringify(filter).replace(/#(\d+)/g, (_whole, index: string) => known[Number(index)]?.id ?? ''),
  ) as Filter
}

it('queryAgents: 200 with the agents that a plain evaluation selects, for any filter', async () => {
  let found = 0
  await fc.assert(
    fc.asyncProperty(filters, fc.boolean(), async (generated, include_deleted) => {
      const filter = named(generated)
      const withDeleted = include_deleted || namesDeleted(filter)
      const expected = known.filter((agent) => fits(filter, agent) && (withDeleted || agent.status !== 'deleted'))
      const { status, body } = await aiko.call('queryAgents', { body: { filter, include_deleted } })
      expect(status, JSON.stringify(body)).toBe(200)
      expect(resultsOf(body).map(({ id }) => id)).toEqual(
        expected.toSorted((a, b) => (b.created_time ?? 0) - (a.created_time ?? 0)).map(({ id }) => id),
      )
      found += expected.length
    }),
    { numRuns: Number(process.env['RUNS'] ?? 150) },
  )
  expect(found).toBeGreaterThan(0)
})

it('queryAgents: 200 page by page with the whole list, for any page size and order', async () => {
  const order = fc.record({
    property: fc.constantFrom('created_time', 'last_run_at'),
    direction: fc.constantFrom('ascending', 'descending'),
  })
  const orders = fc.uniqueArray(order, { maxLength: 2, selector: ({ property }) => property })
  await fc.assert(
    fc.asyncProperty(orders, fc.integer({ min: 1, max: 9 }), async (sorts, page_size) => {
      const query = { sorts, include_deleted: true }
      const whole = resultsOf((await aiko.call('queryAgents', { body: query })).body).map(({ id }) => id)
      expect(whole).toHaveLength(known.length)
      const pieces: unknown[] = []
      for (let start_cursor: string | null = null, more = true; more;) {
        const { body }: Awaited<ReturnType<Caller['call']>> = await aiko.call('queryAgents', {
          body: { ...query, page_size, start_cursor },
        })
        pieces.push(...resultsOf(body).map((_agent, index) => at(body, 'results', index, 'id')))
        more = body['has_more'] === true
        if (more) start_cursor = textAt(body, 'next_cursor')
      }
      expect(pieces).toEqual(whole)
    }),
    { numRuns: Number(process.env['RUNS'] ?? 12) },
  )
})
