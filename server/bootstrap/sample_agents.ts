import { createAgent, updateAgent, shareAgent, type AgentLevel } from '../domain/agents/index.ts'
import type { Transaction } from '../store/database.ts'
import { sampleContent } from './sample_content.ts'
import { exampleWorkspace } from './example_workspace.ts'

/** The rights of the demo connection on each agent of the example workspace. */
const LEVELS: Readonly<Record<string, AgentLevel>> = {
  [exampleWorkspace.agents.partsScout]: 'full',
  [exampleWorkspace.agents.logbookKeeper]: 'view',
}

/** The agents of the demo workspace: their authors manage them, every member may run them. */
export async function insertSampleAgents(db: Transaction, workspaceId: string, now: number): Promise<void> {
  for (const [index, agent] of sampleContent('agents').entries()) {
    const time = now + index
    await createAgent(db, { ...agent, workspaceId }, time)
    const share = async (recipient: Parameters<typeof shareAgent>[3], level: AgentLevel): Promise<unknown> =>
      shareAgent(db, workspaceId, agent.id, recipient, { level, sharedBy: null }, time)
    if (agent.createdBy !== null) await share({ personId: agent.createdBy }, 'full')
    await share({ everybody: true }, 'view')
    await share({ connectionId: exampleWorkspace.connection.id }, LEVELS[agent.id] ?? 'view')
  }
  const disabled = { settings: {}, publish: false, pauseReason: 'disabled_from_api' } as const
  await updateAgent(db, workspaceId, exampleWorkspace.agents.logbookKeeper, disabled, now + 1)
}
