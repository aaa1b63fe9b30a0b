import type { JSX } from 'preact'
import type { Webhook } from '../../../generated/console_types.ts'

/** The status of a subscription. A receiver that fails stands out. */
export function WebhookTag({ status, failing_since }: Pick<Webhook, 'status' | 'failing_since'>): JSX.Element {
  if (status === 'paused') return <span class="tag">Paused</span>
  if (status === 'pending_verification') return <span class="tag">Not verified</span>
  return failing_since === null ? <span class="tag good">Active</span> : <span class="tag bad">Failing</span>
}
