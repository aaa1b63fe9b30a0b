import type { NewJob } from '../jobs/job.ts'

/** Job kinds; they have shipped, so they keep their names. */
export const SCHEDULE_KIND = 'agent_schedule'
export const CHANGE_KIND = 'agent_change'
export const FOLLOW_KIND = 'agent_triggers'

export interface SchedulePayload {
  readonly agentId: string
  readonly position: number
  readonly time: number
}

/** What happened, as far as triggers ask. */
export interface FiredChange {
  readonly kind: 'page.created' | 'page.edited' | 'comment.created' | 'comment.edited'
  /** The page or comment. */
  readonly id: string
  /** Where it happened. */
  readonly pageId: string
  /** Of a page, the blocks whose text may be new. */
  readonly places: readonly string[]
}

export interface ChangePayload {
  readonly types: readonly string[]
  readonly changes: readonly FiredChange[]
  readonly authorId: string
  readonly causedBy: readonly string[]
}

/** Starts an agent at a time, unless the schedule has another one by then. */
export function scheduleJob(workspaceId: string, { agentId, position, time }: SchedulePayload): NewJob {
  const payload: SchedulePayload = { agentId, position, time }
  return { kind: SCHEDULE_KIND, workspaceId, key: `${agentId} ${position} ${time}`, payload, dueTime: time }
}
