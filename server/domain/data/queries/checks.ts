import type { DateValue } from '../../../../generated/types.ts'
import type { Bound } from '../../../store/row_tests.ts'

/** Checks whether there is a value at all. */
export interface ExistenceCheck {
  readonly kind: 'empty' | 'present'
}

interface TextComparison {
  readonly kind: 'text'
  readonly comparison: 'equals' | 'contains' | 'starts' | 'ends'
  readonly operand: string
  /** Whether the comparison is negated. A negated comparison holds for an empty value. */
  readonly negated: boolean
}

/** Compares a number, or the start of a date in milliseconds. */
interface NumberComparison {
  readonly kind: 'number'
  readonly bounds: readonly Bound[]
  readonly negated: boolean
}

/** Checks whether at least one element of the list is among the keys. */
export interface ListComparison {
  readonly kind: 'list'
  readonly keys: readonly string[]
  readonly negated: boolean
}

export type ValueCheck = ExistenceCheck | TextComparison | NumberComparison | ListComparison

/** A value in the form that conditions and rollups use: lists hold ids or names, dates compare by their start, null means no value. */
export type PlainValue = null | string | number | boolean | DateValue | readonly string[]

export function holds(check: ValueCheck, value: PlainValue): boolean {
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

/** Whether a value counts as empty. An unchecked checkbox does. */
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
  if (comparison === 'equals') return text === operand
  const [lower, wanted] = [text.toLowerCase(), operand.toLowerCase()]
  if (comparison === 'contains') return lower.includes(wanted)
  return comparison === 'starts' ? lower.startsWith(wanted) : lower.endsWith(wanted)
}

const COMPARE: Readonly<Record<Bound['operator'], (value: number, limit: number) => boolean>> = {
  '=': (value, limit) => value === limit,
  '<': (value, limit) => value < limit,
  '<=': (value, limit) => value <= limit,
  '>': (value, limit) => value > limit,
  '>=': (value, limit) => value >= limit,
}

export function isWithin({ operator, value: limit }: Bound, value: number): boolean {
  return COMPARE[operator](value, limit)
}
