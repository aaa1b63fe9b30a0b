/** A request that is sent repeatedly. */
export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** JSON text. */
  readonly body?: string
}

/** Keeps every connection busy with one request at a time until a limit is reached. */
export interface LoadJob {
  readonly url: string
  /** Used in turn, starting with the first. */
  readonly requests: readonly WireRequest[]
  readonly connections: number
  readonly requestsMax: number
  readonly millisecondsMax: number
  /**
   * Maximum rate, evenly spaced; latencies then count from the time at which a request was due. If undefined, the next request follows each
   * response.
   */
  readonly perSecond?: number
}

export interface Latencies {
  readonly first: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

export interface LoadResult {
  readonly completed: number
  readonly milliseconds: number
  /** Number of responses by status. */
  readonly statuses: Readonly<Record<string, number>>
  /** Milliseconds from the last byte sent to the last byte received. */
  readonly latencies: Latencies
}
