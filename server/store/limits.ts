/** How much the store takes on, and how long it waits. Milliseconds. */
export interface StoreLimits {
  /** Connections of one process to a database server. */
  readonly connectionsMax: number
  /** For a connection: that one becomes free, or that the server takes a new one. */
  readonly connectMs: number
  /** For one statement. */
  readonly statementMs: number
  /** For a turn among the writers. */
  readonly turnMs: number
}

export const storeLimits: StoreLimits = { connectionsMax: 16, connectMs: 10_000, statementMs: 30_000, turnMs: 15_000 }

/** As `storeLimits`, for the thread that delivers events: two connections for those that are formed, the others for deliveries. */
export const deliveryLimits: StoreLimits = { ...storeLimits, connectionsMax: 6 }
