import type { DateValue, FormulaValue as FormulaAnswer } from '../../../generated/types.ts'
import { Budget } from './budget.ts'
import type { FormulaCompiler } from './compiler.ts'
import { valueOfDate } from './dates.ts'
import { Unsupported } from './failures.ts'
import { formatValue } from './format.ts'
import { Frame, type CompiledFormula } from './frame.ts'
import type { ResultType } from './types.ts'
import { isList, type FormulaRow, type FormulaValue } from './values.ts'

export interface Circumstances {
  /** Milliseconds since 1970: what `now()` and `today()` go by. */
  readonly now: number
  /** Left out: a budget of its own. Give several formulas the same one to bound them together. */
  readonly budget?: Budget
}

/** What a formula gives for a row: a value, or nothing that can be given. */
type Evaluation = { readonly value: FormulaValue; readonly isUnsupported?: false } | { readonly isUnsupported: true }

/**
 * Evaluates a formula for one row. Never takes longer than its budget.
 * @param compiler the one that compiled it
 * @throws NotLoaded when the row or a related one asks for data first
 */
export function evaluate(
  formula: CompiledFormula,
  row: FormulaRow,
  compiler: FormulaCompiler,
  circumstances: Circumstances,
): Evaluation {
  const { now, budget = new Budget() } = circumstances
  const frame = new Frame(row, { budget, now, known: new Map(), readerOf: compiler.readerOf }, 0, 0, formula.nesting)
  try {
    return { value: formula.code(frame) }
  } catch (fault) {
    if (fault instanceof Unsupported) return { isUnsupported: true }
    throw fault
  }
}

/** The member `formula` of a property value: the typed value of an evaluation. */
export function answerOf(formula: CompiledFormula, evaluation: Evaluation): FormulaAnswer {
  if (evaluation.isUnsupported === true) return unsupportedAnswer()
  const { value } = evaluation
  try {
    return answerOfType(formula.resultType ?? resultTypeOfValue(value), value)
  } catch (fault) {
    if (fault instanceof Unsupported) return unsupportedAnswer()
    throw fault
  }
}

/** The answer for a formula that does not compile any more, or costs too much. */
export function unsupportedAnswer(): FormulaAnswer {
  return { type: 'unsupported', unsupported: {} }
}

function answerOfType(type: ResultType, value: FormulaValue): FormulaAnswer {
  switch (type) {
    case 'number':
      return { type, number: typeof value === 'number' ? value : null }
    case 'boolean':
      return { type, boolean: typeof value === 'boolean' ? value : null }
    case 'date':
      return { type, date: dateAnswer(value) }
    case 'string':
      // The protocol has no empty strings: null stands for them.
      return { type, string: formatValue(value, new Budget()) || null }
  }
}

function dateAnswer(value: FormulaValue): DateValue | null {
  return typeof value === 'object' && value !== null && !isList(value) && value.kind === 'date' ? valueOfDate(value) : null
}

/** Where only the value decides: its own type, and text for the empty one. */
function resultTypeOfValue(value: FormulaValue): ResultType {
  if (typeof value === 'number') return 'number'
  if (typeof value === 'boolean') return 'boolean'
  return dateAnswer(value) === null ? 'string' : 'date'
}
