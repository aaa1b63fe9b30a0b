import { ServiceError, type AdditionalData } from '../../kernel/errors.ts'
import { undashed } from '../../kernel/ids.ts'
import { hasLimitRequest } from '../../store/credits.ts'
import { findMember, hasOwner } from '../../store/members.ts'
import type { Scope } from '../shared/index.ts'
import { agentLevel, type Agent } from './agent.ts'

type CreditCode = 'workspace_credits_exhausted' | 'agent_credit_limit_reached'

interface Recovery {
  readonly recovery_kind: string
  readonly recovery_url?: string
}

/** The error when the credits of the workspace are used up. Owners are referred to the setting, others to an owner. */
export async function workspaceCreditsExhausted(scope: Scope): Promise<ServiceError> {
  const recovery = (await isOwner(scope))
    ? { recovery_kind: 'open_workspace_credit_settings', recovery_url: `${scope.baseUrl}/settings/credits` }
    : { recovery_kind: 'contact_workspace_owner' }
  return creditError('workspace_credits_exhausted', 'The workspace has no credits left in this billing period.', recovery)
}

/** The error when the credit limit of the agent is reached. The advice depends on the caller's permissions. */
export async function agentLimitReached(scope: Scope, agent: Agent): Promise<ServiceError> {
  const message = `The agent with id ${agent.id} has used its credit limit for this billing period.`
  return creditError('agent_credit_limit_reached', message, await recoveryOf(scope, agent))
}

async function recoveryOf(scope: Scope, agent: Agent): Promise<Recovery> {
  const { db, actor, baseUrl } = scope
  const { workspaceId, personId } = actor
  if (personId === undefined) return { recovery_kind: (await hasOwner(db, workspaceId)) ? 'contact_workspace_owner' : 'none' }
  if (agentLevel(agent, 'full'))
    return { recovery_kind: 'open_agent_settings', recovery_url: `${baseUrl}/settings/agents/${undashed(agent.id)}` }
  const isPending = await hasLimitRequest(db, workspaceId, agent.id, personId)
  return { recovery_kind: isPending ? 'request_pending' : 'request_agent_limit_increase' }
}

async function isOwner({ db, actor: { workspaceId, personId } }: Scope): Promise<boolean> {
  if (personId === undefined) return false
  const member = await findMember(db, workspaceId, personId)
  return member?.role === 'owner' && member.left_time === null
}

function creditError(code: CreditCode, message: string, recovery: Recovery): ServiceError {
  const additionalData: AdditionalData = {
    tool_error_code: code,
    tool_error_class: 'entitlement_required',
    tool_error_retryable: 'false',
    ...recovery,
  }
  return new ServiceError(code, { message, additionalData })
}
