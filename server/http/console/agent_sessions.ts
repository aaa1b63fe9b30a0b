import type { AgentQueryList, MessagePart, SessionDetail, SessionEvent } from '../../../generated/types.ts'
import type { Membership } from '../../domain/people/index.ts'
import type { ConsoleResponse } from './console_calls.ts'

export type AgentSession = ConsoleResponse<'listAgentSessions'>['results'][number]
type AgentSessionEvent = ConsoleResponse<'retrieveAgentSession'>['events'][number]

/** The names of the workspace of sessions, and of the agents, people and bots in them. */
export interface SessionNames {
  readonly workspace: AgentSession['workspace']
  readonly byId: ReadonlyMap<string, string | null>
}

export function presentReachableAgent(
  agent: AgentQueryList['results'][number],
  { actor, workspaceName }: Membership,
): ConsoleResponse<'listReachableAgents'>['results'][number] {
  const { id, name, description, status, last_run_at: lastRun } = agent
  return {
    object: 'reachable_agent',
    ...{ id, name, description },
    workspace: { id: actor.workspaceId, name: workspaceName },
    status: status === 'active' ? 'active' : 'disabled',
    pause_reason: agent.pause_reason,
    last_run_time: lastRun === 'hidden' ? null : lastRun,
  }
}

export function presentAgentSession(session: SessionDetail, names: SessionNames): AgentSession {
  const { id, title, status, agent_id: agentId, created_by: creator, required_actions: actions = [] } = session
  return {
    object: 'agent_session',
    ...{ id, title, status },
    agent: named(agentId, names),
    workspace: names.workspace,
    started_by: named(creator.id, names),
    trigger_type: session.trigger_type ?? 'chat',
    created_time: session.created_at,
    updated_time: session.updated_at,
    actions: actions.map((action) => ({ id: action.action_id, title: action.title })),
    error: session.error?.message ?? null,
  }
}

export function presentEvents(events: readonly SessionEvent[], names: SessionNames): AgentSessionEvent[] {
  return events.map((event) => ({
    id: event.id,
    type: event.type,
    created_time: event.created_at,
    author: 'created_by' in event && event.created_by !== null ? named(event.created_by.id, names) : null,
    text: textIn(event),
    files: 'content' in event ? event.content.flatMap((part: MessagePart) => (part.type === 'file' ? [part.name] : [])) : [],
    tool: 'tool_name' in event ? event.tool_name : null,
    is_error: event.type === 'agent.tool_result' && event.is_error,
    status: event.type === 'session.status' ? event.status : null,
  }))
}

function textIn(event: SessionEvent): string | null {
  if (event.type === 'session.status') return event.error?.message ?? null
  if (!('content' in event)) return null
  return event.content.flatMap((part: MessagePart) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

function named(id: string, { byId }: SessionNames): NonNullable<AgentSession['agent']> {
  return { id, name: byId.get(id) ?? null }
}
