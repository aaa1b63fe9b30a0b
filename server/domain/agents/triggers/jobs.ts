import { id, list, numberForm, object, oneOfTexts } from '../../../store/stored/form.ts'
import type { NewJob } from '../../shared/jobs/job.ts'
import { changeTypes } from '../../events/trigger_types.ts'

/** The names of job kinds are stored and never change. */
export const SCHEDULE_KIND = 'agent_schedule'
export const CHANGE_KIND = 'agent_change'
export const FOLLOW_KIND = 'agent_triggers'

export interface SchedulePayload {
  readonly agentId: string
  readonly position: number
  readonly time: number
}

const firedKinds = ['page.created', 'page.edited', 'page.assigned', 'comment.created', 'comment.edited'] as const

/** A change, as far as triggers depend on it. */
export interface FiredChange {
  readonly kind: (typeof firedKinds)[number]
  /** The id of the page or comment. */
  readonly id: string
  /** The page of the change. */
  readonly pageId: string
  /** For a page, the blocks whose text may be new. */
  readonly places: readonly string[]
  /** The users that were added to people properties of the page. Only these agents can be started by an assignment. */
  readonly assigned?: readonly string[]
}

export interface ChangePayload {
  readonly types: readonly string[]
  readonly changes: readonly FiredChange[]
  readonly authorId: string
  readonly causedBy: readonly string[]
}

export const schedulePayloadForm = object({ agentId: id, position: numberForm, time: numberForm })
export const followPayloadForm = object({ agentId: id })
const firedChange = object({ kind: oneOfTexts(firedKinds), id, pageId: id, places: list(id) }, { assigned: list(id) })
export const changePayloadForm = object({
  types: list(oneOfTexts(changeTypes)),
  changes: list(firedChange),
  authorId: id,
  causedBy: list(id),
})

/** Enqueues a job that starts an agent at a time, unless its schedule has another time by then. */
export function scheduleJob(workspaceId: string, { agentId, position, time }: SchedulePayload): NewJob {
  const payload: SchedulePayload = { agentId, position, time }
  return { kind: SCHEDULE_KIND, workspaceId, key: `${agentId} ${position} ${time}`, payload, dueTime: time }
}
