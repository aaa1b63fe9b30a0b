import type { JSX } from 'preact'
import type { WebhookDelivery } from '../../../generated/console_types.ts'

/** The state of a delivery. */
export function DeliveryTag({ state }: Pick<WebhookDelivery, 'state'>): JSX.Element {
  if (state === 'waiting') return <span class="tag">Waiting</span>
  return state === 'delivered' ? <span class="tag good">Delivered</span> : <span class="tag bad">Given up</span>
}
