import type { Row } from '../rows/row.ts'

/** The columns of a type without settings. */
export const BARE = {
  count: 'any',
  comes: 'any time',
  settled: { create: () => ({}), change: () => ({}) },
  present: () => ({}),
  sources: 'none',
  options: 'none',
} as const

/** A value that requests write into the document of the row. */
export const WRITTEN = {
  stored: ({ values }: Row, id: string): unknown => values[id],
  initial: 'none',
  template: 'gives',
  carry: 'as it is',
  refers: 'to nothing',
  beside: 'nothing',
} as const

/** A value that the service makes. */
export const MADE = { ...WRITTEN, write: 'by the service', template: 'keeps', carry: 'none', keys: 'none' } as const

/** Becomes no text, and comes from none. */
export const UNCONVERTED = { toText: 'none', fromText: 'none', asks: 'nothing' } as const

/** What formulas cannot name. */
export const UNREAD = { type: 'none', value: 'none', describe: 'nothing' } as const

/** Conditions under the key of the type, which compare with anything but ids. */
export const OWN_KEY = { keys: 'own', operands: 'others' } as const

/** An entry of one value, which is what it reads as. */
export const AS_READ = { isEmpty: 'as read', identity: 'as read', elements: 'whole', sort: 'as read' } as const

/** In no part of views but lists of columns. */
export const NO_PART = {
  part: 'none',
  group: 'none',
  grouping: {},
  defaults: { board: 'never', calendar: 'never', chart: 'never' },
} as const

/** A list that is empty is no value. */
export function listOrNothing<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list
}
