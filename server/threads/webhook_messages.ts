import type { Reply, Webhook } from '../domain/webhooks/receivers.ts'

/** What the thread that sends webhooks is made with: see `WebhookReceivers`. */
export interface WebhookThreadOptions {
  readonly allowedHosts: readonly string[]
  readonly brands: readonly string[]
  /** Trusted authorities: a thread does not know which ones its process has been told to trust. */
  readonly certificates: readonly string[]
}

/** To the thread, in batches. It also says that the last replies have arrived, so that the thread may post more. */
export interface WebhookBatch {
  readonly webhooks: readonly { readonly number: number; readonly webhook: Webhook }[]
  /** Numbers of webhooks whose replies nobody waits for any more. */
  readonly cancelled: readonly number[]
  /** Queues of which nothing more begins, save what comes in later batches. */
  readonly takenBack: readonly string[]
  /** Asks the thread to reply at once, whatever has ended: one that does not is hung. */
  readonly isCall: boolean
}

/** From the thread, in batches: by the number of the webhook; without a reply for one that was taken back. */
export type ReplyBatch = readonly { readonly number: number; readonly reply?: Reply }[]
