import type { AgentConnection } from '../../../generated/types.ts'
import {
  createAgent,
  plainSettings,
  requireAgent,
  shareAgent,
  PERSONAL_AGENT_ID,
  billingPeriodOf,
  effectiveLimit,
  type AgentRecipient,
} from '@workspace-service/server/domain/agents/index.ts'
import type { Connection, Transaction } from '@workspace-service/server/store/database.ts'
import { findCreditTerms, spentInPeriod } from '@workspace-service/server/store/credits.ts'
import { idIn } from '@workspace-service/server/kernel/ids.ts'
import { findAgentRecord } from '@workspace-service/server/store/agents.ts'
import type { SeedAgent } from '../seed/seed.ts'
import type { AgentKey } from './agent_scripts.ts'
import { UnknownAgent } from './unknown_agent.ts'

interface TestAgentSettings extends Omit<SeedAgent, 'pages' | 'turns'> {
  readonly workspaceId: string
  /** The pages that it may use; undefined for the whole workspace. */
  readonly pageIds: readonly string[] | undefined
  /** The connections that may run and manage it, besides all members. */
  readonly connectionIds: readonly string[]
}

/** Creates an agent with the functions of the command line. @returns its id */
export async function createTestAgent(db: Transaction, settings: TestAgentSettings, now: number): Promise<string> {
  const { workspaceId, name, description = null, instructions = null, role = 'editor', credits = null } = settings
  const targets = settings.pageIds?.map((id) => ({ type: 'page', id }) as const) ?? [{ type: 'workspace' } as const]
  const permissions = targets.map((target) => ({ target, scopes: [role] }))
  const connections: AgentConnection[] = [{ type: 'workspace', name: 'Workspace', account: null, permissions }]
  const own = { ...plainSettings, name, description, instructions, connections }
  const id = await createAgent(db, { ...own, workspaceId, type: 'custom_agent', creditLimit: credits, createdBy: null }, now)
  const recipients: AgentRecipient[] = [{ everybody: true }, ...settings.connectionIds.map((connectionId) => ({ connectionId }))]
  for (const recipient of recipients) await shareAgent(db, workspaceId, id, recipient, { level: 'full', sharedBy: null }, now)
  return id
}

/** @param text an id, or the alias of the personal agent @throws UnknownAgent */
export async function requireAgentKey(db: Connection, workspaceId: string, text: string): Promise<AgentKey> {
  const agentId = text === 'service_ai' ? PERSONAL_AGENT_ID : idIn(text)
  const isKnown = agentId === PERSONAL_AGENT_ID || (agentId && (await findAgentRecord(db, workspaceId, agentId)))
  if (agentId === undefined || !isKnown)
    throw new UnknownAgent(`No agent of the workspace has the name or id ${JSON.stringify(text)}.`)
  return { workspaceId, agentId }
}

const TOKENS_PER_CREDIT = 1_000

/** @returns how many tokens an agent may still use in this month, at least one; undefined if it has no limit of its own */
export async function tokensLeft(db: Connection, { workspaceId, agentId }: AgentKey, now: number): Promise<number | undefined> {
  if (agentId === PERSONAL_AGENT_ID) return undefined
  const { creditLimit } = await requireAgent(db, workspaceId, agentId, now)
  const limit = effectiveLimit(creditLimit, await findCreditTerms(db, workspaceId))
  if (limit === null) return undefined
  const spent = await spentInPeriod(db, workspaceId, agentId, billingPeriodOf(now).start)
  return Math.max(1, limit * TOKENS_PER_CREDIT - (spent * TOKENS_PER_CREDIT) / 100)
}
