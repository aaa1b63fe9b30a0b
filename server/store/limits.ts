/** Limits of the store. Times are in milliseconds. */
export interface StoreLimits {
  /** The maximum number of connections of one process to a database server: for reads, for writes, and for background work. */
  readonly connectionsMax: { readonly reads: number; readonly writes: number; readonly background: number }
  /**
   * The maximum number of simultaneous reads of one workspace. It is lower than the number of connections, so that other workspaces can
   * read even while these reads do not end.
   */
  readonly readsOfWorkspaceMax: number
  /** How long to wait for a connection: until one is free, or the server accepts a new one. */
  readonly connectMs: number
  /** How long one statement may take: less than a request may. */
  readonly statementMs: number
  /** How long to wait in a queue of writers. */
  readonly queueWaitMs: number
  /** How long to wait for a lock or a connection, or in a queue that does not advance. */
  readonly lockWaitMs: number
  /** How long a caller waits for a commit. */
  readonly commitMs: number
}

export const storeLimits: StoreLimits = {
  connectionsMax: { reads: 8, writes: 6, background: 4 },
  readsOfWorkspaceMax: 4,
  connectMs: 10_000,
  statementMs: 30_000,
  queueWaitMs: 15_000,
  lockWaitMs: 3_000,
  commitMs: 3_000,
}
