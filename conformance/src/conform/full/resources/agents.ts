import { operations } from '../../../../../generated/operations.ts'
import { isObject } from '@workspace-service/server/kernel/is_object.ts'
import type { Inside } from '../inside.ts'
import type { FullParts, Resource } from '../parts.ts'
import { followTask } from './async_tasks.ts'

const { createAgentBatch, retrieveAgent, updateAgentStatus } = operations

/** Runs that have disabled their agent. */
const switched = new WeakSet<Inside>()

/** Disables the named agent and enables it again. An already disabled one stays disabled. */
export const agentsResource: Resource = {
  async exercise(parts) {
    const { agentId, inside, run, writer } = parts
    if (agentId === undefined) return
    if ((await statusOf(parts, agentId)) !== 'active') return run.leaveOut(updateAgentStatus.id, 'the agent is not active')
    const operation = { action: 'update_status', agent_id: agentId, fields: { status: 'active' } }
    const purpose = { name: 'a batch that changes nothing', isCertain: false }
    const batch = await writer.send(createAgentBatch, { body: { operations: [operation] } }, purpose)
    if (batch) await followTask(parts, batch.id)
    switched.add(inside)
    for (const status of ['disabled', 'active'] as const) {
      const taken = await switchTo(parts, agentId, status)
      if (!taken) return
      const isSet = (await statusOf(parts, agentId)) === status
      writer.expect(isSet, updateAgentStatus, taken.answer, 'body.status', 'is not what the agent is read back with')
    }
  },

  async clean(parts) {
    const { agentId, inside } = parts
    if (agentId === undefined || !switched.has(inside)) return
    if ((await statusOf(parts, agentId)) === 'disabled') await switchTo(parts, agentId, 'active')
  },
}

function switchTo({ writer }: FullParts, agentId: string, status: 'active' | 'disabled'): ReturnType<typeof writer.send> {
  // The contract does not say who may edit an agent.
  return writer.send(updateAgentStatus, { path: { agent_id: agentId }, body: { status } }, { name: status, isCertain: false })
}

async function statusOf({ client }: FullParts, agentId: string): Promise<unknown> {
  const { value } = await client.call(retrieveAgent, { path: { agent_id: agentId } })
  return isObject(value) ? value['status'] : undefined
}
