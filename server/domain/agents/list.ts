import type { AgentList, AgentQueryList, AgentQueryRequest, AgentSort, AgentType } from '../../../generated/types.ts'
import type { AgentOrder } from '../../store/agent_ranges.ts'
import type { AgentTest } from '../../store/agent_tests.ts'
import { invalid, type PageRequest, type Scope } from '../shared/index.ts'
import { agentIdOf } from './agent.ts'
import { findAgentPage } from './find_page.ts'
import { creatorOf, namesDeleted, parseAgentFilter } from './parse_filter.ts'
import { gatherAgentFacts, presentListItem, presentQueryItem } from './present.ts'

const NOT_DELETED: AgentTest = { kind: 'status', among: ['active', 'disabled'] }
const LISTED_TYPES: readonly AgentType[] = ['service_ai', 'custom_agent', 'autofill_custom_agent']

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
  const test = filter && parseAgentFilter(filter, actor, 'body.filter')
  if (test) tests.push(test)
  if (withDeleted !== true && !(test && namesDeleted(test))) tests.push(NOT_DELETED)
  return { kind: 'all', tests }
}

const NEWEST_FIRST: readonly AgentOrder[] = [{ column: 'created_time', descending: true }]

function parseSorts(sorts: readonly AgentSort[]): readonly AgentOrder[] {
  const seen = new Set<string>()
  const orders = sorts.map(({ property, direction }, index): AgentOrder => {
    if (seen.has(property)) throw invalid(`body.sorts[${index}].property`, 'should not repeat the property of an earlier sort')
    seen.add(property)
    return { column: property === 'last_run_at' ? 'last_run_time' : property, descending: direction === 'descending' }
  })
  return orders.length === 0 ? NEWEST_FIRST : orders
}
