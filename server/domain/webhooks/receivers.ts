import type { WebhookContent } from './payload.ts'

/** A webhook before it is rendered and signed. */
export interface Webhook {
  readonly url: string
  /** The verification token of the subscription: the key of the signature. */
  readonly token: string
  readonly content: WebhookContent
}

/** The receivers of webhooks, on other hosts. */
export interface Receivers {
  /** @returns why an address may not be used, ending the sentence "body.url should …"; undefined for one that may */
  refusalOf(url: string): Promise<string | undefined>
  /**
   * Sends a webhook and waits for the answer, within the time that receivers have.
   * @throws what `signal` is aborted with; Error when nobody knows what came of it, because what sends it broke down
   */
  send(webhook: Webhook, signal: AbortSignal): Promise<Reply>
}

/** What came of sending. */
export interface Reply {
  /** Null when there was no answer. */
  readonly statusCode: number | null
  /** A sentence that says what went wrong; null where the body was acknowledged. */
  readonly error: string | null
}
