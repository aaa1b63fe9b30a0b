import type { SessionDetail } from '../../../generated/types.ts'
import {
  cancelAsPerson,
  decideAsPerson,
  listCurrentSessions,
  namesOf,
  queryAgents,
  querySessionEvents,
  retrieveSession,
} from '../../domain/agents/index.ts'
import { fullMembershipsOf, type Membership } from '../../domain/people/index.ts'
import type { Scope, WriteScope } from '../../domain/shared/index.ts'
import { ServiceError } from '../../kernel/errors.ts'
import { canonicalId } from '../../kernel/ids.ts'
import { readerScope } from '../record_pages/reader_scope.ts'
import {
  presentReachableAgent,
  presentEvents,
  presentAgentSession,
  type AgentSession,
  type SessionNames,
} from './agent_sessions.ts'
import type { ConsoleCall, ConsoleHandlers, ConsoleResponse } from './console_calls.ts'

const LISTED_MAX = 100
/** The maximum number of listed sessions of a workspace: that many whose turn has not ended, and that many others. */
const SESSIONS_MAX = 50
const EVENTS_MAX = 100

type AgentId = 'listReachableAgents' | 'listAgentSessions' | 'retrieveAgentSession' | 'decideAgentAction' | 'cancelAgentTurn'
type SessionCall = Pick<ConsoleCall<'retrieveAgentSession'>, 'deps' | 'session' | 'path' | 'context'>

/** The operations about agents and their sessions. A person sees and may do the same as with a personal token. */
export const reachableAgentHandlers: ConsoleHandlers<AgentId> = {
  async listReachableAgents(call) {
    const found = await call.deps.database.read(async (db) => {
      const pages: { agents: ReturnType<typeof presentReachableAgent>[]; hasMore: boolean }[] = []
      for (const membership of await fullMembershipsOf(db, call.session.personId)) {
        const page = await queryAgents(scopeOf(call, db, membership), {}, pageOf(LISTED_MAX))
        pages.push({ agents: page.results.map((agent) => presentReachableAgent(agent, membership)), hasMore: page.has_more })
      }
      return pages
    })
    const results = found.flatMap(({ agents }) => agents)
    const hasMore = results.length > LISTED_MAX || found.some((page) => page.hasMore)
    return { object: 'list', type: 'reachable_agent', results: results.slice(0, LISTED_MAX), has_more: hasMore }
  },
  async listAgentSessions(call) {
    const { deps, session, query } = call
    const workspaceId = query?.workspace_id === undefined ? undefined : canonicalId(query.workspace_id)
    const found = await deps.database.read(async (db) => {
      const lists: { sessions: AgentSession[]; hasMore: boolean }[] = []
      for (const membership of await fullMembershipsOf(db, session.personId)) {
        if (workspaceId !== undefined && membership.actor.workspaceId !== workspaceId) continue
        const scope = scopeOf(call, db, membership)
        const { sessions, hasMore } = await listCurrentSessions(scope, SESSIONS_MAX, query?.agent_id)
        const names = await sessionNames(scope, membership, sessions)
        lists.push({ sessions: sessions.map((one) => presentAgentSession(one, names)), hasMore })
      }
      return lists
    })
    const results = found.flatMap(({ sessions }) => sessions).sort(liveFirst)
    const hasMore = results.length > LISTED_MAX || found.some((list) => list.hasMore)
    return { object: 'list', type: 'agent_session', results: results.slice(0, LISTED_MAX), has_more: hasMore }
  },
  retrieveAgentSession,
  async decideAgentAction(call) {
    const { session_id: sessionId, action_id: actionId } = call.path
    await change(call, (scope) => decideAsPerson(scope, { sessionId, actionId: canonicalId(actionId), option: call.body.option }))
    return retrieveAgentSession(call)
  },
  async cancelAgentTurn(call) {
    await change(call, (scope) => cancelAsPerson(scope, call.path.session_id))
    return retrieveAgentSession(call)
  },
}

async function retrieveAgentSession(call: SessionCall): Promise<ConsoleResponse<'retrieveAgentSession'>> {
  const { deps, path } = call
  return orMissing(
    deps.database.read(async (db) => {
      const membership = await requireMembership(call, db)
      const scope = scopeOf(call, db, membership)
      const detail = await retrieveSession(scope, path.session_id)
      const latest: Parameters<typeof querySessionEvents>[2] = { sorts: [{ property: 'sequence', direction: 'descending' }] }
      const page = await querySessionEvents(scope, path.session_id, latest, pageOf(EVENTS_MAX))
      const events = page.results.toReversed()
      const names = await sessionNames(scope, membership, [detail], events.flatMap(authorsOf))
      return {
        object: 'agent_session_details',
        session: presentAgentSession(detail, names),
        events: presentEvents(events, names),
        has_more: page.has_more,
      }
    }),
  )
}

/** Changes a session while no other writer changes its workspace. */
async function change(call: SessionCall, work: (scope: WriteScope) => Promise<void>): Promise<void> {
  const { deps, path } = call
  const written = deps.database.write(
    async (db) => work({ ...scopeOf(call, db, await requireMembership(call, db)), db }),
    canonicalId(path.workspace_id),
  )
  await orMissing(written)
  deps.feed.committed(canonicalId(path.session_id))
}

async function requireMembership({ session, path }: SessionCall, db: Scope['db']): Promise<Membership> {
  const workspaceId = canonicalId(path.workspace_id)
  const memberships = await fullMembershipsOf(db, session.personId)
  const membership = memberships.find(({ actor }) => actor.workspaceId === workspaceId)
  if (!membership) throw missing()
  return membership
}

/** Gives every missing or hidden record the same message, without advice about tokens. */
function orMissing<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw error instanceof ServiceError && error.code === 'object_not_found' ? missing() : error
  })
}

function missing(): ServiceError {
  return new ServiceError('object_not_found', { message: 'There is no session or action with this id that you may see.' })
}

function scopeOf({ deps, context }: Pick<SessionCall, 'deps' | 'context'>, db: Scope['db'], { actor }: Membership): Scope {
  return readerScope(deps, db, actor, context.deadline)
}

function pageOf(pageSize: number): Parameters<typeof queryAgents>[2] {
  return { startCursor: undefined, pageSize, cursorPath: 'start_cursor' }
}

async function sessionNames(
  scope: Scope,
  { actor, workspaceName }: Membership,
  sessions: readonly SessionDetail[],
  others: readonly string[] = [],
): Promise<SessionNames> {
  const ids = sessions.flatMap(({ agent_id: agentId, created_by: creator }) => [agentId, creator.id])
  return { workspace: { id: actor.workspaceId, name: workspaceName }, byId: await namesOf(scope, [...ids, ...others]) }
}

function authorsOf(event: Parameters<typeof presentEvents>[0][number]): string[] {
  return 'created_by' in event && event.created_by !== null ? [event.created_by.id] : []
}

const LIVE: ReadonlySet<AgentSession['status']> = new Set(['queued', 'in_progress', 'requires_action'])

function liveFirst(one: AgentSession, other: AgentSession): number {
  const difference = Number(LIVE.has(other.status)) - Number(LIVE.has(one.status))
  return difference === 0 ? Date.parse(other.updated_time) - Date.parse(one.updated_time) : difference
}
