/** Who calls. Which of them an operation takes is the contract's business; each may be given to the client or to one call. */
export interface Credentials {
  /** A bearer token: of an installation, of an authorization, or a personal one. */
  readonly token?: string | undefined
  /** Id of a public connection, for the operations that the connection itself calls. */
  readonly clientId?: string | undefined
  readonly clientSecret?: string | undefined
}

/** What holds for every call of a client, and may be set otherwise for one call. */
export interface CommonOptions extends Credentials {
  /** Release date to speak. */
  readonly version?: string
  /** Beta flags to send. */
  readonly betas?: readonly string[]
  /** Further headers; they replace those that the client sets itself. Those of a call are added to the client's. */
  readonly headers?: Readonly<Record<string, string>>
  /** How often a call is repeated by itself, at most; 0 never repeats. */
  readonly retries?: number
  /** Time for one attempt, from sending to the last byte of the answer. */
  readonly timeoutMilliseconds?: number
}

/** What one call may say besides what the operation takes. */
export interface CallOptions extends CommonOptions {
  /** Ends the call, whatever it is waiting for. */
  readonly signal?: AbortSignal
}

export interface ClientOptions extends CommonOptions {
  /** Address of the service, with or without `/v1`. */
  readonly baseUrl: string
  /** A word that stands in place of `Service` in a branded deployment's headers. */
  readonly headerBrand?: string
  readonly fetch?: (request: Request) => Promise<Response>
  /** Gives every call that takes an idempotency key, and has none, one of its own: then each may be repeated. */
  readonly automaticIdempotencyKeys?: boolean
  /** Wait before the first repeat where the answer names none; each further one doubles it. */
  readonly firstWaitMilliseconds?: number
  /** No wait is longer, whatever the answer asks for. */
  readonly longestWaitMilliseconds?: number
}
