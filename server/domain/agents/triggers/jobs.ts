import { id, numberForm, object } from '../../../store/stored/form.ts'
import type { NewJob } from '../../shared/index.ts'

/** The names of job kinds are stored and never change. */
export const SCHEDULE_KIND = 'agent_schedule'
export const FOLLOW_KIND = 'agent_triggers'

export interface SchedulePayload {
  readonly agentId: string
  readonly position: number
  readonly time: number
}

export const schedulePayloadForm = object({ agentId: id, position: numberForm, time: numberForm })
export const followPayloadForm = object({ agentId: id })

/** Enqueues a job that starts an agent at a time, unless its schedule has another time by then. */
export function scheduleJob(workspaceId: string, { agentId, position, time }: SchedulePayload): NewJob {
  const payload: SchedulePayload = { agentId, position, time }
  return { kind: SCHEDULE_KIND, workspaceId, key: `${agentId} ${position} ${time}`, payload, dueTime: time }
}
