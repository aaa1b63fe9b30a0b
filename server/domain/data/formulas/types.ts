/** The static type of an expression. */
export type FormulaType =
  | { readonly kind: 'text' | 'number' | 'boolean' | 'date' | 'person' }
  /** A page of a data source; undefined if there are several candidates. */
  | { readonly kind: 'page'; readonly dataSourceId: string | undefined }
  | { readonly kind: 'list'; readonly element: FormulaType }
  /** The type is known only at run time: an element of a mixed list, or a property that cannot be read. */
  | { readonly kind: 'any' }
  /** The type of `empty()`, which is compatible with every other. */
  | { readonly kind: 'empty' }

export type ValueKind = Exclude<FormulaType['kind'], 'any' | 'empty'>

export const TEXT: FormulaType = { kind: 'text' }
export const NUMBER: FormulaType = { kind: 'number' }
export const BOOLEAN: FormulaType = { kind: 'boolean' }
export const DATE: FormulaType = { kind: 'date' }
export const PERSON: FormulaType = { kind: 'person' }
export const ANY: FormulaType = { kind: 'any' }
export const EMPTY: FormulaType = { kind: 'empty' }

export function listOf(element: FormulaType): FormulaType {
  return { kind: 'list', element }
}

/** The element type of a list; `any` if the type is not known to be a list. */
export function elementOf(type: FormulaType | undefined): FormulaType {
  if (type?.kind === 'list') return type.element
  return type?.kind === 'empty' ? EMPTY : ANY
}

/** The common type of two types; undefined if there is none. The common type of lists with different elements is a list of `any`. */
export function commonType(a: FormulaType, b: FormulaType): FormulaType | undefined {
  // Types of nested lists can be deep, and are often the same object.
  if (a === b || b.kind === 'empty') return a
  if (a.kind === 'empty') return b
  if (a.kind === 'any' || b.kind === 'any') return ANY
  if (a.kind === 'list' && b.kind === 'list') return listOf(commonType(a.element, b.element) ?? ANY)
  if (a.kind === 'page' && b.kind === 'page')
    return a.dataSourceId === b.dataSourceId ? a : { kind: 'page', dataSourceId: undefined }
  return a.kind === b.kind ? a : undefined
}

/** The element type of a list that contains values of these types. */
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

/** The name of a type, or of a kind of values, in messages. */
export function nameOfType({ kind }: Pick<FormulaType, 'kind'>): string {
  return NAMES[kind]
}

/** The types of `formula` values in responses. */
export type ResultType = 'string' | 'number' | 'boolean' | 'date'

/** The member of a `formula` value for results of a type; undefined if the type cannot be determined. */
export function resultTypeOf(type: FormulaType): ResultType | undefined {
  const { kind } = type
  if (kind === 'any' || kind === 'empty') return undefined
  return kind === 'number' || kind === 'boolean' || kind === 'date' ? kind : 'string'
}
