import type { Budget } from './budget.ts'
import { Unsupported } from './failures.ts'
import { DATA_SOURCES_CROSSED_MAX, EVALUATION_NESTING_MAX, FORMULA_LEVELS_MAX } from './limits.ts'
import type { PropertyReference } from './references.ts'
import type { FormulaType, ResultType } from './types.ts'
import type { FormulaPage, FormulaRow, FormulaValue, Reading } from './values.ts'

/** The compiled code of an expression, which computes its value. */
export type Code = (frame: Frame) => FormulaValue

/** A formula that can be evaluated on any row of its data source. */
export interface CompiledFormula {
  readonly type: FormulaType
  /** The member of the formula's values in responses. Undefined if it depends on the value; filters reject such formulas. */
  readonly resultType: ResultType | undefined
  /** The properties to which it refers, each once. */
  readonly references: readonly PropertyReference[]
  /** The form to store, with references by id. `renderStored` returns the text with current names. */
  readonly stored: string
  /** The depth to which its evaluation nests. */
  readonly nesting: number
  readonly code: Code
}

/** State shared by all formulas of one evaluation. */
export interface Shared {
  readonly budget: Budget
  /** Milliseconds since 1970. */
  readonly now: number
  /** Cached values of referenced formulas, so that each is computed once. */
  readonly known: Map<CompiledFormula, Map<FormulaRow, FormulaValue>>
  /** Returns the reader of a property, for rows that are reached through rollups. */
  readonly readerOf: (dataSourceId: string, propertyId: string) => PropertyReader
}

/** Reads a property of the row, or of `page`. */
export type PropertyReader = (frame: Frame, page: FormulaPage | undefined) => FormulaValue

/** One formula being evaluated on one row. */
export class Frame implements Reading {
  readonly row: FormulaRow
  readonly shared: Shared
  readonly budget: Budget
  /** Values of names, `current` and `index`, in the slots assigned by the compiler. */
  readonly slots: FormulaValue[] = []
  readonly #level: number
  readonly #crossed: number
  readonly #nesting: number

  constructor(row: FormulaRow, shared: Shared, level = 0, crossed = 0, nesting = 0) {
    this.row = row
    this.shared = shared
    this.budget = shared.budget
    this.#level = level
    this.#crossed = crossed
    this.#nesting = nesting
  }

  /** The value of a referenced formula. @param page undefined for the same row */
  evaluate(formula: CompiledFormula, page?: FormulaPage): FormulaValue {
    const row = page?.row ?? this.row
    const known = this.shared.known.get(formula)?.get(row)
    if (known !== undefined) return known
    if (this.#level >= FORMULA_LEVELS_MAX) throw new Unsupported('formulas use formulas on too many levels')
    const nesting = this.#nesting + formula.nesting
    if (nesting > EVALUATION_NESTING_MAX) throw new Unsupported('the formulas are nested too deeply')
    const value = formula.code(new Frame(row, this.shared, this.#level + 1, page?.crossed ?? this.#crossed, nesting))
    const values = this.shared.known.get(formula) ?? new Map<FormulaRow, FormulaValue>()
    this.shared.known.set(formula, values.set(row, value))
    return value
  }

  /** The value of a property that is neither a formula nor a relation. @param page undefined for the same row */
  read(propertyId: string, page?: FormulaPage): FormulaValue {
    this.budget.spend(1)
    const value = (page?.row ?? this.row).read(propertyId, this.#readingOf(page))
    if (typeof value === 'string') this.budget.reserveText(value.length)
    if (Array.isArray(value)) this.budget.reserveList(value.length)
    return value
  }

  /** The pages that a relation links to. @param page undefined for the same row */
  related(propertyId: string, page?: FormulaPage): FormulaPage[] {
    const rows = (page?.row ?? this.row).related(propertyId)
    const crossed = this.#crossedWith(page)
    this.budget.reserveList(rows.length)
    return rows.map((row) => ({ kind: 'page', row, crossed }))
  }

  readRelated(row: FormulaRow, dataSourceId: string, propertyId: string): FormulaValue {
    return this.shared.readerOf(dataSourceId, propertyId)(this, { kind: 'page', row, crossed: this.#crossedWith(undefined) })
  }

  #crossedWith(page: FormulaPage | undefined): number {
    const crossed = (page?.crossed ?? this.#crossed) + 1
    if (crossed > DATA_SOURCES_CROSSED_MAX) throw new Unsupported('relations are followed across too many data sources')
    return crossed
  }

  #readingOf(page: FormulaPage | undefined): Reading {
    return page === undefined ? this : new Frame(page.row, this.shared, this.#level, page.crossed, this.#nesting)
  }
}
