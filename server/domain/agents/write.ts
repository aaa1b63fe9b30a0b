import type { AgentCreditLimitResult, AgentDeleteResult, AgentStatusResult, AgentSwitch } from '../../../generated/types.ts'
import { toTimestamp } from '../../kernel/clock.ts'
import { ServiceError, shown } from '../../kernel/errors.ts'
import { setAgentState, type AgentState } from '../../store/agent_states.ts'
import { clearWatch } from '../../store/agent_watch.ts'
import type { Transaction } from '../../store/database.ts'
import { deleteLimitRequests, findCreditTerms, spentInPeriod, type CreditTerms } from '../../store/credits.ts'
import { invalid, type WriteScope } from '../shared/index.ts'
import {
  findAgentToChange,
  isPersonal,
  pauseReasonOf,
  requireLevel,
  agentStatusOf,
  type Agent,
  type AgentLevel,
} from './agent.ts'
import { billingPeriodOf } from './billing_period.ts'
import { agentDeleted } from './credits.ts'
import { effectiveLimit, pausedState, resumedState } from './pauses.ts'
import { endTurnsOfDeleted, endTurnsOfDisabled } from './sessions/terminate.ts'

const LIMIT_MAX = 1_000_000_000

/** The paths of errors in a request that changes one agent. */
const IN_REQUEST = { id: 'path.agent_id', limit: 'body.credit_limit' } as const
/** The paths of the agent's id and of its limit. */
type RequestLocations = Readonly<Record<keyof typeof IN_REQUEST, string>>

/**
 * Disables an agent, or enables one that was disabled through this interface.
 * @throws ServiceError `restricted_resource` without edit access, `agent_deleted`, `status_change_not_allowed`;
 * `validation_error` for the personal agent
 */
export async function updateAgentStatus(
  scope: WriteScope,
  id: string,
  status: AgentSwitch,
  { id: path }: Pick<RequestLocations, 'id'> = IN_REQUEST,
): Promise<AgentStatusResult> {
  const { db, actor, now } = scope
  const agent = await findChangeable(scope, { id, path }, 'edit', 'whose status cannot be changed')
  const wasDisabled = agent.pauseReason !== null
  if (wasDisabled && agent.pauseReason !== 'disabled_from_api') throw statusChangeNotAllowed(agent)
  if (wasDisabled === (status === 'disabled')) return statusResult(agent)
  const terms = await findCreditTerms(db, actor.workspaceId)
  const state = wasDisabled ? resumedState(agent, now) : pausedState(agent, 'disabled_from_api', terms, now)
  await setAgentState(db, actor.workspaceId, agent.id, state)
  const ending = { workspaceId: actor.workspaceId, agentId: agent.id, now }
  if (!wasDisabled) await endTurnsOfDisabled(db, { ...ending, reason: 'disabled_from_api' })
  return statusResult({ ...agent, ...state })
}

/**
 * Sets or removes an agent's own limit. A limit below its usage disables the agent; a higher one enables it, if it was disabled
 * for its spending.
 * @throws ServiceError `restricted_resource` without full access, `agent_deleted`, `invalid_credit_limit`; `validation_error` for
 * the personal agent
 */
export async function updateAgentCreditLimit(
  scope: WriteScope,
  id: string,
  limit: number | null,
  places: RequestLocations = IN_REQUEST,
): Promise<AgentCreditLimitResult> {
  const { db, actor, now } = scope
  const agent = await findChangeable(scope, { id, path: places.id }, 'full', 'which has no credit limit')
  const terms = await findCreditTerms(db, actor.workspaceId)
  requireLimit(limit, terms, places.limit)
  if (limit === agent.creditLimit) return limitResult(agent)
  const spent = await spentInPeriod(db, actor.workspaceId, agent.id, billingPeriodOf(now).start)
  const state = { ...agent, ...stateUnderLimit({ ...agent, creditLimit: limit, lastEditedTime: now }, terms, spent, now) }
  await changeUnderLimit(db, actor.workspaceId, agent, state, now)
  // A new limit closes all requests to change it.
  await deleteLimitRequests(db, actor.workspaceId, agent.id)
  return limitResult(state)
}

/**
 * Deletes an agent, which can be restored for some time.
 * @throws ServiceError like `updateAgentCreditLimit`, also for external agents
 */
export async function deleteAgent(
  scope: WriteScope,
  id: string,
  { id: path }: Pick<RequestLocations, 'id'> = IN_REQUEST,
): Promise<AgentDeleteResult> {
  const { db, actor, now } = scope
  const agent = await findChangeable(scope, { id, path }, 'full', 'which cannot be deleted')
  if (agent.type === 'external') throw invalid(path, 'should not name an external agent, which cannot be deleted')
  await setAgentState(db, actor.workspaceId, agent.id, { ...agent, deletedTime: now, lastEditedTime: now })
  await endTurnsOfDeleted(db, { workspaceId: actor.workspaceId, agentId: agent.id, now })
  return { agent_id: agent.id, status: 'deleted', deleted_at: toTimestamp(now) }
}

/** @param complaint ends the error message for the personal agent, for example `which cannot be deleted` */
async function findChangeable(
  scope: WriteScope,
  { id, path }: { readonly id: string; readonly path: string },
  needed: AgentLevel,
  complaint: string,
): Promise<Agent> {
  const agent = await findAgentToChange(scope, id)
  if (isPersonal(agent)) throw invalid(path, `should not name the personal agent, ${complaint}`)
  requireLevel(agent, needed)
  if (agentStatusOf(agent) === 'deleted') throw agentDeleted(agent.id)
  return agent
}

/**
 * The state of an agent after its own limit or the workspace's has changed.
 * @param spent hundredths of credits in this billing period
 */
export function stateUnderLimit<
  T extends Pick<Agent, 'creditLimit' | 'pauseReason' | 'pauseEndTime' | 'deletedTime' | 'lastEditedTime'>,
>(
  agent: T,
  terms: CreditTerms,
  spent: number,
  now: number,
): Pick<Agent, 'creditLimit' | 'pauseReason' | 'pauseEndTime' | 'deletedTime' | 'lastEditedTime'> {
  const limit = effectiveLimit(agent.creditLimit, terms)
  const isUsedUp = limit !== null && spent >= limit * 100
  if (isUsedUp) {
    if (agent.pauseReason !== null && agent.pauseReason !== 'credit_limit') return agent
    const paused = pausedState(agent, 'credit_limit', terms, now)
    // If it is already paused because of its limit, only the end of the pause may have changed.
    return agent.pauseReason === null ? paused : { ...paused, lastEditedTime: agent.lastEditedTime }
  }
  const bySpending = agent.pauseReason === 'credit_limit' || agent.pauseReason === 'runaway_credit_usage'
  return bySpending ? resumedState(agent, now) : agent
}

/**
 * Stores the state of an agent after a change of its limit. If the change disables it, its turns that wait for decisions end; if the change
 * enables it, its counts are reset.
 */
export async function changeUnderLimit(
  db: Transaction,
  workspaceId: string,
  { id, pauseReason: before }: Pick<Agent, 'id' | 'pauseReason'>,
  state: AgentState,
  now: number,
): Promise<void> {
  await setAgentState(db, workspaceId, id, state)
  if (before === null && state.pauseReason !== null)
    await endTurnsOfDisabled(db, { workspaceId, agentId: id, reason: 'credit_limit', now })
  if (before !== null && state.pauseReason === null) await clearWatch(db, workspaceId, id)
}

function requireLimit(limit: number | null, { defaultAgentLimit }: CreditTerms, path: string): void {
  if (limit === null) return
  if (!Number.isInteger(limit) || limit < 0) throw invalidLimit(limit, path, 'a non-negative integer')
  if (limit > LIMIT_MAX) throw invalidLimit(limit, path, `≤ \`${LIMIT_MAX}\``)
  if (defaultAgentLimit !== null && limit > defaultAgentLimit)
    throw invalidLimit(limit, path, `≤ \`${defaultAgentLimit}\`, the workspace's default limit for agents`)
}

function invalidLimit(limit: number, path: string, expectation: string): ServiceError {
  return new ServiceError('invalid_credit_limit', { message: `${path} should be ${expectation}, instead was ${shown(limit)}.` })
}

function statusChangeNotAllowed({ id, pauseReason }: Agent): ServiceError {
  return new ServiceError('status_change_not_allowed', {
    message: `The status of the agent ${id} cannot be changed: its pause_reason is \`${pauseReason}\`, and this API changes only agents that are active or that it disabled itself.`,
  })
}

type Result = Pick<Agent, 'id' | 'deletedTime' | 'pauseReason' | 'creditLimit' | 'lastEditedTime'>

function statusResult(agent: Result): AgentStatusResult {
  return {
    agent_id: agent.id,
    status: agentStatusOf(agent),
    pause_reason: pauseReasonOf(agent),
    last_edited_time: toTimestamp(agent.lastEditedTime),
  }
}

function limitResult(agent: Result): AgentCreditLimitResult {
  return { agent_id: agent.id, credit_limit: agent.creditLimit, last_edited_time: toTimestamp(agent.lastEditedTime) }
}
