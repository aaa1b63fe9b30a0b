import type { WebhookContent } from './payload.ts'

/** A webhook before it is rendered and signed. */
export interface Webhook {
  readonly url: string
  /** The verification token of the subscription: the key of the signature. */
  readonly token: string
  readonly content: WebhookContent
  /** Webhooks of one queue begin in their order, and so many at a time as `OPEN_MAX` says; without one, at once. */
  readonly queue?: string
}

/** Webhooks of one queue that wait for an answer at a time. */
export const OPEN_MAX = 5

/** The receivers of webhooks, on other hosts. */
export interface Receivers {
  /** @returns why an address may not be used, ending the sentence "body.url should …"; undefined for one that may */
  refusalOf(url: string): Promise<string | undefined>
  /**
   * Sends a webhook and waits for the answer, within the time that receivers have.
   * @returns undefined for one that was taken back
   * @throws what `signal` is aborted with; Error when nobody knows what came of it, because what sends it broke down
   */
  send(webhook: Webhook & { readonly queue: string }, signal: AbortSignal): Promise<Reply | undefined>
  send(webhook: Webhook, signal: AbortSignal): Promise<Reply>
  /** Takes back what of a queue has not begun. */
  takeBack(queue: string): void
}

/** What came of sending. */
export interface Reply {
  /** Null when there was no answer. */
  readonly statusCode: number | null
  /** A sentence that says what went wrong; null where the body was acknowledged. */
  readonly error: string | null
  /** How long it took. */
  readonly milliseconds: number
}
