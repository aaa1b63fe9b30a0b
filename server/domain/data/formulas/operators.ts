import type { Budget } from './budget.ts'
import { FormulaFault } from './failures.ts'
import { formatValue } from './format.ts'
import type { Frame } from './frame.ts'
import { ARITHMETIC } from './functions/number.ts'
import type { ChainOperator } from './syntax.ts'
import { ANY, BOOLEAN, EMPTY, nameOfType, NUMBER, TEXT, type FormulaType } from './types.ts'
import { areEqual, compareTexts, isOfKind, type FormulaValue } from './values.ts'

type StrictOperator = Exclude<ChainOperator, 'and' | 'or'>

export type Combine = (a: FormulaValue, b: FormulaValue, frame: Frame) => FormulaValue

/**
 * The implementation of an operator for operands of these types.
 * @throws FormulaFault if the types do not fit
 */
export function operatorFor(
  operator: StrictOperator,
  a: FormulaType,
  b: FormulaType,
  offset: number,
): { type: FormulaType; combine: Combine } {
  switch (operator) {
    case '==':
      return { type: BOOLEAN, combine: (left, right, { budget }) => areEqual(left, right, budget) }
    case '!=':
      return { type: BOOLEAN, combine: (left, right, { budget }) => !areEqual(left, right, budget) }
    case '<':
    case '<=':
    case '>':
    case '>=':
      if (!areComparable(a, b)) throw unfit(operator, a, b, 'two Numbers, two Texts or two Dates', offset)
      return { type: BOOLEAN, combine: comparison(operator) }
    case '+':
      return plus(a, b, offset)
    case '-':
    case '*':
    case '/':
    case '%':
      if (!fitsNumber(a) || !fitsNumber(b)) throw unfit(operator, a, b, 'two Numbers', offset)
      return { type: NUMBER, combine: (left, right) => arithmetic(operator, left, right) }
  }
}

/** Applies an arithmetic operator; null if an operand is not a number or the result is not finite. */
export function arithmetic(operator: keyof typeof ARITHMETIC, a: FormulaValue, b: FormulaValue): number | null {
  if (typeof a !== 'number' || typeof b !== 'number') return null
  return finite(ARITHMETIC[operator](a, b))
}

/** Maps NaN and infinities to null, and negative zero to zero. */
export function finite(value: number): number | null {
  if (!Number.isFinite(value)) return null
  return value === 0 ? 0 : value
}

/** Whether a value of the type may be a number. */
export function fitsNumber(type: FormulaType): boolean {
  return type.kind === 'number' || type.kind === 'any' || type.kind === 'empty'
}

function plus(a: FormulaType, b: FormulaType, offset: number): { type: FormulaType; combine: Combine } {
  if (a.kind === 'text' || b.kind === 'text')
    return { type: TEXT, combine: (left, right, { budget }) => join(left, right, budget) }
  if (a.kind === 'any' || b.kind === 'any') {
    return {
      type: ANY,
      combine: (left, right, { budget }) =>
        typeof left === 'string' || typeof right === 'string' ? join(left, right, budget) : arithmetic('+', left, right),
    }
  }
  if (!fitsNumber(a) || !fitsNumber(b)) throw unfit('+', a, b, 'two Numbers, or Text on one side', offset)
  return {
    type: a.kind === 'empty' && b.kind === 'empty' ? EMPTY : NUMBER,
    combine: (left, right) => arithmetic('+', left, right),
  }
}

function join(a: FormulaValue, b: FormulaValue, budget: Budget): string {
  return budget.text(formatValue(a, budget) + formatValue(b, budget))
}

const COMPARABLE = new Set(['number', 'text', 'date', 'any', 'empty'])

function areComparable(a: FormulaType, b: FormulaType): boolean {
  if (!COMPARABLE.has(a.kind) || !COMPARABLE.has(b.kind)) return false
  return a.kind === b.kind || [a, b].some(({ kind }) => kind === 'any' || kind === 'empty')
}

function comparison(operator: '<' | '<=' | '>' | '>='): Combine {
  return (a, b, { budget }) => {
    const order = orderOf(a, b, budget)
    if (order === undefined) return null
    if (operator === '<') return order < 0
    if (operator === '<=') return order <= 0
    return operator === '>' ? order > 0 : order >= 0
  }
}

function orderOf(a: FormulaValue, b: FormulaValue, budget: Budget): number | undefined {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b, budget)
  return isOfKind(a, 'date') && isOfKind(b, 'date') ? a.start.milliseconds - b.start.milliseconds : undefined
}

function unfit(operator: string, a: FormulaType, b: FormulaType, wanted: string, offset: number): FormulaFault {
  return new FormulaFault(`\`${operator}\` takes ${wanted}, not ${nameOfType(a)} and ${nameOfType(b)}`, offset)
}
