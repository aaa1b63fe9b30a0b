/** What of all that a text names the caller can see. */
export interface Resolved {
  readonly records: ReadonlyMap<string, 'page' | 'database' | 'original'>
  /** Databases of data sources that were named. */
  readonly sources: ReadonlyMap<string, string>
  readonly users: ReadonlySet<string>
  /** Ids of emojis by their names. */
  readonly emojis: ReadonlyMap<string, string>
}

export const nothingResolved: Resolved = { records: new Map(), sources: new Map(), users: new Set(), emojis: new Map() }
