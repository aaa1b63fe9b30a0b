import { AsyncLocalStorage } from 'node:async_hooks'
import { random } from './random.ts'

/** A new id: UUIDv4, lower case, with dashes. */
export function newId(): string {
  return random.uuid()
}

/**
 * Makes ids for records that are written together: UUIDv4s with the same eight random leading digits. They are adjacent in an index, so
 * that only few pages of the index change, however large it is.
 */
export function idsTogether(): () => string {
  const start = newId().slice(0, 8)
  return () => start + newId().slice(8)
}

/** The kinds of records whose ids a copy can keep. Pages count as blocks. */
export type ChosenKind = 'block' | 'comment' | 'custom_emoji' | 'data_source' | 'database' | 'discussion' | 'view'

/** Ids for the next records of each kind, in the order of their creation. */
export type ChosenIds = Readonly<Partial<Record<ChosenKind, readonly string[]>>>

const chosen = new AsyncLocalStorage<Partial<Record<ChosenKind, Iterator<string>>>>()

/** Runs work whose new records get the chosen ids until these are used up. */
export function withChosenIds<T>(ids: ChosenIds, work: () => T): T {
  return chosen.run(Object.fromEntries(Object.entries(ids).map(([kind, list]) => [kind, list.values()])), work)
}

/**
 * The id of a new record.
 * @param make creates an id if none was chosen
 */
export function newRecordId(kind: ChosenKind, make: () => string = newId): string {
  return chosen.getStore()?.[kind]?.next().value ?? make()
}

const CANONICAL_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Converts an id that the contract has accepted (32 hex digits, dashes optional, any case) to its stored form.
 * @throws RangeError for any other text: passing unchecked input is a bug.
 */
export function canonicalId(text: string): string {
  if (CANONICAL_ID.test(text)) return text
  const hex = text.replaceAll('-', '').toLowerCase()
  if (!/^[0-9a-f]{32}$/.test(hex)) throw new RangeError('not an id')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

const ID = /^[0-9a-f]{32}$|^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The stored form of an id; undefined if the text is not an id. */
export function idIn(text: string): string | undefined {
  return ID.test(text) ? canonicalId(text) : undefined
}

/** The stored form of an id; any other text unchanged. */
export function oneSpelling(text: string): string {
  return idIn(text) ?? text
}

/** The id without dashes, as in links. */
export function undashed(id: string): string {
  return id.replaceAll('-', '')
}

export function idsOf(records: readonly { readonly id: string }[]): string[] {
  return records.map(({ id }) => id)
}
