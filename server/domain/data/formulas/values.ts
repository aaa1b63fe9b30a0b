import type { Budget } from './budget.ts'
import type { ValueKind } from './types.ts'

/** The value of an expression. Null is the empty value. */
export type FormulaValue = null | string | number | boolean | FormulaDate | FormulaPerson | FormulaPage | readonly FormulaValue[]

/** A point in time with the offset of a time zone. */
export interface Moment {
  /** Milliseconds since 1970, UTC. A day without a time is represented by midnight UTC. */
  readonly milliseconds: number
  /** The offset of the value's time zone from UTC, in minutes; 0 without a time. */
  readonly offsetMinutes: number
}

/** A day, a moment, or a range of either. */
export interface FormulaDate {
  readonly kind: 'date'
  readonly hasTime: boolean
  readonly start: Moment
  /** Null if the date is not a range. */
  readonly end: Moment | null
}

export interface FormulaPerson {
  readonly kind: 'person'
  readonly id: string
  readonly name: string | null
  /** Null if there is none, or the caller may not see it. */
  readonly email: string | null
}

export interface FormulaPage {
  readonly kind: 'page'
  readonly row: FormulaRow
  /** How many relations were followed from the formula's row to this page. */
  readonly crossed: number
}

/** A row as formulas see it. The code that calls `evaluate` provides rows, and loads them lazily. */
export interface FormulaRow {
  /** The id of the page, with dashes. */
  readonly id: string
  /** The plain text of the title. */
  readonly title: string
  /**
   * The value of a property that is neither a formula nor a relation; `formulaValueOf` converts contract values. A rollup reads
   * its related rows through `reading`, so that they count towards the limits.
   * @throws NotLoaded if the value must be fetched first
   * @throws Unsupported if the value is `unsupported`
   */
  read(propertyId: string, reading: Reading): FormulaValue
  /**
   * The rows of a relation in order, without those that are in the trash or not visible to the caller.
   * @throws NotLoaded if they must be fetched first
   */
  related(propertyId: string): readonly FormulaRow[]
}

/** The state of an evaluation that a row needs to compute a rollup. */
export interface Reading {
  /** Charged for long work. */
  readonly budget: Budget
  /** The value of any property, formulas included, of a related row. Crosses into its data source. */
  readRelated(row: FormulaRow, dataSourceId: string, propertyId: string): FormulaValue
}

/** The kind of a value; undefined for the empty value. */
export function valueKindOf(value: FormulaValue): ValueKind | undefined {
  if (value === null) return undefined
  if (typeof value === 'string') return 'text'
  if (typeof value === 'number') return 'number'
  if (typeof value === 'boolean') return 'boolean'
  return isList(value) ? 'list' : value.kind
}

export interface ValuesByKind {
  text: string
  number: number
  boolean: boolean
  date: FormulaDate
  person: FormulaPerson
  page: FormulaPage
  list: readonly FormulaValue[]
}

export function isOfKind<Kind extends ValueKind>(value: FormulaValue, kind: Kind): value is ValuesByKind[Kind] {
  return valueKindOf(value) === kind
}

export function isList(value: FormulaValue): value is readonly FormulaValue[] {
  return Array.isArray(value)
}

/** Whether `empty(value)` is true: nothing, `""`, `0`, `[]`, `false`. Such a value is falsy as a condition. */
export function isEmpty(value: FormulaValue): boolean {
  return value === null || value === '' || value === 0 || value === false || (isList(value) && value.length === 0)
}

/** Whether a value is truthy as a condition. */
export function isTruthy(value: FormulaValue): boolean {
  return !isEmpty(value)
}

/** The end of a date: its start unless it is a range. */
export function endOf(date: FormulaDate): Moment {
  return date.end ?? date.start
}

/** Implements `==`: values of different types are not equal; lists compare by element, dates by instant, people and pages by id. */
export function areEqual(a: FormulaValue, b: FormulaValue, budget: Budget): boolean {
  budget.spend(1)
  if (typeof a === 'string' && typeof b === 'string') budget.readText(a.length === b.length ? a.length : 0)
  if (a === b) return true
  if (isList(a))
    return isList(b) && a.length === b.length && a.every((element, index) => areEqual(element, b[index] ?? null, budget))
  if (isList(b) || a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false
  return keyOf(a, budget) === keyOf(b, budget)
}

/** A text that two values share exactly if they are equal. */
export function keyOf(value: FormulaValue, budget: Budget): string {
  budget.spend(1)
  if (value === null) return 'e'
  if (typeof value === 'string') return budget.text(`t${value.length}:${value}`)
  if (typeof value === 'number') return `n${value === 0 ? 0 : value};`
  if (typeof value === 'boolean') return value ? 'T' : 'F'
  if (isList(value)) return budget.text(`l${value.length}:${value.map((element) => keyOf(element, budget)).join('')}`)
  if (value.kind === 'date') return `d${value.start.milliseconds}/${endOf(value).milliseconds};`
  return value.kind === 'person' ? `p${value.id};` : `g${value.row.id};`
}

const ORDER_OF_KINDS: readonly ValueKind[] = ['number', 'text', 'boolean', 'date', 'person', 'page', 'list']

/**
 * The order of `sort`: numbers and dates by value, texts by code point, false before true, people by name, pages by title, lists by
 * the first elements that differ. In mixed lists, kinds sort in this order. Empty values come last.
 */
export function compareValues(a: FormulaValue, b: FormulaValue, budget: Budget): number {
  budget.spend(1)
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b, budget)
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b)
  if (isList(a) && isList(b)) return compareLists(a, b, budget)
  const kinds = orderOfKind(a) - orderOfKind(b)
  if (kinds !== 0 || typeof a !== 'object' || typeof b !== 'object' || isList(a) || isList(b)) return kinds
  return compareObjects(a, b, budget)
}

function compareObjects(
  a: FormulaDate | FormulaPerson | FormulaPage,
  b: FormulaDate | FormulaPerson | FormulaPage,
  budget: Budget,
): number {
  if (a.kind === 'date' && b.kind === 'date') {
    return a.start.milliseconds - b.start.milliseconds || endOf(a).milliseconds - endOf(b).milliseconds
  }
  if (a.kind === 'person' && b.kind === 'person') return compareTexts(a.name ?? '', b.name ?? '', budget)
  return a.kind === 'page' && b.kind === 'page' ? compareTexts(a.row.title, b.row.title, budget) : 0
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

/** Compares by code points, which differs from the order of UTF-16 units if a text contains surrogates. */
export function compareTexts(a: string, b: string, budget: Budget): number {
  const length = Math.min(a.length, b.length)
  budget.readText(length)
  for (let index = 0; index < length; index++) {
    const [remaining, right] = [a.charCodeAt(index), b.charCodeAt(index)]
    if (remaining !== right) return rankOfUnit(remaining) - rankOfUnit(right)
  }
  return a.length - b.length
}

/** Gives UTF-16 units the order of code points: surrogates, which encode the highest code points, come last. */
function rankOfUnit(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}
