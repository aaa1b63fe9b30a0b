import type { Budget } from './budget.ts'
import { formatMoment } from './format_moment.ts'
import { isList, type FormulaDate, type FormulaValue } from './values.ts'

/** The text of any value, as returned by `format`; `""` for the empty value. */
export function formatValue(value: FormulaValue, budget: Budget): string {
  budget.spend(1)
  if (value === null) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'number') return decimalText(value)
  if (typeof value === 'boolean') return String(value)
  if (isList(value)) return joinValues(value, ', ', budget)
  if (value.kind === 'date') return formatDateValue(value)
  return value.kind === 'person' ? (value.name ?? '') : value.row.title
}

export function joinValues(list: readonly FormulaValue[], separator: string, budget: Budget): string {
  const texts = list.map((element) => formatValue(element, budget))
  const length = texts.reduce((sum, text) => sum + text.length, 0) + separator.length * Math.max(0, texts.length - 1)
  budget.reserveText(length)
  return texts.join(separator)
}

function formatDateValue(date: FormulaDate): string {
  const pattern = date.hasTime ? 'MMMM D, YYYY HH:mm' : 'MMMM D, YYYY'
  const start = formatMoment(date.start, pattern)
  return date.end === null ? start : `${start} → ${formatMoment(date.end, pattern)}`
}

/** The shortest decimal text that parses to the same number, without an exponent. */
export function decimalText(value: number): string {
  const text = String(value === 0 ? 0 : value)
  const [, sign = '', whole = '', fraction = '', exponent] = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? []
  if (exponent === undefined) return text
  const point = whole.length + Number(exponent)
  const digits = whole + fraction
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  return `${sign}${digits.padEnd(point, '0')}`
}
