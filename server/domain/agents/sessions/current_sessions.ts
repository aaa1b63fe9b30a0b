import type { SessionDetail, SessionFilterEntry } from '../../../../generated/types.ts'
import { toTimestamp } from '../../../kernel/clock.ts'
import { knownRows } from '../../people/index.ts'
import type { Scope } from '../../shared/index.ts'
import { PERSONAL_AGENT_ID, personalAgent } from '../agent.ts'
import { querySessions } from './query.ts'
import { unfinished } from './state_machine.ts'

/** Turns end before this time has passed since their last event, so that older sessions need not be examined. */
const UNFINISHED_MS_MAX = 25 * 60 * 60 * 1000

interface CurrentSessions {
  readonly sessions: readonly SessionDetail[]
  readonly hasMore: boolean
}

/**
 * The visible sessions whose turn has not ended, then the others, each last changed first.
 * @param limit the maximum number of either
 */
export async function listCurrentSessions(scope: Scope, limit: number, agentId?: string): Promise<CurrentSessions> {
  const ofAgent: SessionFilterEntry[] = agentId === undefined ? [] : [{ property: 'agent_id', string: { equals: agentId } }]
  const since = toTimestamp(scope.now - UNFINISHED_MS_MAX)
  const live = await find(scope, limit, [
    ...ofAgent,
    { property: 'status', status: { in: [...unfinished] } },
    { property: 'updated_at', timestamp: { on_or_after: since } },
  ])
  const latest = await find(scope, limit, ofAgent)
  const listed = new Set(live.results.map(({ id }) => id))
  return {
    sessions: [...live.results, ...latest.results.filter(({ id }) => !listed.has(id))],
    hasMore: live.has_more || latest.has_more,
  }
}

function find(scope: Scope, limit: number, and: SessionFilterEntry[]): ReturnType<typeof querySessions> {
  const request = { startCursor: undefined, pageSize: limit, cursorPath: 'start_cursor' }
  return querySessions(scope, and.length === 0 ? {} : { filter: { and } }, request)
}

/** The names of agents, bots and people, by id. Those of guests who share no page with the caller are omitted. */
export async function namesOf(scope: Scope, ids: Iterable<string>): Promise<ReadonlyMap<string, string | null>> {
  const rows = await knownRows(scope, [...new Set(ids)])
  return new Map([[PERSONAL_AGENT_ID, personalAgent.name], ...rows.map(({ id, name }) => [id, name] as const)])
}
