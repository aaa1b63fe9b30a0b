import type { Form } from '../../store/stored/form.ts'
import {
  END_TURNS_KIND,
  endTurnsPayloadForm,
  NOTE_KIND,
  notePayloadForm,
  LIMIT_KIND,
  limitPayloadForm,
  TURN_KIND,
  turnPayloadForm,
  FOLLOW_KIND,
  followPayloadForm,
  SCHEDULE_KIND,
  schedulePayloadForm,
} from '../agents/index.ts'
import { ASYNC_TASK, taskPayloadForm } from '../data/index.ts'
import {
  FORM_EVENTS,
  formingJobForm,
  CHANGE_KIND,
  changePayloadForm,
  DELIVERY_KIND,
  RETRY_KIND,
  SLOW_DELIVERY_KIND,
  subscriptionWorkForm,
  VERIFICATION_KIND,
} from '../events/index.ts'
import { FILE_IMPORT, importPayloadForm } from '../files/index.ts'

/** The payloads of the jobs of workspaces, by kind. Recurring jobs belong to the service, and have no payload. */
export const payloadForms: Readonly<Record<string, Form>> = {
  [ASYNC_TASK]: taskPayloadForm,
  [CHANGE_KIND]: changePayloadForm,
  [DELIVERY_KIND]: subscriptionWorkForm,
  [END_TURNS_KIND]: endTurnsPayloadForm,
  [FILE_IMPORT]: importPayloadForm,
  [FOLLOW_KIND]: followPayloadForm,
  [FORM_EVENTS]: formingJobForm,
  [LIMIT_KIND]: limitPayloadForm,
  [NOTE_KIND]: notePayloadForm,
  [RETRY_KIND]: subscriptionWorkForm,
  [SCHEDULE_KIND]: schedulePayloadForm,
  [SLOW_DELIVERY_KIND]: subscriptionWorkForm,
  [TURN_KIND]: turnPayloadForm,
  [VERIFICATION_KIND]: subscriptionWorkForm,
}

/**
 * The form of the payload of a job that belongs to a workspace. The payload must not refer to another workspace.
 * @returns undefined for a kind that workspaces do not have
 */
export function payloadForm(kind: string, workspaceId: string): Form | undefined {
  const form = Object.hasOwn(payloadForms, kind) ? payloadForms[kind] : undefined
  return (
    form &&
    ((value) => {
      const mismatch = form(value)
      if (mismatch) return mismatch
      const { homeId = workspaceId } = value as { readonly homeId?: unknown }
      return homeId === workspaceId ? undefined : { path: '.homeId', expected: workspaceId, found: homeId }
    })
  )
}
