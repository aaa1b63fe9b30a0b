import type { Limits } from './limits.ts'

/** Credentials, for the client or for one call. The contract says which ones an operation uses. */
export interface Credentials {
  /** A bearer token: an installation token, an access token or a personal one. */
  readonly token?: string | undefined
  /** Id of a public connection, for operations that the connection calls itself. */
  readonly clientId?: string | undefined
  readonly clientSecret?: string | undefined
}

/** Options for all calls of a client, which one call can override. */
export interface CommonOptions extends Credentials {
  /** Release date of the protocol to use. */
  readonly version?: string
  /** Beta flags to send. */
  readonly betas?: readonly string[]
  /** Additional headers, which replace the client's own. Headers of a call are added to those of the client. */
  readonly headers?: Readonly<Record<string, string>>
  /** The maximum number of retries; 0 never retries. */
  readonly retries?: number
  /** Time for a call with all its retries and waits. Without it, only their number is limited. */
  readonly totalMilliseconds?: number
  /** Time for one attempt, from sending to the last byte of the response; for a stream, to the first byte. */
  readonly timeoutMilliseconds?: number
  /** For streams: how long the stream may be silent, even without comments, before the client reconnects. */
  readonly silenceMilliseconds?: number
  /** Limits on received data. Limits of a call replace those of the client one by one. */
  readonly limits?: Partial<Limits>
}

/** Options of one call, besides the operation's input. */
export interface CallOptions extends CommonOptions {
  /** Aborts the call. */
  readonly signal?: AbortSignal
}

export interface ClientOptions extends CommonOptions {
  /** Address of the service, with or without `/v1`. */
  readonly baseUrl: string
  /** The prefix of the headers of a branded deployment, instead of `Service`. */
  readonly headerBrand?: string
  readonly fetch?: (request: Request) => Promise<Response>
  /** Sends a generated idempotency key with every call that accepts one and has none, so that it can be repeated. */
  readonly automaticIdempotencyKeys?: boolean
  /** Wait before the first retry if the response names none; it doubles with each further one. */
  readonly firstWaitMilliseconds?: number
  /** The longest wait, even if the response asks for more. */
  readonly longestWaitMilliseconds?: number
}
