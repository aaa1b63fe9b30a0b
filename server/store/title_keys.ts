import type { Connection, NewRows, Transaction } from './database.ts'

/** A title as the index knows it. */
export interface NumberedTitle {
  readonly workspaceId: string
  readonly id: string
  /** Counts up with every title of the database. */
  readonly number: number
  readonly keys: readonly string[]
}

/** Which beginnings of keys a title must have: all of one of these lists. */
export type Prefilter = readonly (readonly string[])[]

/**
 * The full-text index of an engine, as far as titles need it. Engines collect all that an expression finds before they give the first
 * of it, so titles are indexed in portions of limited size, and each statement looks through one.
 */
export interface TitleKeys {
  /** The column of `titles` that stands in its indexes: the words, or null where they are too long for them. */
  readonly indexedWords: string
  /** How many titles one statement may go through: an engine inside the process does nothing else until it has. */
  readonly titlesAtOnce: number
  /** How many portions one statement may look through. */
  readonly portionsAtOnce: number
  /** Rows that bring titles into the index. */
  rowsOf(titles: readonly NumberedTitle[]): NewRows
  remove(db: Transaction, title: Omit<NumberedTitle, 'keys'>): Promise<void>
  /** Behind `from`: titles `t` whose keys pass a prefilter. Parameters: that of the prefilter, and how many may come from each portion. */
  readonly passing: string
  /** A prefilter for one portion, or for up to `portionsAtOnce` of them. */
  parameterOf(workspaceId: string, portions: readonly number[], prefilter: Prefilter): string
  /** Portions that hold titles. */
  portions(db: Connection): Promise<number>
}
