/** A success response as it is sent, without the headers that every response has. */
export interface Response {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** `Set-Cookie` headers. */
  readonly cookies?: readonly string[]
  /** The body. */
  readonly text: string
  /** Where the stream of the response began; undefined for a response without one. */
  readonly follow?: FollowStart
}

/** The start of a stream of a session's events. */
export interface FollowStart {
  readonly sessionId: string
  /** The stream begins after the event with this number. */
  readonly after: number
}
