import { canonicalId } from '../../../kernel/ids.ts'
import { findAgentLevels } from '../../../store/agent_levels.ts'
import type { SessionViewer } from '../../../store/session_scans.ts'
import { findSession, type SessionRow } from '../../../store/sessions.ts'
import { agentViewerOf, levelOfNumber, PERSONAL_AGENT_ID } from '../agent.ts'
import { notFound, type Scope } from '../../shared/index.ts'

/** The sessions that a caller can see, and those among them that it can see completely. */
interface VisibleSessions {
  includes(session: SessionRow): boolean
  mayEdit(session: SessionRow): boolean
}

/** The viewer for a caller, who sees its own sessions, those of its person, and those of the agents it can see. */
export async function sessionViewerOf(scope: Pick<Scope, 'db' | 'actor'>): Promise<SessionViewer> {
  const { userId, personId } = scope.actor
  return { agents: await agentViewerOf(scope), userId, personId }
}

export async function visibleSessions(
  { db }: Pick<Scope, 'db'>,
  viewer: SessionViewer,
  sessions: readonly SessionRow[],
): Promise<VisibleSessions> {
  const ids = [...new Set(sessions.map(({ agent_id: id }) => id))]
  const levels = await findAgentLevels(db, viewer.agents, ids)
  const isOwn = ({ agent_id, owner_id }: SessionRow): boolean =>
    agent_id === PERSONAL_AGENT_ID && viewer.personId !== undefined && owner_id === viewer.personId
  const creators: readonly (string | undefined)[] = [viewer.userId, viewer.personId]
  return {
    includes: (session) => creators.includes(session.creator_id) || isOwn(session) || levels.has(session.agent_id),
    mayEdit: (session) => isOwn(session) || levelOfNumber(levels.get(session.agent_id) ?? 1) !== 'view',
  }
}

/** @throws ServiceError `object_not_found` also for a session that is not visible to the caller */
export async function requireSession(
  scope: Pick<Scope, 'db' | 'actor'>,
  writtenId: string,
): Promise<{ session: SessionRow; visible: VisibleSessions }> {
  const id = canonicalId(writtenId)
  const session = await findSession(scope.db, scope.actor.workspaceId, id)
  const visible = await visibleSessions(scope, await sessionViewerOf(scope), session ? [session] : [])
  if (!session || !visible.includes(session)) throw notFound(scope.actor, 'session', id)
  return { session, visible }
}
