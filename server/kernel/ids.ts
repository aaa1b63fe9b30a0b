import { randomUUID } from 'node:crypto'

/** Mints the id of a new record: UUIDv4, lower case, dashed. */
export function newId(): string {
  return randomUUID()
}

/**
 * Mints ids of records that are written together: UUIDv4s that begin with the same eight random digits. They lie side by side in an
 * index, so that few pages of it change, however large it has grown.
 */
export function idsTogether(): () => string {
  const start = randomUUID().slice(0, 8)
  return () => start + randomUUID().slice(8)
}

const CANONICAL_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Brings an id that the contract has already accepted (32 hex digits, dashes optional, any case) into the one stored form.
 * @throws RangeError for any other text: a caller that passes unchecked input has a bug.
 */
export function canonicalId(text: string): string {
  if (CANONICAL_ID.test(text)) return text
  const hex = text.replaceAll('-', '').toLowerCase()
  if (!/^[0-9a-f]{32}$/.test(hex)) throw new RangeError('not an id')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

const ID = /^[0-9a-f]{32}$|^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The stored form of the id that a text is; undefined for any other text. */
export function idIn(text: string): string | undefined {
  return ID.test(text) ? canonicalId(text) : undefined
}

/** An id in its stored form; a text that is none as it is. */
export function oneSpelling(text: string): string {
  return idIn(text) ?? text
}

/** The id without dashes, as links carry it. */
export function undashed(id: string): string {
  return id.replaceAll('-', '')
}
