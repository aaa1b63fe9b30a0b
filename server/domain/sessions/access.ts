import { canonicalId } from '../../kernel/ids.ts'
import type { Condition } from '../../store/conditions.ts'
import { findSession, type SessionColumn, type SessionRow } from '../../store/sessions.ts'
import { notFound } from '../failures.ts'
import type { Scope } from '../scope.ts'
import { PERSONAL_AGENT_ID } from '../agents/agent.ts'
import { reachableAgents } from './agents.ts'

/** Which sessions a caller may see, and of which it may see everything. */
interface VisibleSessions {
  readonly condition: Condition<SessionColumn>
  includes(session: SessionRow): boolean
  mayEdit(session: SessionRow): boolean
}

/** The caller's own sessions, and those of agents that it can reach. */
export async function visibleSessions(scope: Pick<Scope, 'db' | 'actor'>): Promise<VisibleSessions> {
  const { actor } = scope
  const levels = await reachableAgents(scope)
  const isOwn = ({ agent_id, owner_id }: SessionRow): boolean =>
    agent_id === PERSONAL_AGENT_ID && actor.personId !== undefined && owner_id === actor.personId
  const own: Condition<SessionColumn>[] =
    actor.personId === undefined ? [] : [{ column: 'owner_id', operator: '=', value: actor.personId }]
  return {
    condition: {
      any: [{ column: 'creator_id', operator: '=', value: actor.userId }, ...own, { column: 'agent_id', in: [...levels.keys()] }],
    },
    includes: (session) => session.creator_id === actor.userId || isOwn(session) || levels.has(session.agent_id),
    mayEdit: (session) => isOwn(session) || (levels.get(session.agent_id) ?? 'view') !== 'view',
  }
}

/** @throws ServiceError `object_not_found`, for a session that the caller may not see too */
export async function requireSession(
  scope: Pick<Scope, 'db' | 'actor'>,
  writtenId: string,
): Promise<{ session: SessionRow; visible: VisibleSessions }> {
  const id = canonicalId(writtenId)
  const session = await findSession(scope.db, scope.actor.workspaceId, id)
  const visible = await visibleSessions(scope)
  if (!session || !visible.includes(session)) throw notFound(scope.actor, 'session', id)
  return { session, visible }
}
