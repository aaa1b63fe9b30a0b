import type { AgentInsights, AgentObject } from '../../../generated/types.ts'
import { findCreditTerms, sumUsage } from '../../store/credits.ts'
import { invalid, type Scope } from '../shared/index.ts'
import { agentStatusOf, findAgent, pauseReasonOf, type Agent } from './agent.ts'
import { billingPeriodOf } from './billing_period.ts'
import { actorOf, enforcedLimitOf, gatherAgentFacts, presentAgent } from './present.ts'

/** One agent of any type, for callers with any access level. */
export async function retrieveAgent(scope: Scope, id: string, verbose: boolean): Promise<AgentObject> {
  const agent = await findAgent(scope, id)
  return presentAgent(agent, await gatherAgentFacts(scope, [agent], verbose))
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
