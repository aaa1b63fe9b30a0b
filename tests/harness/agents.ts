import { randomUUID } from 'node:crypto'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import {
  createAgent,
  plainSettings,
  updateAgent,
  type AgentChanges,
  type NewAgent,
} from '../../server/domain/agents/administration/agents.ts'
import { shareAgent, type AgentRecipient } from '../../server/domain/agents/administration/agent_sharing.ts'
import { updateCreditTerms } from '../../server/domain/agents/administration/credits.ts'
import type { AgentLevel } from '../../server/domain/agents/agent.ts'
import { recordUsage } from '../../server/domain/agents/credits.ts'
import { setFavorite } from '../../server/store/agent_access.ts'
import { setLastRun } from '../../server/store/agent_states.ts'
import type { CreditTerms } from '../../server/store/credits.ts'
import type { TestServer } from './server.ts'

/** Administrators set up agents, so these helpers use the functions of the command line. */

const PLAIN: NewAgent = {
  workspaceId: exampleWorkspace.workspace.id,
  type: 'custom_agent',
  name: 'Deck Hand',
  ...plainSettings,
  creditLimit: null,
  createdBy: null,
}

export const DEMO: AgentRecipient = { connectionId: exampleWorkspace.connection.id }

/** The recipients that an agent is shared with, and their levels. */
export type Shares = readonly (readonly [AgentRecipient, AgentLevel])[]

/** Creates an agent, by default with full access for the demo connection. @returns its id */
export async function makeAgent(
  server: TestServer,
  options: Partial<NewAgent> = {},
  shares: Shares = [[DEMO, 'full']],
): Promise<string> {
  const { database } = server.service
  const now = server.clock.now()
  return database.write(async (db) => {
    const id = await createAgent(db, { ...PLAIN, ...options }, now)
    for (const [recipient, level] of shares)
      await shareAgent(db, PLAIN.workspaceId, id, recipient, { level, sharedBy: null }, now)
    return id
  })
}

/** Changes an agent as an administrator. */
export function changeAgent(server: TestServer, id: string, changes: Partial<AgentChanges>): Promise<void> {
  const whole = { settings: {}, publish: false, ...changes }
  return server.service.database.write((db) => updateAgent(db, PLAIN.workspaceId, id, whole, server.clock.now()))
}

export function share(
  server: TestServer,
  id: string,
  recipient: AgentRecipient,
  level: AgentLevel | null,
  sharedBy: string | null = null,
): Promise<unknown> {
  return server.service.database.write((db) =>
    shareAgent(db, PLAIN.workspaceId, id, recipient, { level, sharedBy }, server.clock.now()),
  )
}

/** Sets the spending limits of the workspace. */
export function setTerms(server: TestServer, terms: Partial<CreditTerms>): Promise<CreditTerms> {
  return server.service.database.write((db) => updateCreditTerms(db, PLAIN.workspaceId, terms, server.clock.now()))
}

/** Records the usage of a turn of an agent, in a session of its own. @returns the credits that it cost */
export function spend(server: TestServer, agentId: string, tokens: number, completed = true): Promise<number> {
  const turn = { workspaceId: PLAIN.workspaceId, agentId, sessionId: randomUUID(), turn: 1, tokens, completed }
  return server.service.database.write((db) => recordUsage(db, { ...turn, now: server.clock.now() }))
}

export function setRun(server: TestServer, id: string, time: number): Promise<void> {
  return server.service.database.write((db) => setLastRun(db, PLAIN.workspaceId, id, time))
}

export function favor(server: TestServer, id: string, userId: string): Promise<void> {
  return server.service.database.write((db) => setFavorite(db, PLAIN.workspaceId, id, userId, true))
}
