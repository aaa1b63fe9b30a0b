import type { OperationId } from '../../../server/contract/operation.ts'
import type { CallParts } from '../../harness/caller.ts'
import { makeAgent } from '../../harness/agents.ts'
import type { BorderRow } from './border_rows.ts'
import { sharesOf } from './border_world.ts'

/** Further requests of each operation on one agent. */
const OPERATIONS: readonly (readonly [OperationId, CallParts?])[] = [
  ['retrieveAgent'],
  ['retrieveAgentInsights'],
  ['updateAgentStatus', { body: { status: 'active' } }],
  ['updateAgentCreditLimit', { body: { credit_limit: null } }],
  ['deleteAgent'],
]

const pathRows = OPERATIONS.map(([operation, parts]): BorderRow => ({
  operation,
  location: 'path.agent_id',
  kind: 'agent',
  request: (agent_id) => ({ path: { agent_id }, ...parts }),
  ...(operation === 'deleteAgent' ? { fresh: ({ world }) => makeAgent(world.server, {}, sharesOf(world.connectionId)) } : {}),
}))

/** A batch is accepted even with unknown names; the tests of the operation check its results. */
const batchRows = (
  [
    ['UpdateStatusOperation', { action: 'update_status', fields: { status: 'active' } }],
    ['UpdateCreditLimitOperation', { action: 'update_credit_limit', fields: { credit_limit: null } }],
    ['DeleteOperation', { action: 'delete' }],
  ] as const
).map(([location, change]): BorderRow => ({
  operation: 'createAgentBatch',
  location: `${location}.agent_id`,
  kind: 'agent',
  request: (agent_id) => ({ body: { operations: [{ ...change, agent_id }] } }),
  fresh: ({ world }) => makeAgent(world.server, {}, sharesOf(world.connectionId)),
}))

const listRows: readonly BorderRow[] = [
  { operation: 'listAgents', location: 'query.agent_ids[]', kind: 'agent', request: (id) => ({ query: { agent_ids: [id] } }) },
  { operation: 'listAgents', location: 'query.created_by[]', kind: 'user', request: (id) => ({ query: { created_by: [id] } }) },
  {
    operation: 'queryAgents',
    location: 'AgentCreatorFilter.people.contains',
    kind: 'user',
    request: (id) => ({ body: { filter: { property: 'created_by', people: { contains: id } } } }),
  },
]

export const agentRows: readonly BorderRow[] = [...pathRows, ...batchRows, ...listRows]
