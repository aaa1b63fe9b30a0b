import type { Bound } from '../../store/row_tests.ts'

/** Whether there is a value at all. */
export interface ExistenceCheck {
  readonly kind: 'empty' | 'present'
}

export interface TextComparison {
  readonly kind: 'text'
  readonly comparison: 'equals' | 'contains' | 'starts' | 'ends'
  readonly operand: string
  /** What is asked for is the opposite, which an empty value meets. */
  readonly negated: boolean
}

/** Of a number, or of a date by the milliseconds of its start. */
export interface NumberComparison {
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

export type TextCheck = ExistenceCheck | TextComparison
export type NumberCheck = ExistenceCheck | NumberComparison
export type ListCheck = ExistenceCheck | ListComparison

/** @param text empty where there is none */
export function textHolds(check: TextCheck, text: string): boolean {
  if (check.kind !== 'text') return (text === '') === (check.kind === 'empty')
  return compareText(check, text) !== check.negated
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

/** @param value null where there is none */
export function numberHolds(check: NumberCheck, value: number | null): boolean {
  if (check.kind !== 'number') return (value === null) === (check.kind === 'empty')
  return (value !== null && check.bounds.every((bound) => isWithin(bound, value))) !== check.negated
}

function isWithin({ operator, value: limit }: Bound, value: number): boolean {
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

export function listHolds(check: ListCheck, elements: readonly string[]): boolean {
  if (check.kind !== 'list') return (elements.length === 0) === (check.kind === 'empty')
  return check.keys.some((key) => elements.includes(key)) !== check.negated
}
