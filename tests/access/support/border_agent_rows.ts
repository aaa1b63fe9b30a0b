import type { OperationId } from '../../../server/contract/operation.ts'
import type { CallParts } from '../../harness/caller.ts'
import { makeAgent } from '../../harness/agents.ts'
import type { BorderRow } from './border_rows.ts'
import { sharesOf } from './border_world.ts'

/** What each operation on one agent is asked besides. */
const OPERATIONS: readonly (readonly [OperationId, CallParts?])[] = [
  ['retrieveAgent'],
  ['retrieveAgentInsights'],
  ['updateAgentStatus', { body: { status: 'active' } }],
  ['updateAgentCreditLimit', { body: { credit_limit: null } }],
  ['deleteAgent'],
]

const pathRows = OPERATIONS.map(([operation, parts]): BorderRow => ({
  operation,
  place: 'path.agent_id',
  kind: 'agent',
  ask: (agent_id) => ({ path: { agent_id }, ...parts }),
  ...(operation === 'deleteAgent' ? { fresh: ({ world }) => makeAgent(world.server, {}, sharesOf(world.connectionId)) } : {}),
}))

/** A batch is accepted whatever it names; what becomes of it is asked in the tests of the operation. */
const batchRows = (
  [
    ['UpdateStatusOperation', { action: 'update_status', fields: { status: 'active' } }],
    ['UpdateCreditLimitOperation', { action: 'update_credit_limit', fields: { credit_limit: null } }],
    ['DeleteOperation', { action: 'delete' }],
  ] as const
).map(([place, change]): BorderRow => ({
  operation: 'createAgentBatch',
  place: `${place}.agent_id`,
  kind: 'agent',
  ask: (agent_id) => ({ body: { operations: [{ ...change, agent_id }] } }),
  fresh: ({ world }) => makeAgent(world.server, {}, sharesOf(world.connectionId)),
}))

const listRows: readonly BorderRow[] = [
  { operation: 'listAgents', place: 'query.agent_ids[]', kind: 'agent', ask: (id) => ({ query: { agent_ids: [id] } }) },
  { operation: 'listAgents', place: 'query.created_by[]', kind: 'user', ask: (id) => ({ query: { created_by: [id] } }) },
  {
    operation: 'queryAgents',
    place: 'AgentCreatorFilter.people.contains',
    kind: 'user',
    ask: (id) => ({ body: { filter: { property: 'created_by', people: { contains: id } } } }),
  },
]

export const agentRows: readonly BorderRow[] = [...pathRows, ...batchRows, ...listRows]
