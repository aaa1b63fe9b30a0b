/** What a receiver is sent. */
export interface SentBody {
  readonly url: string
  readonly body: string
  readonly signature: string
}

/** The receivers of webhooks, on other hosts. */
export interface Receivers {
  /** @returns why an address may not be used, ending the sentence "body.url should …"; undefined for one that may */
  refusalOf(url: string): Promise<string | undefined>
  /** Posts a body and waits for the answer, within the time that receivers have. @throws what `signal` is aborted with, nothing else */
  send(sent: SentBody, signal: AbortSignal): Promise<Reply>
}

/** What came of sending. */
export interface Reply {
  /** Null when there was no answer. */
  readonly statusCode: number | null
  /** A sentence that says what went wrong; null where the body was acknowledged. */
  readonly error: string | null
}
