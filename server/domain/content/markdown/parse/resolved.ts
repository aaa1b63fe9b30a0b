/** The references of a text that are visible to the caller. */
export interface Resolved {
  readonly records: ReadonlyMap<string, 'page' | 'database' | 'original'>
  /** Database ids by the id of a data source. */
  readonly sources: ReadonlyMap<string, string>
  readonly users: ReadonlySet<string>
  /** Emoji ids by name. */
  readonly emojis: ReadonlyMap<string, string>
}

export const nothingResolved: Resolved = { records: new Map(), sources: new Map(), users: new Set(), emojis: new Map() }
