import type { Budget } from '../budget.ts'
import { formatValue } from '../format.ts'
import { BOOLEAN, NUMBER, TEXT } from '../types.ts'
import { areEqual, isTruthy, isEmpty, isList, isOfKind, type FormulaValue } from '../values.ts'
import { pageAt, personAt } from './arguments.ts'
import { arg, define, optional, takingEmpty, type FunctionDefinition } from './definition.ts'
import { lengthOfText } from './characters.ts'

const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/

export const generalFunctions: readonly FunctionDefinition[] = [
  takingEmpty(define('not', [arg.any], BOOLEAN, ([a = null]) => !isTruthy(a))),
  takingEmpty(define('equal', [arg.any, arg.any], BOOLEAN, ([a = null, b = null], { budget }) => areEqual(a, b, budget))),
  takingEmpty(define('unequal', [arg.any, arg.any], BOOLEAN, ([a = null, b = null], { budget }) => !areEqual(a, b, budget))),
  define('length', [{ kinds: ['text', 'list'] }], NUMBER, ([value = null], { budget }) => {
    if (isList(value)) return value.length
    return typeof value === 'string' ? lengthOfText(value, budget) : null
  }),
  takingEmpty(define('format', [arg.any], TEXT, ([value = null], { budget }) => formatValue(value, budget))),
  define('toNumber', [{ kinds: ['text', 'number', 'boolean', 'date'] }], NUMBER, ([value = null], { budget }) =>
    toNumber(value, budget),
  ),
  define('id', [optional(arg.page)], TEXT, (values, frame) => (values.length === 0 ? frame.row.id : pageAt(values, 0).row.id)),
  define('name', [arg.person], TEXT, (values) => personAt(values, 0).name),
  define('email', [arg.person], TEXT, (values) => personAt(values, 0).email),
]

/** `empty(x)`. The compiler handles `empty()` itself. */
export const emptyOfValue = takingEmpty(define('empty', [arg.any], BOOLEAN, ([value = null]) => isEmpty(value)))

function toNumber(value: FormulaValue, budget: Budget): number | null {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return Number(value)
  if (typeof value === 'string') budget.readText(value.length)
  if (typeof value === 'string') return DECIMAL.test(value.trim()) ? Number(value) : null
  return isOfKind(value, 'date') ? value.start.milliseconds : null
}
