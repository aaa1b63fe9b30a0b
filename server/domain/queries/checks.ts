import type { DateValue } from '../../../generated/types.ts'
import type { Bound } from '../../store/row_tests.ts'

/** Whether there is a value at all. */
export interface ExistenceCheck {
  readonly kind: 'empty' | 'present'
}

interface TextComparison {
  readonly kind: 'text'
  readonly comparison: 'equals' | 'contains' | 'starts' | 'ends'
  readonly operand: string
  /** What is asked for is the opposite, which an empty value meets. */
  readonly negated: boolean
}

/** Of a number, or of a date by the milliseconds of its start. */
interface NumberComparison {
  readonly kind: 'number'
  readonly bounds: readonly Bound[]
  readonly negated: boolean
}

/** One of the elements is one of these. */
export interface ListComparison {
  readonly kind: 'list'
  readonly keys: readonly string[]
  readonly negated: boolean
}

export type Check = ExistenceCheck | TextComparison | NumberComparison | ListComparison

/** A value as conditions and sums take it: a list is one of ids or names, a date counts by its start. Null where there is none. */
export type PlainValue = null | string | number | boolean | DateValue | readonly string[]

/** Whether a value is what a condition asks for. */
export function holds(check: Check, value: PlainValue): boolean {
  switch (check.kind) {
    case 'empty':
    case 'present':
      return isNothing(value) === (check.kind === 'empty')
    case 'text':
      return compareText(check, typeof value === 'string' ? value : '') !== check.negated
    case 'number': {
      const number = numberOf(value)
      return (number !== null && check.bounds.every((bound) => isWithin(bound, number))) !== check.negated
    }
    case 'list':
      return check.keys.some((key) => Array.isArray(value) && value.includes(key)) !== check.negated
  }
}

/** A box that is not checked counts as nothing. */
function isNothing(value: PlainValue): boolean {
  return value === null || value === '' || value === false || (Array.isArray(value) && value.length === 0)
}

function numberOf(value: PlainValue): number | null {
  if (typeof value === 'number') return value
  return isDate(value) ? Date.parse(value.start) : null
}

export function isDate(value: PlainValue): value is DateValue {
  return typeof value === 'object' && value !== null && 'start' in value
}

function compareText({ comparison, operand }: TextComparison, text: string): boolean {
  const [lower, wanted] = [text.toLowerCase(), operand.toLowerCase()]
  switch (comparison) {
    case 'equals':
      return text === operand
    case 'contains':
      return lower.includes(wanted)
    case 'starts':
      return lower.startsWith(wanted)
    case 'ends':
      return lower.endsWith(wanted)
  }
}

export function isWithin({ operator, value: limit }: Bound, value: number): boolean {
  switch (operator) {
    case '=':
      return value === limit
    case '<':
      return value < limit
    case '<=':
      return value <= limit
    case '>':
      return value > limit
    case '>=':
      return value >= limit
  }
}
