import { id, numberForm, object, oneOfTexts } from '../../../store/stored/form.ts'
import type { NewJob } from '../../shared/index.ts'

export const TURN_KIND = 'session turn'
export const LIMIT_KIND = 'session limit'

const SECOND_MS = 1_000
const HOUR_MS = 3_600_000
/** The maximum time that a turn may wait for a process, run in total, and wait for decisions. */
export const LIMITS_MS = { queue: 300 * SECOND_MS, turn: 600 * SECOND_MS, action: 24 * HOUR_MS } as const

interface RunLimit {
  readonly limit: keyof typeof LIMITS_MS
  readonly turn: number
  readonly run: number
}

export interface LimitPayload extends RunLimit {
  readonly sessionId: string
}

export interface TurnPayload {
  readonly sessionId: string
}

export const turnPayloadForm = object({ sessionId: id })
export const limitPayloadForm = object({
  sessionId: id,
  limit: oneOfTexts(Object.keys(LIMITS_MS)),
  turn: numberForm,
  run: numberForm,
})

/** A job that continues the session from its state when the job starts. */
export function turnJob(workspaceId: string, sessionId: string, now: number): NewJob {
  return { kind: TURN_KIND, workspaceId, key: sessionId, payload: { sessionId } satisfies TurnPayload, dueTime: now }
}

/** @param used milliseconds of the limit that earlier runs have used */
export function limitJob(workspaceId: string, sessionId: string, limit: RunLimit, now: number, used = 0): NewJob {
  const payload: LimitPayload = { sessionId, ...limit }
  return { kind: LIMIT_KIND, workspaceId, payload, dueTime: now + Math.max(0, LIMITS_MS[limit.limit] - used) }
}
