import type { Budget } from './budget.ts'
import type { FormulaValue } from './values.ts'

/**
 * One row as formulas see it. The caller makes it; nothing is read before a formula asks for it.
 */
export interface FormulaRow {
  /** Id of the page, with dashes. */
  readonly id: string
  /** Plain text of its title. */
  readonly title: string
  /**
   * The value of a property that is neither a formula nor a relation; `formulaValueOf` turns a contract value into one. A rollup
   * reads its related rows through `reading`, so that they count towards the limits.
   * @throws NotLoaded when the value must be fetched first
   * @throws Unsupported when the value is `unsupported`
   */
  read(propertyId: string, reading: Reading): FormulaValue
  /**
   * The rows of a relation, in its order, without those in the trash and those that the caller may not see.
   * @throws NotLoaded when they must be fetched first
   */
  related(propertyId: string): readonly FormulaRow[]
}

/** What a row may ask of the evaluation while it computes a rollup. */
export interface Reading {
  /** Pays for long work. */
  readonly budget: Budget
  /** The value of a property, formulas included, of a related row: crosses into its data source. */
  readRelated(row: FormulaRow, dataSourceId: string, propertyId: string): FormulaValue
}

/**
 * Thrown by a row whose data is not there yet, after it has noted what to fetch; the caller of `evaluate` fetches and repeats.
 * A list of rows is best evaluated in rounds: all of them, then one fetch of everything noted, until nothing is missing.
 */
export class NotLoaded extends Error {
  constructor() {
    super('data of the formula has not been fetched')
    this.name = 'NotLoaded'
  }
}
