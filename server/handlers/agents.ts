import {
  createAgentBatch,
  listAgents,
  queryAgents,
  retrieveAgent,
  retrieveAgentInsights,
  deleteAgent,
  updateAgentCreditLimit,
  updateAgentStatus,
} from '../domain/agents/index.ts'
import { read, write, type Handlers } from './handler.ts'
import { pageRequest } from './paging.ts'

export const agentHandlers = {
  listAgents: read((scope, call) => listAgents(scope, call.query, pageRequest(call.query))),
  queryAgents: read((scope, call) => queryAgents(scope, call.body ?? {}, pageRequest(call.body ?? {}, 'body'))),
  createAgentBatch: write((scope, call) => createAgentBatch(scope, call.body)),
  retrieveAgent: read((scope, call) => retrieveAgent(scope, call.path.agent_id, call.query.verbose ?? false)),
  deleteAgent: write((scope, call) => deleteAgent(scope, call.path.agent_id)),
  updateAgentStatus: write((scope, call) => updateAgentStatus(scope, call.path.agent_id, call.body.status)),
  updateAgentCreditLimit: write((scope, call) => updateAgentCreditLimit(scope, call.path.agent_id, call.body.credit_limit)),
  retrieveAgentInsights: read((scope, call) => retrieveAgentInsights(scope, call.path.agent_id, call.query)),
} satisfies Partial<Handlers>
