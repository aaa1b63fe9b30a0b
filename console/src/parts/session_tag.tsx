import type { JSX } from 'preact'
import type { AgentSession } from '../../../generated/console_types.ts'

type Status = AgentSession['status']

const WORDS: Readonly<Record<Status, string>> = {
  queued: 'Queued',
  in_progress: 'Running',
  requires_action: 'Needs you',
  completed: 'Completed',
  failed: 'Failed',
  canceled: 'Canceled',
  terminated: 'Ended',
}
const CLASSES: Readonly<Partial<Record<Status, string>>> = {
  requires_action: 'tag wanted',
  completed: 'tag good',
  failed: 'tag bad',
  terminated: 'tag bad',
}

/** The status of a session. Sessions that wait for a person stand out. */
export function SessionTag({ status }: { readonly status: Status }): JSX.Element {
  return <span class={CLASSES[status] ?? 'tag'}>{WORDS[status]}</span>
}

/** Whether the status can change without a new message. */
export function isLive({ status }: Pick<AgentSession, 'status'>): boolean {
  return status === 'queued' || status === 'in_progress' || status === 'requires_action'
}
