import type { NewJob } from '../jobs/job.ts'

/** The names of job kinds are stored and never change. */
export const SCHEDULE_KIND = 'agent_schedule'
export const CHANGE_KIND = 'agent_change'
export const FOLLOW_KIND = 'agent_triggers'

export interface SchedulePayload {
  readonly agentId: string
  readonly position: number
  readonly time: number
}

/** A change, as far as triggers depend on it. */
export interface FiredChange {
  readonly kind: 'page.created' | 'page.edited' | 'comment.created' | 'comment.edited'
  /** The id of the page or comment. */
  readonly id: string
  /** The page of the change. */
  readonly pageId: string
  /** For a page, the blocks whose text may be new. */
  readonly places: readonly string[]
}

export interface ChangePayload {
  readonly types: readonly string[]
  readonly changes: readonly FiredChange[]
  readonly authorId: string
  readonly causedBy: readonly string[]
}

/** Enqueues a job that starts an agent at a time, unless its schedule has another time by then. */
export function scheduleJob(workspaceId: string, { agentId, position, time }: SchedulePayload): NewJob {
  const payload: SchedulePayload = { agentId, position, time }
  return { kind: SCHEDULE_KIND, workspaceId, key: `${agentId} ${position} ${time}`, payload, dueTime: time }
}
