import type { AgentStatus, AgentType, PauseReason } from '../../../generated/types.ts'
import { ServiceError } from '../../kernel/errors.ts'
import { canonicalId } from '../../kernel/ids.ts'
import { findAgentLevel, type AgentLevelNumber, type AgentViewer } from '../../store/agent_access.ts'
import { findAgentRecord, lockAgentRecord, type AgentRecord } from '../../store/agents.ts'
import { findMember } from '../../store/members.ts'
import { notFound, isFullMember, roleOf, type Actor, type Scope, type WriteScope } from '../shared/index.ts'

/** The personal agent of the caller, which has the same id for everyone. */
export const PERSONAL_AGENT_ID = '33333333-3333-3333-3333-333333333333'
const PERSONAL_AGENT_WORD = 'service_ai'

/** The access levels of an agent, in ascending order. Each includes those before it. */
const agentLevels = ['view', 'edit', 'full'] as const
export type AgentLevel = (typeof agentLevels)[number]

/** An agent in its current state, for one caller. */
export interface Agent extends Omit<AgentRecord, 'type'> {
  readonly type: AgentType
  /** The access level of the caller. */
  readonly level: AgentLevel
}

const DAY_MS = 86_400_000
/** How long a deleted agent can be restored. */
export const DELETED_KEPT_MS = 30 * DAY_MS

/** The id in a request: an id in any spelling, or the alias of the personal agent. */
export function agentIdOf(request: string): string {
  return request === PERSONAL_AGENT_WORD ? PERSONAL_AGENT_ID : canonicalId(request)
}

export function isPersonal({ type }: Pick<Agent, 'type'>): boolean {
  return type === PERSONAL_AGENT_WORD
}

export function levelOfNumber(number: number): AgentLevel {
  return agentLevels[number - 1] ?? 'view'
}

export function numberOfLevel(level: AgentLevel): AgentLevelNumber {
  return level === 'view' ? 1 : level === 'edit' ? 2 : 3
}

/** Whether the caller has at least this access level. */
export function agentLevel({ level }: Pick<Agent, 'level'>, needed: AgentLevel): boolean {
  return numberOfLevel(level) >= numberOfLevel(needed)
}

/** @throws ServiceError `restricted_resource` that names the agent and the level */
export function requireLevel(agent: Pick<Agent, 'id' | 'level'>, needed: AgentLevel): void {
  if (agentLevel(agent, needed)) return
  throw new ServiceError('restricted_resource', {
    message: `This requires ${needed} access to the agent with id ${agent.id}; the caller has ${agent.level} access.`,
  })
}

export function agentStatusOf({ deletedTime, pauseReason }: Pick<Agent, 'deletedTime' | 'pauseReason'>): AgentStatus {
  if (deletedTime !== null) return 'deleted'
  return pauseReason === null ? 'active' : 'disabled'
}

/** Null if the agent is active or deleted. */
export function pauseReasonOf({ deletedTime, pauseReason }: Pick<Agent, 'deletedTime' | 'pauseReason'>): PauseReason | null {
  // Only this module writes pause reasons.
  return deletedTime === null ? (pauseReason as PauseReason | null) : null
}

/** The state of an agent at a time. A pause that has ended is ignored from then on. */
export function asOf<T extends Pick<AgentRecord, 'pauseReason' | 'pauseEndTime' | 'lastEditedTime'>>(record: T, now: number): T {
  const { pauseEndTime } = record
  if (pauseEndTime === null || pauseEndTime > now) return record
  return {
    ...record,
    pauseReason: null,
    pauseEndTime: null,
    lastEditedTime: Math.max(record.lastEditedTime, pauseEndTime),
  }
}

/** Whether a deleted agent can no longer be restored, whether or not it has been swept. */
export function isGone({ deletedTime }: Pick<AgentRecord, 'deletedTime'>, now: number): boolean {
  return deletedTime !== null && deletedTime <= now - DELETED_KEPT_MS
}

/** The subject whose agents are visible to the caller: the person of the token, otherwise the bot. */
export async function agentViewerOf({ db, actor }: Pick<Scope, 'db' | 'actor'>): Promise<AgentViewer> {
  const { workspaceId, userId, personId, memberLevel } = actor
  const subjectId = personId ?? userId
  if (memberLevel !== undefined) return { workspaceId, subjectId, isFullMember: memberLevel !== 'none' }
  const member = personId === undefined ? undefined : await findMember(db, workspaceId, personId)
  return { workspaceId, subjectId, isFullMember: member?.left_time === null && isFullMember(roleOf(member.role)) }
}

/**
 * The agent in a request, if it is visible to the caller.
 * @param request an id, or the alias of the personal agent
 * @throws ServiceError `object_not_found`; `restricted_resource` for the personal agent with a token without a person
 */
export function findAgent(scope: Scope, request: string): Promise<Agent> {
  return find(scope, request, (workspaceId, id) => findAgentRecord(scope.db, workspaceId, id))
}

/** Like `findAgent`, and locks the agent until the end of the transaction. */
export function findAgentToChange(scope: WriteScope, request: string): Promise<Agent> {
  return find(scope, request, (workspaceId, id) => lockAgentRecord(scope.db, workspaceId, id))
}

/**
 * Finds an agent for a run that it starts itself, without a caller. It has full access to itself. @throws ServiceError `object_not_found`
 */
export async function findOwnAgent({ db, actor, now }: Scope, id: string): Promise<Agent> {
  const record = await findAgentRecord(db, actor.workspaceId, id)
  if (!record || isGone(record, now)) throw notFound(actor, 'agent', id)
  return { ...asOf(record, now), level: 'full' }
}

async function find(
  scope: Scope,
  request: string,
  fetch: (workspaceId: string, id: string) => Promise<AgentRecord | undefined>,
): Promise<Agent> {
  const { db, actor, now } = scope
  const id = agentIdOf(request)
  if (id === PERSONAL_AGENT_ID) return requirePersonalAgent(actor)
  const level = await findAgentLevel(db, await agentViewerOf(scope), id)
  const record = level === undefined ? undefined : await fetch(actor.workspaceId, id)
  if (level === undefined || !record || isGone(record, now)) throw notFound(actor, 'agent', id)
  return { ...asOf(record, now), level: levelOfNumber(level) }
}

function requirePersonalAgent(actor: Actor): Agent {
  if (actor.personId !== undefined) return personalAgent
  throw new ServiceError('restricted_resource', {
    message: 'The personal agent needs a token that acts for a user; this connection acts for itself.',
  })
}

/** It has no creator, and none of its settings can be changed. */
export const personalAgent: Agent = {
  id: PERSONAL_AGENT_ID,
  type: PERSONAL_AGENT_WORD,
  name: 'Service Agent',
  description: null,
  instructions: null,
  instructionsPageId: null,
  icon: { type: 'icon', icon: { name: 'compass', color: 'blue' } },
  model: { mode: 'auto' },
  connections: [],
  triggers: [],
  pauseReason: null,
  pauseEndTime: null,
  deletedTime: null,
  creditLimit: null,
  version: null,
  hasUnpublishedChanges: false,
  createdBy: null,
  createdTime: 0,
  lastEditedTime: 0,
  lastRunTime: null,
  level: 'full',
}
