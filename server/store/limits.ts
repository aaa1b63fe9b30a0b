/** Limits of the store. Times are in milliseconds. */
export interface StoreLimits {
  /** The most connections of one process to a database server. */
  readonly connectionsMax: number
  /** How long to wait for a connection: a free one, or a new one that the server accepts. */
  readonly connectMs: number
  /** How long one statement may take. */
  readonly statementMs: number
  /** How long to wait for other writers. */
  readonly lockWaitMs: number
}

export const storeLimits: StoreLimits = {
  connectionsMax: 16,
  connectMs: 10_000,
  statementMs: 30_000,
  lockWaitMs: 15_000,
}
