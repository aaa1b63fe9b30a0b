import { id, object } from '../../../store/stored/form.ts'

/** The stored names of the job kinds of webhooks. */
export const VERIFICATION_KIND = 'webhook_verification'
export const DELIVERY_KIND = 'webhook_delivery'
/** For subscriptions with slow receivers. */
export const SLOW_DELIVERY_KIND = 'webhook_slow_delivery'
export const RETRY_KIND = 'webhook_retry'

/** The payload of the jobs for a subscription. */
export interface SubscriptionWork {
  /** The home workspace of the subscription's connection. */
  readonly homeId: string
  readonly subscriptionId: string
}

export const subscriptionWorkForm = object({ homeId: id, subscriptionId: id })
