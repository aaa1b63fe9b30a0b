import type { AgentTrigger, TriggerSchedule } from '../../../../generated/types.ts'
import { canonicalJson } from '../../../kernel/canonical_json.ts'
import { deleteSchedule, listSchedules, setSchedule, setTriggerTypes } from '../../../store/agent_triggers.ts'
import type { AgentRecord } from '../../../store/agents.ts'
import type { Transaction } from '../../../store/database.ts'
import { enqueue } from '../../shared/index.ts'
import { changeTypes } from '../../events/index.ts'
import { scheduleJob } from './jobs.ts'
import { nextTime } from './next_time.ts'

/** An agent's enabled triggers, with their indexes. Stored triggers have been validated against the contract. */
export function enabledTriggers({ triggers }: Pick<AgentRecord, 'triggers'>): (readonly [number, AgentTrigger])[] {
  return [...(triggers as readonly AgentTrigger[]).entries()].filter(([, { enabled }]) => enabled)
}

/** Applies the current triggers of an agent. Schedules that have not changed continue. */
export async function followTriggers(
  db: Transaction,
  workspaceId: string,
  agent: Pick<AgentRecord, 'id' | 'type' | 'triggers'>,
  now: number,
): Promise<void> {
  const enabled = agent.type === 'external' ? [] : enabledTriggers(agent)
  const types = enabled.map(([, { type }]) => type).filter((type) => changeTypes.some((one) => one === type))
  await setTriggerTypes(db, workspaceId, agent.id, types)
  const wanted = new Map(
    enabled.flatMap(([position, { type, schedule }]) =>
      type === 'recurrence' && schedule ? [[position, schedule] as const] : [],
    ),
  )
  const known = new Map((await listSchedules(db, workspaceId, agent.id)).map((row) => [row.position, row]))
  for (const [position, row] of known) if (!wanted.has(position)) await deleteSchedule(db, row)
  for (const [position, schedule] of wanted) {
    const row = known.get(position)
    if (row?.schedule === canonicalJson(schedule)) continue
    if (row) await deleteSchedule(db, row)
    await begin(db, { workspaceId, agentId: agent.id, position }, schedule, now)
  }
}

async function begin(
  db: Transaction,
  { workspaceId, agentId, position }: { workspaceId: string; agentId: string; position: number },
  schedule: TriggerSchedule,
  now: number,
): Promise<void> {
  const time = nextTime(schedule, now, now)
  const row = { workspace_id: workspaceId, agent_id: agentId, position, schedule: canonicalJson(schedule) }
  await setSchedule(db, { ...row, anchor_time: now, next_time: time ?? null, runs: 0 })
  if (time !== undefined) await enqueue(db, scheduleJob(workspaceId, { agentId, position, time }))
}
