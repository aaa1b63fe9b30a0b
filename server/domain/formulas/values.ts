import type { Budget } from './budget.ts'
import type { ValueKind } from './types.ts'

/** What an expression gives. Null is the empty value. */
export type FormulaValue = null | string | number | boolean | FormulaDate | FormulaPerson | FormulaPage | readonly FormulaValue[]

/** A point in time as people of one place see it. */
export interface Moment {
  /** Since 1970, UTC. A day without a time is its midnight in UTC. */
  readonly milliseconds: number
  /** Minutes that the clocks of the value's time zone are ahead of UTC; 0 without a time. */
  readonly offsetMinutes: number
}

/** A day, a moment, or a range of either. */
export interface FormulaDate {
  readonly kind: 'date'
  readonly hasTime: boolean
  readonly start: Moment
  /** Null: not a range. */
  readonly end: Moment | null
}

export interface FormulaPerson {
  readonly kind: 'person'
  readonly id: string
  readonly name: string | null
  /** Null too where the caller may not see it. */
  readonly email: string | null
}

export interface FormulaPage {
  readonly kind: 'page'
  readonly row: FormulaRow
  /** Relations followed from the row of the formula to this page. */
  readonly crossed: number
}

/**
 * One row as formulas see it. The caller makes it; nothing is read before a formula asks for it.
 */
export interface FormulaRow {
  /** Id of the page, with dashes. */
  readonly id: string
  /** Plain text of its title. */
  readonly title: string
  /**
   * The value of a property that is neither a formula nor a relation; `formulaValueOf` turns a contract value into one. A rollup
   * reads its related rows through `reading`, so that they count towards the limits.
   * @throws NotLoaded when the value must be fetched first
   * @throws Unsupported when the value is `unsupported`
   */
  read(propertyId: string, reading: Reading): FormulaValue
  /**
   * The rows of a relation, in its order, without those in the trash and those that the caller may not see.
   * @throws NotLoaded when they must be fetched first
   */
  related(propertyId: string): readonly FormulaRow[]
}

/** What a row may ask of the evaluation while it computes a rollup. */
export interface Reading {
  /** Pays for long work. */
  readonly budget: Budget
  /** The value of a property, formulas included, of a related row: crosses into its data source. */
  readRelated(row: FormulaRow, dataSourceId: string, propertyId: string): FormulaValue
}

/** The kind of a value; undefined for the empty one. */
export function valueKindOf(value: FormulaValue): ValueKind | undefined {
  if (value === null) return undefined
  if (typeof value === 'string') return 'text'
  if (typeof value === 'number') return 'number'
  if (typeof value === 'boolean') return 'boolean'
  return isList(value) ? 'list' : value.kind
}

export function isList(value: FormulaValue): value is readonly FormulaValue[] {
  return Array.isArray(value)
}

/** Whether `empty(value)` is true: nothing, `""`, `0`, `[]`, `false`. As a condition, such a value does not hold. */
export function isEmpty(value: FormulaValue): boolean {
  return value === null || value === '' || value === 0 || value === false || (isList(value) && value.length === 0)
}

/** Whether a value isTruthy as a condition. */
export function isTruthy(value: FormulaValue): boolean {
  return !isEmpty(value)
}

/** The moment at which a date ends: its start, unless it is a range. */
export function endOf(date: FormulaDate): Moment {
  return date.end ?? date.start
}

/** `==`: of different types false; lists element by element; dates by their instants; people and pages by their ids. */
export function areEqual(a: FormulaValue, b: FormulaValue, budget: Budget): boolean {
  budget.spend(1)
  if (a === b) return true
  if (isList(a))
    return isList(b) && a.length === b.length && a.every((element, index) => areEqual(element, b[index] ?? null, budget))
  if (isList(b) || a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false
  return keyOf(a, budget) === keyOf(b, budget)
}

/** A text that equal values share, and no others. */
export function keyOf(value: FormulaValue, budget: Budget): string {
  budget.spend(1)
  if (value === null) return 'e'
  if (typeof value === 'string') return `t${value.length}:${value}`
  if (typeof value === 'number') return `n${value === 0 ? 0 : value};`
  if (typeof value === 'boolean') return value ? 'T' : 'F'
  if (isList(value)) return budget.text(`l${value.length}:${value.map((element) => keyOf(element, budget)).join('')}`)
  if (value.kind === 'date') return `d${value.start.milliseconds}/${endOf(value).milliseconds};`
  return value.kind === 'person' ? `p${value.id};` : `g${value.row.id};`
}

const ORDER_OF_KINDS: readonly ValueKind[] = ['number', 'text', 'boolean', 'date', 'person', 'page', 'list']

/**
 * The order of `sort`: numbers and dates by size, texts by code points, false before true, people by name, pages by title, lists
 * by their first elements that differ; of mixed lists, the kinds in this order. Empties come last.
 */
export function compareValues(a: FormulaValue, b: FormulaValue, budget: Budget): number {
  budget.spend(1)
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b)
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b)
  if (isList(a) && isList(b)) return compareLists(a, b, budget)
  const kinds = orderOfKind(a) - orderOfKind(b)
  if (kinds !== 0 || typeof a !== 'object' || typeof b !== 'object' || isList(a) || isList(b)) return kinds
  return compareObjects(a, b)
}

function compareObjects(a: FormulaDate | FormulaPerson | FormulaPage, b: FormulaDate | FormulaPerson | FormulaPage): number {
  if (a.kind === 'date' && b.kind === 'date') {
    return a.start.milliseconds - b.start.milliseconds || endOf(a).milliseconds - endOf(b).milliseconds
  }
  if (a.kind === 'person' && b.kind === 'person') return compareTexts(a.name ?? '', b.name ?? '')
  return a.kind === 'page' && b.kind === 'page' ? compareTexts(a.row.title, b.row.title) : 0
}

function orderOfKind(value: FormulaValue): number {
  return ORDER_OF_KINDS.findIndex((kind) => kind === valueKindOf(value))
}

function compareLists(a: readonly FormulaValue[], b: readonly FormulaValue[], budget: Budget): number {
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const order = compareValues(a[index] ?? null, b[index] ?? null, budget)
    if (order !== 0) return order
  }
  return a.length - b.length
}

/** By code points, which differs from the order of UTF-16 units where a text isTruthy surrogates. */
export function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const [left, right] = [a.charCodeAt(index), b.charCodeAt(index)]
    if (left !== right) return rankOfUnit(left) - rankOfUnit(right)
  }
  return a.length - b.length
}

/** Surrogates stand for code points above all others. */
function rankOfUnit(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}
