import type { AttemptDetails } from './attempt_details.ts'
import type { WorkspaceServiceError } from './errors.ts'
import type { Limits } from './limits.ts'

/**
 * Provides a bearer token for each attempt.
 * @param refused the token that the service has just refused with 401: provide another one. The call is repeated once
 */
export type TokenProvider = (refused?: string) => string | undefined | Promise<string | undefined>

/** Credentials, for the client or for one call. The contract says which ones an operation uses. */
export interface Credentials {
  /** A bearer token: an installation token, an access token or a personal one. */
  readonly token?: string | TokenProvider | undefined
  /** Id of a public connection, for operations that the connection calls itself. */
  readonly clientId?: string | undefined
  readonly clientSecret?: string | undefined
}

/** What decides about the headers of a request. */
export interface HeaderOptions extends Credentials {
  /** Release date of the protocol to use. */
  readonly version?: string
  /** Beta flags to send. */
  readonly betas?: readonly string[]
}

/** Options for all calls of a client, which one call can override. */
export interface CommonOptions extends HeaderOptions {
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

/** How to reach a service. */
export interface ServiceOptions {
  /** Address of the service, with or without `/v1`. */
  readonly baseUrl: string
  /** The prefix of the headers of a branded deployment, instead of `Service`. */
  readonly headerBrand?: string
  readonly fetch?: (request: Request) => Promise<Response>
  /** Sends a generated idempotency key with every call that accepts one and has none, so that it can be repeated. */
  readonly automaticIdempotencyKeys?: boolean
}

export interface ClientOptions extends CommonOptions, ServiceOptions, Hooks {
  /** Wait before the first retry if the response names none; it doubles with each further one. */
  readonly firstWaitMilliseconds?: number
  /** The longest wait, even if the response asks for more. */
  readonly longestWaitMilliseconds?: number
}

/** Receives a line for each response (`debug`) and for each retry (`warn`), with neither headers nor bodies. `console` is one. */
export interface Logger {
  debug(message: string): void
  warn(message: string): void
}

/** Functions that the client calls, and waits for, during each attempt. If one throws, the call fails with its error. */
export interface Hooks {
  readonly logger?: Logger
  /** Before a request is sent. `request.headers` can be changed. */
  readonly onRequest?: (attempt: AttemptDetails & { readonly request: Request }) => void | Promise<void>
  /** When the status and headers of a response have arrived. The body belongs to the client. */
  readonly onResponse?: (attempt: AttemptDetails & ReceivedDetails) => void | Promise<void>
  /** Before the wait for another attempt. */
  readonly onRetry?: (attempt: AttemptDetails & RetryDetails) => void | Promise<void>
}

export interface ReceivedDetails {
  readonly status: number
  readonly headers: Headers
  readonly requestId: string | undefined
  /** Since the request was sent. */
  readonly milliseconds: number
}

export interface RetryDetails {
  readonly error: WorkspaceServiceError
  readonly waitMilliseconds: number
}
