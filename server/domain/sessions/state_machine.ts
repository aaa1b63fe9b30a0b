import type { StoredSessionStatus as Status } from '../../store/sessions.ts'

interface Transition {
  readonly from: readonly Status[]
  readonly to: Status
}

/** Statuses in which a turn is under way. */
export const unfinished: readonly Status[] = ['queued', 'in_progress', 'requires_action']

/** What moves a session, from where to where. A session begins as `queued`; nothing leads out of `terminated`. */
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

/** Whether a stream that has come this far ends. */
export function isStopped(status: Status): status is Exclude<Status, 'queued' | 'in_progress'> {
  return status !== 'queued' && status !== 'in_progress'
}
