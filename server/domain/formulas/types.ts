/** The type of an expression, known before any row is. */
export type FormulaType =
  | { readonly kind: 'text' | 'number' | 'boolean' | 'date' | 'person' }
  /** A page of a data source; undefined when it may be one of several. */
  | { readonly kind: 'page'; readonly dataSourceId: string | undefined }
  | { readonly kind: 'list'; readonly element: FormulaType }
  /** Only the value decides: an element of a mixed list, a property that cannot be read. */
  | { readonly kind: 'any' }
  /** The type of `empty()`, which fits every other. */
  | { readonly kind: 'empty' }

/** The kinds of types that values have. */
export type ValueKind = Exclude<FormulaType['kind'], 'any' | 'empty'>

export const TEXT: FormulaType = { kind: 'text' }
export const NUMBER: FormulaType = { kind: 'number' }
export const BOOLEAN: FormulaType = { kind: 'boolean' }
export const DATE: FormulaType = { kind: 'date' }
export const PERSON: FormulaType = { kind: 'person' }
export const ANY: FormulaType = { kind: 'any' }
export const EMPTY: FormulaType = { kind: 'empty' }

/** The type of lists of such elements. */
export function listOf(element: FormulaType): FormulaType {
  return { kind: 'list', element }
}

/** The type of the elements; of what may be a list, any. */
export function elementOf(type: FormulaType | undefined): FormulaType {
  if (type?.kind === 'list') return type.element
  return type?.kind === 'empty' ? EMPTY : ANY
}

/**
 * The one type that values of both types have; undefined when they have none in common. Lists of different elements are lists
 * of any.
 */
export function commonType(a: FormulaType, b: FormulaType): FormulaType | undefined {
  // Types of lists within lists can be deep, and are often the very same one.
  if (a === b || b.kind === 'empty') return a
  if (a.kind === 'empty') return b
  if (a.kind === 'any' || b.kind === 'any') return ANY
  if (a.kind === 'list' && b.kind === 'list') return listOf(commonType(a.element, b.element) ?? ANY)
  if (a.kind === 'page' && b.kind === 'page')
    return a.dataSourceId === b.dataSourceId ? a : { kind: 'page', dataSourceId: undefined }
  return a.kind === b.kind ? a : undefined
}

/** The type of the elements of a list that holds values of all these types. */
export function elementTypeOf(types: readonly FormulaType[]): FormulaType {
  return types.reduce((common, type) => commonType(common, type) ?? ANY, EMPTY)
}

const NAMES: Readonly<Record<FormulaType['kind'], string>> = {
  text: 'Text',
  number: 'Number',
  boolean: 'Boolean',
  date: 'Date',
  person: 'Person',
  page: 'Page',
  list: 'List',
  any: 'a value of any type',
  empty: 'an empty value',
}

/** As messages call it. */
export function nameOfType(type: FormulaType): string {
  return NAMES[type.kind]
}

/** As messages call it. */
export function nameOfKind(kind: ValueKind): string {
  return NAMES[kind]
}

/** The kinds of `formula` values that a type gives; undefined when only the value decides. */
export type ResultType = 'string' | 'number' | 'boolean' | 'date'

/** The member of a `formula` value that results of this type stand under; undefined when the type cannot be determined. */
export function resultTypeOf(type: FormulaType): ResultType | undefined {
  const { kind } = type
  if (kind === 'any' || kind === 'empty') return undefined
  return kind === 'number' || kind === 'boolean' || kind === 'date' ? kind : 'string'
}
