import type {
  AgentInsights,
  AgentList,
  AgentObject,
  AgentQueryList,
  AgentQueryRequest,
  AgentSort,
  AgentType,
} from '../../../generated/types.ts'
import type { AgentOrder } from '../../store/agent_ranges.ts'
import type { AgentTest } from '../../store/agent_tests.ts'
import { findCreditTerms, sumUsage } from '../../store/credits.ts'
import { invalid } from '../failures.ts'
import type { PageRequest } from '../paging.ts'
import type { Scope } from '../scope.ts'
import { agentIdOf, findAgent, pauseReasonOf, agentStatusOf, type Agent } from './agent.ts'
import { billingPeriodOf } from './billing_period.ts'
import { findAgentPage } from './find_page.ts'
import { creatorOf, namesDeleted, parseAgentFilter } from './parse_filter.ts'
import { actorOf, gatherAgentFacts, enforcedLimitOf, presentAgent, presentListItem, presentQueryItem } from './present.ts'

const NOT_DELETED: AgentTest = { kind: 'status', among: ['active', 'disabled'] }
const LISTED_TYPES: readonly AgentType[] = ['service_ai', 'custom_agent', 'autofill_custom_agent']

/** One agent of any type, for callers with any access level. */
export async function retrieveAgent(scope: Scope, id: string, verbose: boolean): Promise<AgentObject> {
  const agent = await findAgent(scope, id)
  return presentAgent(agent, await gatherAgentFacts(scope, [agent], verbose))
}

/** The filters of the older list. */
interface AgentListQuery {
  readonly name?: string
  readonly agent_type?: readonly AgentType[]
  readonly agent_ids?: readonly string[]
  readonly created_by?: readonly string[]
  readonly verbose?: boolean
}

/** The agents visible to the caller: the personal agent first, then oldest first, without deleted ones. */
export async function listAgents(scope: Scope, query: AgentListQuery, request: PageRequest): Promise<AgentList> {
  const tests: AgentTest[] = [NOT_DELETED]
  if (query.name !== undefined) tests.push({ kind: 'name', part: query.name.toLowerCase() })
  if (query.agent_type) tests.push({ kind: 'type', among: query.agent_type })
  if (query.agent_ids) tests.push({ kind: 'id', among: query.agent_ids.map(agentIdOf) })
  if (query.created_by) tests.push({ kind: 'creator', among: query.created_by.map((text) => creatorOf(text, scope.actor)) })
  const oldestFirst: readonly AgentOrder[] = [{ column: 'created_time', descending: false }]
  const search = { test: { kind: 'all', tests }, orders: oldestFirst, personalKey: -1 } as const
  const { items, hasMore, nextCursor } = await findAgentPage(scope, search, request)
  const known = await gatherAgentFacts(scope, items, query.verbose ?? false)
  return {
    object: 'list',
    type: 'agent',
    agent: {},
    results: items.map((agent) => presentListItem(agent, known)),
    has_more: hasMore,
    next_cursor: nextCursor,
  }
}

/**
 * @throws ServiceError `validation_error` for a property with two sorts, a date that does not exist, or the cursor of another
 * query
 */
export async function queryAgents(scope: Scope, body: AgentQueryRequest, request: PageRequest): Promise<AgentQueryList> {
  const search = { test: parseQuery(scope, body), orders: parseSorts(body.sorts ?? []), personalKey: null }
  const { items, hasMore, nextCursor } = await findAgentPage(scope, search, request)
  const known = await gatherAgentFacts(scope, items, body.verbose ?? false)
  return {
    object: 'list',
    type: 'agent',
    agent: {},
    results: items.map((agent) => presentQueryItem(agent, known)),
    has_more: hasMore,
    next_cursor: nextCursor,
  }
}

function parseQuery({ actor }: Scope, { query, filter, include_deleted: withDeleted }: AgentQueryRequest): AgentTest {
  const tests: AgentTest[] = [{ kind: 'type', among: LISTED_TYPES }]
  if (query !== undefined) tests.push({ kind: 'text', part: query.toLowerCase() })
  const asked = filter && parseAgentFilter(filter, actor, 'body.filter')
  if (asked) tests.push(asked)
  if (withDeleted !== true && !(asked && namesDeleted(asked))) tests.push(NOT_DELETED)
  return { kind: 'all', tests }
}

const NEWEST_FIRST: readonly AgentOrder[] = [{ column: 'created_time', descending: true }]

function parseSorts(sorts: readonly AgentSort[]): readonly AgentOrder[] {
  const seen = new Set<string>()
  const orders = sorts.map(({ property, direction }, index): AgentOrder => {
    if (seen.has(property)) throw invalid(`body.sorts[${index}].property`, 'should not be sorted by twice')
    seen.add(property)
    return { column: property === 'last_run_at' ? 'last_run_time' : property, descending: direction === 'descending' }
  })
  return orders.length === 0 ? NEWEST_FIRST : orders
}

/** In seconds since 1970. The window applies only if both ends are set. */
interface InsightsWindow {
  readonly start_time?: number
  readonly end_time?: number
}

/**
 * The activity and costs of an agent.
 * @throws ServiceError `validation_error` for types without insights, or a window that ends before it starts
 */
export async function retrieveAgentInsights(scope: Scope, id: string, window: InsightsWindow): Promise<AgentInsights> {
  const { start, end } = parseWindow(window, scope.now)
  const { db, actor } = scope
  const agent = await findAgent(scope, id)
  const type = requireInsights(agent)
  const { hundredths, completed } = await sumUsage(db, actor.workspaceId, agent.id, start, end)
  return {
    object: 'agent_insights',
    id: agent.id,
    name: agent.name,
    agent_type: type,
    status: agentStatusOf(agent),
    pause_reason: pauseReasonOf(agent),
    created_by: actorOf(agent),
    total_credits_used: hundredths / 100,
    credit_limit: enforcedLimitOf(agent, await findCreditTerms(db, actor.workspaceId)),
    runs_completed: completed,
  }
}

function parseWindow({ start_time: start, end_time: end }: InsightsWindow, now: number): { start: number; end: number } {
  if (start === undefined || end === undefined) return billingPeriodOf(now)
  if (start > end) throw invalid('query.start_time', 'should not be after `end_time`')
  return { start: secondsToTime(start), end: secondsToTime(end) }
}

/** The latest time that can be represented, to which larger values are reduced. */
const TIME_MAX = 8.64e15

function secondsToTime(seconds: number): number {
  return Math.min(seconds * 1000, TIME_MAX)
}

function requireInsights({ type }: Agent): AgentInsights['agent_type'] {
  switch (type) {
    case 'custom_agent':
    case 'autofill_custom_agent':
      return type
    case 'service_ai':
    case 'external':
      throw invalid('path.agent_id', 'should not name a personal or an external agent, which have no insights')
  }
}
