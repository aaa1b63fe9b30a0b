import type { Reply, Webhook } from '../domain/webhooks/receivers.ts'

/** The options of the thread that sends webhooks: see `WebhookReceivers`. */
export interface WebhookThreadOptions {
  readonly allowedHosts: readonly string[]
  readonly brands: readonly string[]
  /** Trusted certificate authorities: a thread does not inherit those of its process. */
  readonly certificates: readonly string[]
}

/** A batch to the thread. It also confirms that the last replies have arrived, so the thread may post more. */
export interface WebhookBatch {
  readonly webhooks: readonly { readonly number: number; readonly webhook: Webhook }[]
  /** Numbers of webhooks whose replies are no longer wanted. */
  readonly cancelled: readonly number[]
  /** Queues whose waiting webhooks are not to be sent; later batches may add others. */
  readonly takenBack: readonly string[]
  /** Asks the thread to reply at once; one that does not is hung. */
  readonly isPing: boolean
}

/** A batch from the thread, by the numbers of the webhooks; those that were taken back have no reply. */
export type ReplyBatch = readonly { readonly number: number; readonly reply?: Reply }[]
