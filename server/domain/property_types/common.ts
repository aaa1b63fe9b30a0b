import type { Row } from '../rows/row.ts'

/** Facets of a column type without settings. */
export const BARE = {
  count: 'any',
  comes: 'any time',
  settled: { create: () => ({}), change: () => ({}) },
  present: () => ({}),
  sources: 'none',
  options: 'none',
} as const

/** Facets of a value that requests write and that is stored in the document of the row. */
export const WRITTEN = {
  stored: ({ values }: Row, id: string): unknown => values[id],
  initial: 'none',
  template: 'gives',
  carry: 'as it is',
  refers: 'to nothing',
  beside: 'nothing',
} as const

/** Facets of a value that the service sets. */
export const MADE = { ...WRITTEN, write: 'by the service', template: 'keeps', carry: 'none', keys: 'none' } as const

/** Cannot be converted to or from text. */
export const UNCONVERTED = { toText: 'none', fromText: 'none', asks: 'nothing' } as const

/** Cannot be used in formulas. */
export const UNREAD = { type: 'none', value: 'none', describe: 'nothing' } as const

/** Conditions use the type name as their key and do not compare ids. */
export const OWN_KEY = { keys: 'own', operands: 'others' } as const

/** A rollup entry with a single value, used as `read` returns it. */
export const AS_READ = { isEmpty: 'as read', identity: 'as read', elements: 'whole', sort: 'as read' } as const

/** Usable in views only as a column. */
export const NO_PART = {
  part: 'none',
  group: 'none',
  grouping: {},
  defaults: { board: 'never', calendar: 'never', chart: 'never' },
} as const

/** Stores an empty list as no value. */
export function listOrNothing<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list
}
