import { operations } from '../../../../../generated/operations.ts'
import { isObject } from '@workspace-service/server/kernel/is_object.ts'
import type { RunRecords } from '../run_records.ts'
import type { FullRunContext, Resource } from '../full_run_context.ts'
import { followTask } from './async_tasks.ts'

const { createAgentBatch, retrieveAgent, updateAgentStatus } = operations

/** Runs whose agent `clean` enables again if it is disabled. */
const mayHaveDisabled = new WeakSet<RunRecords>()

/** Disables the named agent and enables it again. An already disabled one stays disabled. */
export const agentsResource: Resource = {
  async exercise(context) {
    const { agentId, runRecords, run, writer } = context
    if (agentId === undefined) return
    if ((await statusOf(context, agentId)) !== 'active') return run.leaveOut(updateAgentStatus.id, 'the agent is not active')
    const operation = { action: 'update_status', agent_id: agentId, fields: { status: 'active' } }
    const purpose = { name: 'a batch that changes nothing', isCertain: false }
    const batch = await writer.send(createAgentBatch, { body: { operations: [operation] } }, purpose)
    if (batch) await followTask(context, batch.id)
    mayHaveDisabled.add(runRecords)
    for (const status of ['disabled', 'active'] as const) {
      const accepted = await switchTo(context, agentId, status)
      if (!accepted) return
      const isSet = (await statusOf(context, agentId)) === status
      writer.expect(isSet, updateAgentStatus, accepted.response, 'body.status', 'differs from the agent that is read afterwards')
    }
  },

  async clean(context) {
    const { agentId, runRecords } = context
    if (agentId === undefined || !mayHaveDisabled.has(runRecords)) return
    if ((await statusOf(context, agentId)) === 'disabled') await switchTo(context, agentId, 'active')
  },
}

function switchTo({ writer }: FullRunContext, agentId: string, status: 'active' | 'disabled'): ReturnType<typeof writer.send> {
  // The contract does not say who may edit an agent.
  return writer.send(updateAgentStatus, { path: { agent_id: agentId }, body: { status } }, { name: status, isCertain: false })
}

async function statusOf({ client }: FullRunContext, agentId: string): Promise<unknown> {
  const { value } = await client.call(retrieveAgent, { path: { agent_id: agentId } })
  return isObject(value) ? value['status'] : undefined
}
