import type { AgentConnection, PauseReason } from '../../../../generated/types.ts'
import { newId } from '../../../kernel/ids.ts'
import { setAgentState } from '../../../store/agent_states.ts'
import {
  findAgentRecord,
  insertAgent,
  lockAgentRecord,
  publishVersion,
  updateAgentSettings,
  type AgentRecord,
  type AgentSettings,
  type StoredAgentType,
} from '../../../store/agents.ts'
import { clearWatch } from '../../../store/agent_watch.ts'
import { deleteLimitRequests, findCreditTerms, insertLimitRequest, spentInPeriod } from '../../../store/credits.ts'
import type { Connection, Transaction } from '../../../store/database.ts'
import { lockWorkspace } from '../../../store/workspaces.ts'
import { asOf, isGone } from '../agent.ts'
import { billingPeriodOf } from '../billing_period.ts'
import { pauseAgent } from '../pause_agent.ts'
import { resumedState } from '../pauses.ts'
import { endTurnsOfDeleted } from '../sessions/terminate.ts'
import { changeUnderLimit, stateUnderLimit } from '../write.ts'
import { followTriggers } from '../triggers/follow.ts'
import { AdministrationError } from '../../shared/index.ts'
import { requireName } from '../../administration/index.ts'

export interface NewAgent extends AgentSettings {
  readonly workspaceId: string
  readonly type: StoredAgentType
  readonly creditLimit: number | null
  /** The member who created the agent; null for none. */
  readonly createdBy: string | null
  /** A fixed id, for deployments that choose ids. */
  readonly id?: string
  /** The id of the version to publish at once; null for no version. */
  readonly versionId?: string | null
}

const TEXT_LENGTH_MAX = 100_000
const PARTS_MAX = 100

/** The settings of an agent that has only a name. */
export const plainSettings: Omit<AgentSettings, 'name'> = {
  description: null,
  instructions: null,
  instructionsPageId: null,
  icon: null,
  model: { mode: 'auto' },
  connections: [],
  triggers: [],
}

/** Creates an agent and publishes its first version. @returns its id @throws AdministrationError */
export async function createAgent(db: Transaction, settings: NewAgent, now: number): Promise<string> {
  const { workspaceId, id = newId(), versionId = newId() } = settings
  requireSettings(settings)
  if (await findAgentRecord(db, workspaceId, id)) throw new AdministrationError(`An agent with the id ${id} already exists.`)
  const agent: Omit<AgentRecord, 'version' | 'hasUnpublishedChanges'> = {
    ...settings,
    id,
    pauseReason: null,
    pauseEndTime: null,
    deletedTime: null,
    createdTime: now,
    lastEditedTime: now,
    lastRunTime: null,
  }
  await insertAgent(db, workspaceId, agent, serverHostsOf(settings.connections))
  await followTriggers(db, workspaceId, agent, now)
  if (versionId !== null) await publishVersion(db, workspaceId, id, { id: versionId, number: 1, publishedTime: now })
  return id
}

/** The changes of an administrator. Omitted members stay. */
export interface AgentChanges {
  readonly settings: Partial<AgentSettings>
  /** Whether to publish the current settings as the version that runs. */
  readonly publish: boolean
  /** Null removes the agent's own limit. */
  readonly creditLimit?: number | null
  /** A reason disables the agent; null enables it, whatever the reason was. */
  readonly pauseReason?: PauseReason | null
}

/** Changes an agent that is not deleted. @throws AdministrationError */
export async function updateAgent(
  db: Transaction,
  workspaceId: string,
  id: string,
  { settings, publish, creditLimit, pauseReason }: AgentChanges,
  now: number,
): Promise<void> {
  const agent = await requireAgentToChange(db, workspaceId, id, now)
  if (agent.deletedTime !== null) throw new AdministrationError(`The agent ${id} is deleted. Restore it first.`)
  if (Object.keys(settings).length > 0) {
    const next = { ...agent, ...settings }
    requireSettings(next)
    await updateAgentSettings(db, workspaceId, id, next, serverHostsOf(next.connections), now)
    await followTriggers(db, workspaceId, next, now)
  }
  if (publish) {
    const number = (agent.version?.number ?? 0) + 1
    await publishVersion(db, workspaceId, id, { id: newId(), number, publishedTime: now })
  }
  if (creditLimit !== undefined) await setOwnLimit(db, workspaceId, id, creditLimit, now)
  if (pauseReason === null) await resume(db, workspaceId, id, now)
  else if (pauseReason !== undefined) {
    if (agent.pauseReason !== null) await resume(db, workspaceId, id, now)
    await pauseAgent(db, { workspaceId, agentId: id, reason: pauseReason, now })
  }
}

async function setOwnLimit(db: Transaction, workspaceId: string, id: string, limit: number | null, now: number): Promise<void> {
  const agent = await requireAgent(db, workspaceId, id, now)
  const spent = await spentInPeriod(db, workspaceId, id, billingPeriodOf(now).start)
  const changed = { ...agent, creditLimit: limit, lastEditedTime: now }
  const state = stateUnderLimit(changed, await findCreditTerms(db, workspaceId), spent, now)
  await changeUnderLimit(db, workspaceId, agent, state, now)
  await deleteLimitRequests(db, workspaceId, id)
}

async function resume(db: Transaction, workspaceId: string, id: string, now: number): Promise<void> {
  const agent = await requireAgent(db, workspaceId, id, now)
  if (agent.pauseReason === null) return
  await setAgentState(db, workspaceId, id, resumedState(agent, now))
  await clearWatch(db, workspaceId, id)
}

/**
 * Records that a member has requested a higher limit. The next change of the limit closes the request.
 * @throws AdministrationError
 */
export async function requestHigherLimit(
  db: Transaction,
  workspaceId: string,
  id: string,
  personId: string,
  now: number,
): Promise<void> {
  await requireAgentToChange(db, workspaceId, id, now)
  await insertLimitRequest(db, workspaceId, id, personId, now)
}

/** Deletes an agent of any type. It can be restored for 30 days. */
export async function deleteAgentAsAdministrator(db: Transaction, workspaceId: string, id: string, now: number): Promise<void> {
  const agent = await requireAgentToChange(db, workspaceId, id, now)
  if (agent.deletedTime !== null) throw new AdministrationError(`The agent ${id} is already deleted.`)
  await setAgentState(db, workspaceId, id, { ...agent, deletedTime: now, lastEditedTime: now })
  await endTurnsOfDeleted(db, { workspaceId, agentId: id, now })
}

/**
 * Restores a deleted agent; if it was disabled, it stays disabled.
 * @throws AdministrationError if it is not deleted, or can no longer be restored
 */
export async function restoreAgent(db: Transaction, workspaceId: string, id: string, now: number): Promise<void> {
  const agent = await requireAgentToChange(db, workspaceId, id, now)
  if (agent.deletedTime === null) throw new AdministrationError(`The agent ${id} is not deleted.`)
  await setAgentState(db, workspaceId, id, { ...agent, deletedTime: null, lastEditedTime: now })
}

/** @throws AdministrationError if there is no such agent, or it was deleted permanently */
export async function requireAgent(db: Connection, workspaceId: string, id: string, now: number): Promise<AgentRecord> {
  const agent = await findAgentRecord(db, workspaceId, id)
  if (!agent || isGone(agent, now)) throw new AdministrationError(`No agent of the workspace has the id ${id}.`)
  return asOf(agent, now)
}

/**
 * Like `requireAgent`, and locks the agent until the end of the transaction. Requests and turns lock their workspace before agents and
 * sessions, which prevents deadlocks; administration must do the same.
 */
export async function requireAgentToChange(db: Transaction, workspaceId: string, id: string, now: number): Promise<AgentRecord> {
  await lockWorkspace(db, workspaceId)
  await lockAgentRecord(db, workspaceId, id)
  return requireAgent(db, workspaceId, id, now)
}

function requireSettings({ name, description, instructions, instructionsPageId, connections, triggers }: AgentSettings): void {
  requireName(name)
  for (const text of [description, instructions])
    if ((text?.length ?? 0) > TEXT_LENGTH_MAX)
      throw new AdministrationError(`Descriptions and instructions have at most ${TEXT_LENGTH_MAX} characters.`)
  if (instructions !== null && instructionsPageId !== null)
    throw new AdministrationError('Instructions can be set on the agent or on a page, not on both.')
  if (connections.length > PARTS_MAX || triggers.length > PARTS_MAX)
    throw new AdministrationError(`An agent has at most ${PARTS_MAX} connections and ${PARTS_MAX} triggers.`)
  if (/"(?:account|enabled_tools)":"hidden"/.test(JSON.stringify(connections)))
    throw new AdministrationError(
      'A connection has `hidden` instead of its account or tools. Replace `hidden` with the account or tools, or with null.',
    )
  serverHostsOf(connections)
}

/** A host with or without a port. Complete addresses are not accepted, since they may contain secrets. */
const HOST = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?(?::\d{1,5})?$/i

/** The hosts of tool servers in lower case, one per line. @throws AdministrationError for an invalid host */
function serverHostsOf(connections: readonly unknown[]): string {
  const hosts = (connections as readonly AgentConnection[]).flatMap((connection) => {
    if (connection.type !== 'mcp_server' && connection.type !== 'custom_mcp_server') return []
    const { account } = connection
    return account === null || typeof account === 'string' ? [] : [account.server_host]
  })
  for (const host of hosts)
    if (!HOST.test(host))
      throw new AdministrationError(`"${host}" is not a host. Give the host of a tool server, without a path.`)
  return hosts.join('\n').toLowerCase()
}
