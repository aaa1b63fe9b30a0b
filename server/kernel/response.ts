/** A success response ready to be sent, without the headers that every response has. */
export interface Response {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** `Set-Cookie` headers. */
  readonly cookies?: readonly string[]
  readonly text: string
  /** Where the stream of the response begins; undefined if the response is not a stream. */
  readonly follow?: FollowStart
}

export interface FollowStart {
  readonly sessionId: string
  /** The stream begins after the event with this number. */
  readonly after: number
}
