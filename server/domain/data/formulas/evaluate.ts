import type { DateValue, FormulaValue as PresentedFormula } from '../../../../generated/types.ts'
import { Budget } from './budget.ts'
import type { FormulaCompiler } from './compiler.ts'
import { valueOfDate } from './dates.ts'
import { ifSupported } from './failures.ts'
import { formatValue } from './format.ts'
import { Frame, type CompiledFormula } from './frame.ts'
import type { ResultType } from './types.ts'
import { isOfKind, type FormulaRow, type FormulaValue } from './values.ts'

export interface Circumstances {
  /** Milliseconds since 1970, for `now()` and `today()`. */
  readonly now: number
  /** A new budget by default. Pass the same one to several evaluations to bound them together. */
  readonly budget?: Budget
}

/** The result of a formula for a row: a value, or unsupported. */
type Evaluation = { readonly value: FormulaValue; readonly isUnsupported?: false } | { readonly isUnsupported: true }

/**
 * Evaluates a formula for one row. Never takes longer than its budget.
 * @param compiler the one that compiled it
 * @throws NotLoaded if data of the row or a related one must be loaded first
 */
export function evaluate(
  formula: CompiledFormula,
  row: FormulaRow,
  compiler: FormulaCompiler,
  circumstances: Circumstances,
): Evaluation {
  const { now, budget = new Budget() } = circumstances
  const frame = new Frame(row, { budget, now, known: new Map(), readerOf: compiler.readerOf }, 0, 0, formula.nesting)
  return ifSupported(() => ({ value: formula.code(frame) }), { isUnsupported: true })
}

/** The member `formula` of a property value: the typed value of an evaluation. */
export function formulaResult(formula: CompiledFormula, evaluation: Evaluation): PresentedFormula {
  if (evaluation.isUnsupported === true) return unsupportedResult()
  const { value } = evaluation
  return ifSupported(() => resultOfType(formula.resultType ?? resultTypeOfValue(value), value), unsupportedResult())
}

/** The result for a formula that no longer compiles or exceeds its budget. */
export function unsupportedResult(): PresentedFormula {
  return { type: 'unsupported', unsupported: {} }
}

function resultOfType(type: ResultType, value: FormulaValue): PresentedFormula {
  switch (type) {
    case 'number':
      return { type, number: typeof value === 'number' ? value : null }
    case 'boolean':
      return { type, boolean: typeof value === 'boolean' ? value : null }
    case 'date':
      return { type, date: dateResult(value) }
    case 'string':
      // The contract represents empty strings as null.
      return { type, string: formatValue(value, new Budget()) || null }
  }
}

function dateResult(value: FormulaValue): DateValue | null {
  return isOfKind(value, 'date') ? valueOfDate(value) : null
}

/** The result type of a value whose static type is `any`. The empty value counts as a string. */
function resultTypeOfValue(value: FormulaValue): ResultType {
  if (typeof value === 'number') return 'number'
  if (typeof value === 'boolean') return 'boolean'
  return dateResult(value) === null ? 'string' : 'date'
}
