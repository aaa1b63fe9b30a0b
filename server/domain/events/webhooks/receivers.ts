import type { WebhookContent } from './payload.ts'

/** A webhook that is not rendered and signed yet. */
export interface Webhook {
  readonly url: string
  /** The verification token of the subscription, which is the key of the signature. */
  readonly token: string
  readonly content: WebhookContent
  /** Webhooks of one queue are sent in order, up to `OPEN_MAX` at a time. Without a queue, a webhook is sent at once. */
  readonly queue?: string
}

/** The maximum number of webhooks of a queue that wait for a response. */
export const OPEN_MAX = 5

export interface Receivers {
  /** @returns why an address is not allowed, completing the sentence "body.url should …"; undefined if it is allowed */
  refusalOf(url: string): Promise<string | undefined>
  /**
   * Sends a webhook and waits for the response, within the time limit of receivers.
   * @returns undefined if it was dropped from its queue
   * @throws the reason of `signal`; Error if the outcome is unknown because the sending thread failed
   */
  send(webhook: Webhook & { readonly queue: string }, signal: AbortSignal): Promise<Reply | undefined>
  send(webhook: Webhook, signal: AbortSignal): Promise<Reply>
  /** Removes the webhooks of a queue that have not been sent yet. */
  dropQueued(queue: string): void
}

/** The outcome of sending a webhook. */
export interface Reply {
  /** Null if there was no response. */
  readonly statusCode: number | null
  /** A sentence that describes the failure; null if the webhook was acknowledged. */
  readonly error: string | null
  readonly milliseconds: number
}
