import { yieldToEventLoop } from '../../kernel/yield_to_event_loop.ts'
import type { AgentOrder, AgentPosition } from '../../store/agent_ranges.ts'
import { comparePositions, findAgentRecords, scanAgents, type FoundAgent } from '../../store/agent_scans.ts'
import type { AgentTest } from '../../store/agent_tests.ts'
import { badCursor, cutPage, positionOf, type Page, type PageRequest, type Scope } from '../shared/index.ts'
import {
  agentViewerOf,
  asOf,
  DELETED_KEPT_MS,
  levelOfNumber,
  numberOfLevel,
  PERSONAL_AGENT_ID,
  personalAgent,
  type Agent,
} from './agent.ts'

interface AgentSearch {
  readonly test: AgentTest
  /** One or two sort keys. */
  readonly orders: readonly AgentOrder[]
  /** The sort key of the personal agent; null to put it last. */
  readonly personalKey: number | null
}

/** A page of the agents visible to the caller, including the personal agent if it passes `test`. */
export async function findAgentPage(scope: Scope, search: AgentSearch, request: PageRequest): Promise<Page<Agent>> {
  const { db, actor, cursors, now } = scope
  const after = parsePosition(scope, search, request)
  const found = await scanAgents(
    db,
    {
      viewer: await agentViewerOf(scope),
      test: search.test,
      orders: search.orders,
      after,
      limit: request.pageSize + 1,
      now,
      goneBefore: now - DELETED_KEPT_MS,
    },
    async () => {
      await yieldToEventLoop()
      scope.requireTime?.()
    },
  )
  const all = [...found, ...personalAmong(scope, search, after)].sort((one, other) => comparePositions(one, other, search.orders))
  const page = cutPage(cursors, all, request, ({ keys, id }) => [...keys.map((key) => String(key)), id])
  const records = await findAgentRecords(
    db,
    actor.workspaceId,
    page.items.map(({ id }) => id),
  )
  const items = page.items.flatMap(({ id, level }): Agent[] => {
    if (id === PERSONAL_AGENT_ID) return [personalAgent]
    const record = records.get(id)
    return record ? [{ ...asOf(record, now), level: levelOfNumber(level) }] : []
  })
  return { ...page, items }
}

function parsePosition({ cursors }: Scope, { orders }: AgentSearch, request: PageRequest): AgentPosition | undefined {
  const position = positionOf(cursors, request)
  if (position === undefined) return undefined
  const [id, ...keys] = position.toReversed()
  if (id === undefined || keys.length !== orders.length) throw badCursor(request)
  return { id, keys: keys.reverse().map((key) => (key === 'null' ? null : Number(key))) }
}

function personalAmong({ actor }: Scope, search: AgentSearch, after: AgentPosition | undefined): FoundAgent[] {
  const { orders, personalKey, test } = search
  if (actor.personId === undefined || !personalPasses(test)) return []
  const found = { id: PERSONAL_AGENT_ID, keys: orders.map(() => personalKey), level: numberOfLevel(personalAgent.level) }
  return after === undefined || comparePositions(found, after, orders) > 0 ? [found] : []
}

/**
 * Whether the personal agent, which is not stored in a table, passes the test. It has no dates, no version and no creator, and
 * cannot be a favorite.
 */
function personalPasses(test: AgentTest): boolean {
  switch (test.kind) {
    case 'all':
      return test.tests.every(personalPasses)
    case 'any':
      return test.tests.some(personalPasses)
    case 'id':
      return test.among.includes(PERSONAL_AGENT_ID)
    case 'type':
      return test.among.includes(personalAgent.type)
    case 'favorite':
      return !test.isFavorite
    case 'status':
      return test.among.includes('active')
    case 'model':
      return test.mode === personalAgent.model.mode
    case 'name':
    case 'text':
      return personalAgent.name.toLowerCase().includes(test.part)
    case 'never':
    case 'creator':
    case 'time':
    case 'host':
    case 'version':
      return false
  }
}
