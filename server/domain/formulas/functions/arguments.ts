import { isList, type FormulaDate, type FormulaPage, type FormulaPerson, type FormulaValue } from '../values.ts'

// The compiler has checked the kinds of arguments, and the caller of `apply` those that are not known statically.

function unfit(kind: string): TypeError {
  return new TypeError(`an argument is no ${kind}`)
}

/** The text at this place of the arguments. */
export function textAt(values: readonly FormulaValue[], index: number): string {
  const value = values[index]
  if (typeof value !== 'string') throw unfit('text')
  return value
}

/** The number at this place of the arguments. */
export function numberAt(values: readonly FormulaValue[], index: number): number {
  const value = values[index]
  if (typeof value !== 'number') throw unfit('number')
  return value
}

/** The number at this place of the arguments, if there is one. */
export function optionalNumberAt(values: readonly FormulaValue[], index: number): number | undefined {
  return index < values.length ? numberAt(values, index) : undefined
}

/** The list at this place of the arguments. */
export function listAt(values: readonly FormulaValue[], index: number): readonly FormulaValue[] {
  const value = values[index] ?? null
  if (!isList(value)) throw unfit('list')
  return value
}

/** The date at this place of the arguments. */
export function dateAt(values: readonly FormulaValue[], index: number): FormulaDate {
  return objectAt(values, index, 'date')
}

/** The person at this place of the arguments. */
export function personAt(values: readonly FormulaValue[], index: number): FormulaPerson {
  return objectAt(values, index, 'person')
}

/** The page at this place of the arguments. */
export function pageAt(values: readonly FormulaValue[], index: number): FormulaPage {
  return objectAt(values, index, 'page')
}

type Objects = FormulaDate | FormulaPage | FormulaPerson

function objectAt<Kind extends Objects['kind']>(
  values: readonly FormulaValue[],
  index: number,
  kind: Kind,
): Extract<Objects, { kind: Kind }> {
  const value = values[index] ?? null
  if (typeof value === 'object' && value !== null && !isList(value) && hasKind(value, kind)) return value
  throw unfit(kind)
}

function hasKind<Kind extends Objects['kind']>(value: Objects, kind: Kind): value is Extract<Objects, { kind: Kind }> {
  return value.kind === kind
}
