import { expect, it } from 'vitest'
import { makeAgent } from '../../harness/agents.ts'
import { makeConnection } from '../../harness/connections.ts'
import { publicContract } from '../../harness/contract.ts'
import { resultsOf } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

const AGENTS = 101

const server = await serverOfFile()
const { caller, connectionId } = await makeConnection(server, { capabilities: ['read_content'] })
for (let count = 0; count < AGENTS; count += 1) await makeAgent(server, {}, [[{ connectionId }, 'view']])

it('the default page size of agents is stated in the contract', () => {
  expect(publicContract().components.schemas['PageSizeRequest']).toMatchObject({ default: 100, maximum: 100 })
})

it.each([
  ['listAgents', {}],
  ['listAgents', { query: { page_size: 100 } }],
  ['queryAgents', { body: {} }],
  ['queryAgents', { body: { page_size: 100 } }],
] as const)('%s: 200 with 100 agents and has_more for the request %j', async (id, parts) => {
  const { status, body } = await caller.call(id, parts)
  expect([status, resultsOf(body).length, body['has_more']]).toEqual([200, 100, true])
})
