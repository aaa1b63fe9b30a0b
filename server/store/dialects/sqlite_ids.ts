import type { SQLInputValue, SQLOutputValue } from 'node:sqlite'
import type { SqlValue } from '../sql.ts'

/**
 * Columns with searchable text.
 * In SQLite, ids are stored as their 16 bytes, which take less than half the space of their 36 characters and sort in the same way. The
 * rest of the store handles ids as text: a parameter in the form of an id becomes bytes here, and 16 bytes in a row become an id, in any
 * column. Texts that look like ids, such as some keys of jobs, are therefore found by ids. The columns listed here are exempt, and so are
 * parameters that the statement casts to text.
 */
const SEARCHED: Readonly<Record<string, readonly string[]>> = { cells: ['text'], sessions: ['title_key'] }

/** The declared type of columns of ids. The word `blob` makes the engine store values unchanged. */
export const ID_TYPE = 'uuid blob'

/** Whether the texts of a column are searched. */
export function isSearched(table: string, column: string): boolean {
  return SEARCHED[table]?.includes(column) ?? false
}

const BYTES = 16
const LENGTH = 36
const DASH = 45
/** The offsets of the pairs of digits in an id. */
const PAIRS = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34] as const
const NO_DIGIT = 0xff

/** The values of hexadecimal digits by their character codes. The digits of ids are in lower case. */
const digits = new Uint8Array(0x80).fill(NO_DIGIT)
for (let value = 0; value < 16; value += 1) digits[value.toString(16).charCodeAt(0)] = value

/**
 * The bytes of an id; undefined if the text does not have exactly the form of an id. The code is written out because it runs for most
 * parameters.
 */
function bytesOf(text: string): Uint8Array | undefined {
  if (text.charCodeAt(8) !== DASH || text.charCodeAt(13) !== DASH) return undefined
  if (text.charCodeAt(18) !== DASH || text.charCodeAt(23) !== DASH) return undefined
  const bytes = Buffer.allocUnsafe(BYTES)
  for (let index = 0; index < BYTES; index += 1) {
    const at = PAIRS[index] ?? 0
    const high = digits[text.charCodeAt(at)] ?? NO_DIGIT
    const low = digits[text.charCodeAt(at + 1)] ?? NO_DIGIT
    if (high === NO_DIGIT || low === NO_DIGIT) return undefined
    bytes[index] = (high << 4) | low
  }
  return bytes
}

/** The stored form of a parameter. */
export function storedValue(value: SqlValue): SQLInputValue {
  return typeof value === 'string' && value.length === LENGTH ? (bytesOf(value) ?? value) : value
}

/** The id for 16 bytes. Any other value is returned unchanged. */
export function valueOf(stored: SQLOutputValue): SQLOutputValue {
  if (typeof stored !== 'object' || stored === null || stored.length !== BYTES) return stored
  return idOfHex(Buffer.from(stored.buffer, stored.byteOffset, BYTES).toString('hex'))
}

/** The id for digits that SQLite has written, which are in capitals; null for an empty text, which SQLite writes for null. */
export function idOfHex(digits: SQLOutputValue): string | null {
  if (typeof digits !== 'string' || digits === '') return null
  const hex = digits.toLowerCase()
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** The positions of the parameters that a statement casts to text. */
export function textParameters(sql: string): readonly number[] {
  const before = sql.split(/cast\(\?\s+as\s+text\)/i).slice(0, -1)
  let count = 0
  return before.map((part) => {
    count += part.split('?').length
    return count - 1
  })
}

/** SQL that converts a text column to its stored form: ids become bytes. */
export function storedColumn(column: string): string {
  const form = PAIRS.map((at) => `${[9, 14, 19, 24].includes(at) ? '-' : ''}[0-9a-f][0-9a-f]`).join('')
  return `case when length(${column}) = ${LENGTH} and ${column} glob '${form}' then unhex(${column}, '-') else ${column} end`
}
