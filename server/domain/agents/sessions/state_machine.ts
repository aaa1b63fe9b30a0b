import type { StoredSessionStatus as Status } from '../../../store/sessions.ts'

interface Transition {
  readonly from: readonly Status[]
  readonly to: Status
}

/** The statuses of an unfinished turn. */
export const unfinished: readonly Status[] = ['queued', 'in_progress', 'requires_action']

/** The transitions of a session. A session starts as `queued`; `terminated` is final. */
export const transitions = {
  message: { from: ['completed', 'failed', 'canceled'], to: 'queued' },
  take: { from: ['queued'], to: 'in_progress' },
  propose: { from: ['in_progress'], to: 'requires_action' },
  decideSome: { from: ['requires_action'], to: 'requires_action' },
  decideAll: { from: ['requires_action'], to: 'in_progress' },
  complete: { from: ['in_progress'], to: 'completed' },
  fail: { from: ['queued', 'in_progress'], to: 'failed' },
  expire: { from: ['requires_action'], to: 'failed' },
  cancel: { from: unfinished, to: 'canceled' },
  terminate: { from: unfinished, to: 'terminated' },
} as const satisfies Readonly<Record<string, Transition>>

export type Trigger = keyof typeof transitions

export function allows(status: Status, trigger: Trigger): boolean {
  return (transitions[trigger].from as readonly Status[]).includes(status)
}

/** Whether a stream ends in this status. */
export function isStopped(status: Status): status is Exclude<Status, 'queued' | 'in_progress'> {
  return status !== 'queued' && status !== 'in_progress'
}
