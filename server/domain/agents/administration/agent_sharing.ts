import type { PauseReason } from '../../../../generated/types.ts'
import { setAgentState } from '../../../store/agent_states.ts'
import { deleteAgentAccess, listAgentAccess, setAgentAccess, type AgentAccessRow } from '../../../store/agent_access.ts'
import type { Connection, Transaction } from '../../../store/database.ts'
import { listBots } from '../../../store/members.ts'
import { levelOfNumber, numberOfLevel, type AgentLevel } from '../agent.ts'
import { pauseAgent } from '../pause_agent.ts'
import { resumedState } from '../pauses.ts'
import { requireAgent, requireAgentToChange } from './agents.ts'
import { AdministrationError } from '../../shared/index.ts'
import { requireMember } from '../../administration/index.ts'

/** The recipient of a share: one member, all full members, or the bots of a connection in the workspace. */
export type AgentRecipient = { readonly personId: string } | { readonly everybody: true } | { readonly connectionId: string }

export interface AgentShare {
  /** The id of a member or a bot; the id of the workspace for all full members. */
  readonly subjectId: string
  readonly level: AgentLevel
  /** The member whose own access level limits the share. */
  readonly sharedBy: string | null
}

/**
 * Shares an agent, or revokes the share. When the last member or the last editor is removed, the agent is disabled until there is one
 * again.
 * @param level null to revoke
 * @param sharedBy the member whose own level limits the connection's; null for no limit
 * @returns the level that the recipient gets
 * @throws AdministrationError if there is no such agent or recipient, or the member has no access of their own
 */
export async function shareAgent(
  db: Transaction,
  workspaceId: string,
  agentId: string,
  recipient: AgentRecipient,
  { level, sharedBy }: { readonly level: AgentLevel | null; readonly sharedBy: string | null },
  now: number,
): Promise<AgentLevel | null> {
  await requireAgentToChange(db, workspaceId, agentId, now)
  const before = await listAgentAccess(db, workspaceId, agentId)
  if (sharedBy !== null) await requireMember(db, workspaceId, sharedBy)
  const levelMax = sharedBy === null || level === null ? undefined : ownLevel(before, workspaceId, sharedBy)
  for (const subjectId of await subjectsOf(db, workspaceId, recipient)) {
    if (level === null) await deleteAgentAccess(db, workspaceId, agentId, subjectId)
    else await setAgentAccess(db, workspaceId, { agentId, subjectId, level: numberOfLevel(level), sharedBy }, now)
  }
  await followAccess(db, workspaceId, agentId, before, now)
  return level !== null && levelMax !== undefined && levelMax < numberOfLevel(level) ? levelOfNumber(levelMax) : level
}

/** The member's own access level, as a number. @throws AdministrationError if the member has no access */
function ownLevel(access: readonly AgentAccessRow[], workspaceId: string, memberId: string): number {
  const levelOf = (subjectId: string): number | undefined => access.find((row) => row.subject_id === subjectId)?.level
  const level = levelOf(memberId) ?? levelOf(workspaceId)
  if (level === undefined)
    throw new AdministrationError(
      `The member ${memberId} cannot share this agent without access to it. Share it with that member first.`,
    )
  return level
}

/** The shares of an agent, oldest first. @throws AdministrationError if there is no such agent */
export async function listAgentShares(db: Connection, workspaceId: string, agentId: string, now: number): Promise<AgentShare[]> {
  await requireAgent(db, workspaceId, agentId, now)
  const rows = await listAgentAccess(db, workspaceId, agentId)
  return rows.map((row) => ({ subjectId: row.subject_id, level: levelOfNumber(row.level), sharedBy: row.shared_by }))
}

async function subjectsOf(db: Connection, workspaceId: string, recipient: AgentRecipient): Promise<string[]> {
  if ('everybody' in recipient) return [workspaceId]
  if ('personId' in recipient) {
    await requireMember(db, workspaceId, recipient.personId)
    return [recipient.personId]
  }
  const bots = await listBots(db, recipient.connectionId, workspaceId)
  if (bots.length === 0) throw new AdministrationError('This connection has no bot in the workspace.')
  return bots.map(({ id }) => id)
}

/** What an agent may lack, least serious first. */
const LACKS: readonly PauseReason[] = ['disabled_due_to_lack_of_editors', 'disabled_due_to_no_members_with_access']

async function followAccess(
  db: Transaction,
  workspaceId: string,
  agentId: string,
  before: readonly AgentAccessRow[],
  now: number,
): Promise<void> {
  const agent = await requireAgent(db, workspaceId, agentId, now)
  const [lacked, lacks] = [lackOf(before), lackOf(await listAgentAccess(db, workspaceId, agentId))]
  const isWaiting = LACKS.some((reason) => reason === agent.pauseReason)
  if (isWaiting) await setAgentState(db, workspaceId, agentId, resumedState(agent, now))
  const reason = LACKS[lacks]
  // Agents that never had an editor are not disabled for lack of one.
  if (reason !== undefined && (isWaiting || lacks > lacked)) await pauseAgent(db, { workspaceId, agentId, reason, now })
}

/** @returns an index in `LACKS`; -1 if nothing is missing */
function lackOf(access: readonly AgentAccessRow[]): number {
  if (access.length === 0) return 1
  return access.some(({ level }) => level >= numberOfLevel('edit')) ? -1 : 0
}
