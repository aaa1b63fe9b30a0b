import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { DEMO, makeAgent, setRun, share } from '../../harness/agents.ts'
import { makeConnection } from '../../harness/connections.ts'
import { idOf, resultsOf } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

/** Agents in the order of their last run, as far as each caller can see runs. The order follows every change. */

const [ines] = exampleWorkspace.people.map(({ id }) => id) as [string]
const server = await serverOfFile({ BOOTSTRAP_SAMPLE: 'empty' })
const partner = await makeConnection(server, { capabilities: ['read_content'] })
const forPartner = { connectionId: partner.connectionId }
const agents: string[] = []
for (const index of [0, 1, 2]) {
  server.clock.advance(1_000)
  const id = await makeAgent(server, { name: `Agent ${index}` }, [
    [DEMO, 'full'],
    [{ personId: ines }, 'full'],
  ])
  await share(server, id, forPartner, 'edit', ines)
  agents.push(id)
}
const [first, second, third] = agents as [string, string, string]

/** @returns the agents that ran, the most recent first, then the others */
async function order(caller = partner.caller): Promise<[ran: number[], others: number[]]> {
  const { body } = await caller.call('queryAgents', { body: { sorts: [{ property: 'last_run_at', direction: 'descending' }] } })
  const results = resultsOf(body).map((item) => ({ id: idOf(item), ran: item['last_run_at'] }))
  const isShown = ({ ran }: { readonly ran: unknown }): boolean => ran !== null && ran !== 'hidden'
  const others = results.filter((item) => !isShown(item)).map(({ id }) => id)
  expect(results.map(isShown)).toEqual(results.map((_, index) => index < results.length - others.length))
  expect(others).toEqual(others.toSorted())
  return [
    results.filter(isShown).map(({ id }) => agents.indexOf(id)),
    others.map((id) => agents.indexOf(id)).sort((one, other) => one - other),
  ]
}

describe('queryAgents', () => {
  it('200 sorted by last run, which each new run updates', async () => {
    expect(await order()).toEqual([[], [0, 1, 2]])
    await setRun(server, second, server.clock.now())
    await setRun(server, first, server.clock.now() + 1_000)
    expect(await order()).toEqual([[0, 1], [2]])
    await setRun(server, third, server.clock.now() + 2_000)
    expect([await order(), await order(server.owner)]).toEqual([
      [[2, 0, 1], []],
      [[2, 0, 1], []],
    ])
  })

  it('200 with an agent sorted last while the caller may not see its last run', async () => {
    await share(server, third, { personId: ines }, 'view')
    expect([await order(), await order(server.owner)]).toEqual([
      [[0, 1], [2]],
      [[2, 0, 1], []],
    ])
    await share(server, third, { personId: ines }, 'edit')
    expect(await order()).toEqual([[2, 0, 1], []])
    await share(server, first, forPartner, 'view')
    expect(await order()).toEqual([[2, 1], [0]])
    await share(server, first, forPartner, 'edit', ines)
    await share(server, first, { personId: ines }, null)
    // The member who shared the first agent no longer sees it.
    expect(await order()).toEqual([[2, 1], []])
    await share(server, first, { everybody: true }, 'full')
    expect(await order()).toEqual([[2, 0, 1], []])
  })

  it('200 page by page with an agent sorted last when the member who shared it may only view it', async () => {
    const { connectionId, caller } = await makeConnection(server, { capabilities: ['read_content'] })
    const made = await Promise.all([0, 1, 2].map(() => makeAgent(server, {}, [[{ personId: ines }, 'full']])))
    const [idle, middle, latest] = made.toSorted() as [string, string, string]
    for (const id of made) await share(server, id, { connectionId }, 'edit', ines)
    await setRun(server, middle, server.clock.now())
    await setRun(server, latest, server.clock.now() + 1_000)
    const pages = async (): Promise<string[]> => {
      const body = { page_size: 2, sorts: [{ property: 'last_run_at', direction: 'descending' }] }
      const first = (await caller.call('queryAgents', { body })).body
      const next = (await caller.call('queryAgents', { body: { ...body, start_cursor: String(first['next_cursor']) } })).body
      return [...resultsOf(first), ...resultsOf(next)].map(idOf)
    }
    expect(await pages()).toEqual([latest, middle, idle])
    await share(server, latest, { everybody: true }, 'view')
    expect(await pages()).toEqual([latest, middle, idle])
    await share(server, latest, { personId: ines }, null)
    expect(await pages()).toEqual([middle, idle, latest])
  })

  it('200 filtered by a range of last runs', async () => {
    const between = (after: number, before: number): object => ({
      filter: {
        property: 'last_run_at',
        date: {
          after: new Date(server.clock.now() + after).toISOString(),
          before: new Date(server.clock.now() + before).toISOString(),
        },
      },
    })
    const found = async (body: object): Promise<number[]> =>
      resultsOf((await partner.caller.call('queryAgents', { body })).body).map((item) => agents.indexOf(idOf(item)))
    expect(await found(between(-1, 1_500))).toEqual([1, 0])
    expect(await found(between(0, 2_000))).toEqual([0])
    expect(await found({ ...between(-1, 5_000), sorts: [{ property: 'last_run_at', direction: 'ascending' }] })).toEqual([
      1, 0, 2,
    ])
    expect(await found({ ...between(5_000, 6_000), sorts: [{ property: 'created_time', direction: 'ascending' }] })).toEqual([])
  })
})
