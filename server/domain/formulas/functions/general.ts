import { formatValue } from '../format.ts'
import { BOOLEAN, NUMBER, TEXT } from '../types.ts'
import { areEqual, holds, isEmpty, isList, kindOf, type FormulaValue } from '../values.ts'
import { pageAt, personAt } from './arguments.ts'
import { anything, optional, page, person, type FunctionDefinition } from './definition.ts'
import { lengthOfText } from './characters.ts'

const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/

export const generalFunctions: readonly FunctionDefinition[] = [
  { name: 'not', group: 'general', parameters: [anything], result: BOOLEAN, takesEmpty: true, apply: ([a = null]) => !holds(a) },
  {
    name: 'equal',
    group: 'general',
    parameters: [anything, anything],
    result: BOOLEAN,
    takesEmpty: true,
    apply: ([a = null, b = null], { budget }) => areEqual(a, b, budget),
  },
  {
    name: 'unequal',
    group: 'general',
    parameters: [anything, anything],
    result: BOOLEAN,
    takesEmpty: true,
    apply: ([a = null, b = null], { budget }) => !areEqual(a, b, budget),
  },
  {
    name: 'length',
    group: 'general',
    parameters: [{ kinds: ['text', 'list'] }],
    result: NUMBER,
    apply: ([value = null], { budget }) => {
      if (isList(value)) return value.length
      return typeof value === 'string' ? lengthOfText(value, budget) : null
    },
  },
  {
    name: 'format',
    group: 'general',
    parameters: [anything],
    result: TEXT,
    takesEmpty: true,
    apply: ([value = null], { budget }) => formatValue(value, budget),
  },
  {
    name: 'toNumber',
    group: 'general',
    parameters: [{ kinds: ['text', 'number', 'boolean', 'date'] }],
    result: NUMBER,
    apply: ([value = null]) => toNumber(value),
  },
  {
    name: 'id',
    group: 'general',
    parameters: [optional(page)],
    result: TEXT,
    apply: (values, frame) => (values.length === 0 ? frame.row.id : pageAt(values, 0).row.id),
  },
  { name: 'name', group: 'general', parameters: [person], result: TEXT, apply: (values) => personAt(values, 0).name },
  { name: 'email', group: 'general', parameters: [person], result: TEXT, apply: (values) => personAt(values, 0).email },
]

/** `empty(x)`: the compiler has one of its own for `empty()`. */
export const emptyOfValue: FunctionDefinition = {
  name: 'empty',
  group: 'general',
  parameters: [anything],
  result: BOOLEAN,
  takesEmpty: true,
  apply: ([value = null]) => isEmpty(value),
}

function toNumber(value: FormulaValue): number | null {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return Number(value)
  if (typeof value === 'string') return DECIMAL.test(value.trim()) ? Number(value) : null
  if (value !== null && !isList(value) && kindOf(value) === 'date' && value.kind === 'date') return value.start.milliseconds
  return null
}
