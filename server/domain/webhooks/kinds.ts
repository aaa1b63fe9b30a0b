/** Names of the jobs of webhooks, as they are stored. */
export const VERIFICATION_KIND = 'webhook_verification'
export const DELIVERY_KIND = 'webhook_delivery'
/** Subscriptions whose receivers take their time. */
export const SLOW_DELIVERY_KIND = 'webhook_slow_delivery'
export const RETRY_KIND = 'webhook_retry'

/** What the jobs of a subscription work on. */
export interface SubscriptionWork {
  /** The home workspace of its connection. */
  readonly homeId: string
  readonly subscriptionId: string
}
