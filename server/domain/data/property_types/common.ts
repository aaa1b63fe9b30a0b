import type { Row } from '../rows/row.ts'

/** Facets of a column type without settings. */
export const WITHOUT_SETTINGS = {
  count: 'any',
  isAddable: true,
  settings: { create: () => ({}), change: () => ({}) },
  present: () => ({}),
  sources: 'none',
  options: 'none',
} as const

/** Facets of a value that requests write and that is stored in the document of the row. */
export const WRITABLE = {
  stored: ({ values }: Row, id: string): unknown => values[id],
  initial: 'none',
  isCopiedFromTemplate: true,
  transfer: 'unchanged',
  references: 'none',
  extraMembers: 'none',
} as const

/** Facets of a value that the service sets. */
export const SET_BY_SERVICE = {
  ...WRITABLE,
  write: 'by the service',
  isCopiedFromTemplate: false,
  transfer: 'none',
  keys: 'none',
} as const

/** For values that cannot be converted to or from text. */
export const NOT_CONVERTIBLE = { toText: 'none', fromText: 'none', lookups: 'none' } as const

/** For values that formulas cannot read. */
export const NOT_IN_FORMULAS = { type: 'none', value: 'none', describe: 'none' } as const

/** For types whose filter conditions use the type's name as their key and do not compare ids. */
export const OWN_KEY = { keys: 'own', operands: 'others' } as const

/** For values that rollups treat as a single element, and compare and sort as `toPlain` returns them. */
export const BY_PLAIN_VALUE = {
  isEmpty: 'by plain value',
  identity: 'by plain value',
  elements: 'whole',
  sort: 'by plain value',
} as const

/** For types that views can use only as a column. */
export const COLUMN_ONLY = {
  setting: 'none',
  group: 'none',
  grouping: {},
  defaults: { board: 'never', calendar: 'never', chart: 'never' },
} as const

/** The stored value of a list; undefined, which is no value, for an empty list. */
export function listOrNothing<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list
}
