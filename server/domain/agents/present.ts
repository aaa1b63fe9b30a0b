import type {
  Actor,
  AgentBase,
  AgentConnection,
  AgentCreator,
  AgentIcon,
  AgentListItem,
  AgentObject,
  AgentQueryItem,
  AgentTrigger,
  AgentVersionRef,
} from '../../../generated/types.ts'
import { toTimestamp } from '../../kernel/clock.ts'
import { findCreditTerms, type CreditTerms } from '../../store/credits.ts'
import { presentIcon, gatherFacts, type StoredIcon, type Facts } from '../content/index.ts'
import type { Scope } from '../shared/index.ts'
import { agentLevel, isPersonal, PERSONAL_AGENT_ID, pauseReasonOf, agentStatusOf, type Agent } from './agent.ts'
import { effectiveLimit } from './pauses.ts'

const HIDDEN = 'hidden'

/** Records that agents refer to, read for all agents at once. */
interface AgentFacts {
  readonly facts: Facts
  readonly terms: CreditTerms
  readonly verbose: boolean
}

export async function gatherAgentFacts(scope: Scope, agents: readonly Agent[], verbose: boolean): Promise<AgentFacts> {
  return {
    facts: await gatherFacts(
      scope,
      agents.map(({ icon }) => icon),
    ),
    terms: await findCreditTerms(scope.db, scope.actor.workspaceId),
    verbose,
  }
}

/** A complete agent. */
export function presentAgent(agent: Agent, known: AgentFacts): AgentObject {
  const version = versionOf(agent)
  return {
    ...baseOf(agent, known),
    agent_type: agent.type,
    pause_reason: pauseReasonOf(agent),
    created_by: creatorOf(agent),
    version,
    has_unpublished_changes: agentLevel(agent, 'edit') ? agent.hasUnpublishedChanges : HIDDEN,
    last_run_time: lastRunOf(agent),
    credit_limit: enforcedLimitOf(agent, known.terms),
    triggers: triggersOf(agent),
    ...(isPersonal(agent) ? {} : timesOf(agent)),
  }
}

/** An agent in the older list. */
export function presentListItem(agent: Agent, known: AgentFacts): AgentListItem {
  const base = baseOf(agent, known)
  return {
    ...base,
    connections: base.connections.filter(({ type }) => type !== 'workspace'),
    agent_type: agent.type,
    created_by: creatorOf(agent),
    version: base.agent_version,
    last_run_time: base.last_run_at,
    ...(isPersonal(agent) ? { created_time: null, last_edited_time: null } : timesOf(agent)),
  }
}

/** An agent in queries, which do not return external agents. */
export function presentQueryItem(agent: Agent, known: AgentFacts): AgentQueryItem {
  const base = baseOf(agent, known)
  const item = {
    ...base,
    pause_reason: pauseReasonOf(agent),
    created_by: actorOf(agent),
    credit_limit: enforcedLimitOf(agent, known.terms),
    triggers: triggersOf(agent),
    ...timesOf(agent),
  }
  switch (agent.type) {
    case 'service_ai':
      return presentServiceAgent(agent, base)
    case 'custom_agent':
      return { ...item, agent_type: 'custom_agent' }
    case 'autofill_custom_agent':
      return { ...item, agent_type: 'autofill_custom_agent' }
    case 'external':
      throw new Error(`a query has found the external agent ${agent.id}`)
  }
}

function presentServiceAgent(agent: Agent, base: AgentBase): AgentQueryItem {
  const { instructions: _none, icon, ...rest } = base
  if (icon === null) throw new Error('the personal agent has an icon')
  return {
    ...rest,
    icon,
    id: PERSONAL_AGENT_ID,
    agent_type: 'service_ai',
    name: 'Service Agent',
    description: null,
    instructions_page_id: null,
    status: 'active',
    pause_reason: null,
    created_by: null,
    agent_version: null,
    created_time: null,
    last_edited_time: null,
    last_run_at: null,
    credit_limit: null,
    triggers: triggersOf(agent),
  }
}

/** The creator of an agent, in short form. */
export function actorOf({ createdBy }: Agent): Actor | null {
  return createdBy === null ? null : { type: 'user', id: createdBy }
}

function creatorOf({ createdBy }: Agent): AgentCreator | null {
  return createdBy === null ? null : { object: 'user', type: 'user', id: createdBy }
}

/** The credit limit that applies, for callers who may see it. */
export function enforcedLimitOf(agent: Agent, terms: CreditTerms): number | 'hidden' | null {
  if (isPersonal(agent)) return null
  return agentLevel(agent, 'full') ? effectiveLimit(agent.creditLimit, terms) : HIDDEN
}

function baseOf(agent: Agent, { facts, verbose }: AgentFacts): AgentBase {
  return {
    object: 'agent',
    id: agent.id,
    name: agent.name,
    description: agent.description,
    instructions_page_id: agent.instructionsPageId,
    icon: iconOf(agent.icon as StoredAgentIcon | null, facts),
    model: agent.model,
    connections: (agent.connections as readonly AgentConnection[]).map((connection) => shownTo(agent, connection)),
    status: agentStatusOf(agent),
    agent_version: versionOf(agent),
    last_run_at: lastRunOf(agent),
    ...(verbose ? { instructions: agent.instructions } : {}),
  }
}

/** An icon set by an administrator: an icon for pages, or an avatar. */
type StoredAgentIcon = StoredIcon | Extract<AgentIcon, { type: 'custom_agent_avatar' }>

function iconOf(icon: StoredAgentIcon | null, facts: Facts): AgentIcon | null {
  return icon?.type === 'custom_agent_avatar' ? icon : presentIcon(icon, facts)
}

/** Without edit access, accounts and tools are omitted, even if there are none. */
function shownTo(agent: Agent, connection: AgentConnection): AgentConnection {
  if (agentLevel(agent, 'edit') || connection.type === 'workspace') return connection
  if (connection.type === 'mcp_server' || connection.type === 'custom_mcp_server')
    return { ...connection, account: HIDDEN, enabled_tools: HIDDEN }
  return { ...connection, account: HIDDEN }
}

function versionOf({ version }: Agent): AgentVersionRef | null {
  return version && { id: version.id, number: version.number, published_at: toTimestamp(version.publishedTime) }
}

function lastRunOf(agent: Agent): string | null {
  if (!agentLevel(agent, 'edit')) return HIDDEN
  return agent.lastRunTime === null ? null : toTimestamp(agent.lastRunTime)
}

function triggersOf({ triggers }: Agent): AgentTrigger[] {
  return [...(triggers as readonly AgentTrigger[])]
}

function timesOf({ createdTime, lastEditedTime }: Agent): { created_time: string; last_edited_time: string } {
  return { created_time: toTimestamp(createdTime), last_edited_time: toTimestamp(lastEditedTime) }
}
