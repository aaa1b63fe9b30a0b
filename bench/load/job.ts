/** A request as it goes over the wire, again and again. */
export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** JSON text. */
  readonly body?: string
}

/** Keeps every connection busy with one request at a time, until one of the bounds is reached. */
export interface LoadJob {
  readonly url: string
  /** Taken in turns, from the first. */
  readonly requests: readonly WireRequest[]
  readonly connections: number
  readonly requestsMax: number
  readonly millisecondsMax: number
  /** At most so many requests, evenly; latencies then count from when a request was to be sent. Left out: as many as are answered. */
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
  /** Answers by status. */
  readonly statuses: Readonly<Record<string, number>>
  /** Milliseconds from the last byte sent to the last byte received. */
  readonly latencies: Latencies
}
