import type { AgentConnection } from '../../../generated/types.ts'
import { isPersonal, type Agent } from '../agents/agent.ts'
import { carryOut, carryOutApproved, defaultParentOf, proposalOf, toolsFor } from '../agents/tools/index.ts'
import type { AgentRights } from '../agents/tools/reach.ts'
import type { Scope } from '../scope.ts'
import type { AgentTools } from './turn_parts.ts'

/** A personal agent may do whatever its user may. */
const EVERYTHING: AgentConnection = {
  type: 'workspace',
  name: 'Workspace',
  account: null,
  permissions: [
    { target: { type: 'workspace' }, scopes: ['editor'] },
    { target: { type: 'owner_private_pages' }, scopes: ['editor'] },
  ],
}

/** Tools on the content of the workspace. */
export const workspaceTools: AgentTools = {
  toolsFor: (scope, agent) => toolsFor(scope, rightsOf(scope, agent)),
  carryOut: (scope, agent, call) => carryOut(scope, rightsOf(scope, agent), call),
  proposalOf: (scope, agent, call) => proposalOf(scope, rightsOf(scope, agent), call),
  carryOutApproved: (scope, agent, call) => carryOutApproved(scope, rightsOf(scope, agent), call),
  defaultParentOf: (scope, agent) => defaultParentOf(scope, rightsOf(scope, agent)),
}

function rightsOf({ actor }: Scope, agent: Agent): AgentRights {
  if (isPersonal(agent)) return { connections: [EVERYTHING], ownerId: actor.personId }
  // Whoever provisions an agent has held its connections against the contract.
  return { connections: agent.connections as readonly AgentConnection[], ownerId: agent.createdBy ?? undefined }
}
