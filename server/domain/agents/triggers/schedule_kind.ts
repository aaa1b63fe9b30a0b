import type { TriggerSchedule } from '../../../../generated/types.ts'
import { findAgentRecord } from '../../../store/agents.ts'
import { listOverdueSchedules, listSchedules, setSchedule, type ScheduleRow } from '../../../store/agent_triggers.ts'
import type { Transaction } from '../../../store/database.ts'
import { enqueue, type Job, type JobKind, type JobDeps } from '../../shared/index.ts'
import { readUnlessDamaged } from '../../../store/stored/read_json.ts'
import { enabledTriggers, followTriggers } from './follow.ts'
import { FOLLOW_KIND, SCHEDULE_KIND, scheduleJob, type SchedulePayload } from './jobs.ts'
import { nextTime } from './next_time.ts'
import { findStartable, startAgent } from './start_agent.ts'

const PAUSES = [1_000, 5_000, 30_000, 120_000, 600_000]
const LEASE_MS = 30_000
const AT_ONCE = 2

/** The kind of jobs that start agents on schedule. If several times were missed, the agent is started once. */
export function scheduleKind(deps: Pick<JobDeps, 'now' | 'scopeOf'>): JobKind {
  return {
    name: SCHEDULE_KIND,
    pauses: PAUSES,
    leaseMilliseconds: LEASE_MS,
    atOnce: AT_ONCE,
    async run({ workspaceId, payload }, attempt) {
      if (workspaceId === null) return
      // Only `scheduleJob` writes the payload.
      await attempt.finish((db) => startScheduled(deps, db, workspaceId, payload as SchedulePayload))
    },
  }
}

async function startScheduled(
  deps: Pick<JobDeps, 'now' | 'scopeOf'>,
  db: Transaction,
  workspaceId: string,
  { agentId, position, time }: SchedulePayload,
): Promise<void> {
  // Locks the agent, so that no other transaction sees its schedules halfway through the change.
  const startable = await findStartable(deps, db, workspaceId, agentId)
  const row = (await listSchedules(db, workspaceId, agentId)).find((one) => one.position === position)
  if (row?.next_time !== time) return
  const record = startable?.agent ?? (await findAgentRecord(db, workspaceId, agentId))
  const trigger = record && new Map(enabledTriggers(record)).get(position)
  if (!trigger) return
  if (startable) await startAgent(startable, { trigger, words: 'It is time for the scheduled run.', causedBy: [] })
  await scheduleNextRun(db, { ...row, runs: row.runs + (startable ? 1 : 0) }, Math.max(time, deps.now()))
}

async function scheduleNextRun(db: Transaction, row: ScheduleRow, after: number): Promise<void> {
  const schedule = readUnlessDamaged('agent_schedules.schedule', row.agent_id, row.schedule) as TriggerSchedule | undefined
  const isOver = schedule?.end?.type === 'count' && row.runs >= schedule.end.occurrences
  // A damaged schedule ends: its next time is unknown, and retrying would fail each minute.
  const time = schedule === undefined || isOver ? undefined : nextTime(schedule, row.anchor_time, after)
  await setSchedule(db, { ...row, next_time: time ?? null })
  const { workspace_id: workspaceId, agent_id: agentId, position } = row
  if (time !== undefined) await enqueue(db, scheduleJob(workspaceId, { agentId, position, time }))
}

/** The kind of jobs that apply the triggers of agents created before triggers were supported. */
export function followKind({ now }: Pick<JobDeps, 'now'>): JobKind {
  return {
    name: FOLLOW_KIND,
    pauses: PAUSES,
    leaseMilliseconds: LEASE_MS,
    atOnce: AT_ONCE,
    async run({ workspaceId, payload }: Job, attempt) {
      if (workspaceId === null) return
      const { agentId } = payload as { readonly agentId: string }
      await attempt.finish(async (db) => {
        const agent = await findAgentRecord(db, workspaceId, agentId)
        if (agent) await followTriggers(db, workspaceId, agent, now())
      })
    },
  }
}

const OVERDUE_MS = 60_000

/** Enqueues new jobs for schedules whose job has died. @returns 0, because schedules stay due until they have run */
export async function sweepSchedules(db: Transaction, now: number, limit: number): Promise<number> {
  for (const { workspace_id: workspaceId, agent_id: agentId, position, next_time: time } of await listOverdueSchedules(
    db,
    now - OVERDUE_MS,
    limit,
  ))
    if (time !== null) await enqueue(db, scheduleJob(workspaceId, { agentId, position, time }))
  return 0
}
