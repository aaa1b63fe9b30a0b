import { JSON_BODY_BYTES_MAX } from '../../kernel/json_body_limit.ts'
import { isDeeperThan } from '../../kernel/is_deeper_than.ts'
import { Measured, type Form, type Mismatch } from './form.ts'

/**
 * The maximum size of a cell, in bytes of UTF-8. A request stores its body plus the names of a few more members, which are shorter than
 * those they replace; the longest rich text has 100 pieces of 2,000 characters, each of which JSON may escape with six bytes.
 */
export const CELL_BYTES_MAX = 4 * JSON_BODY_BYTES_MAX
/**
 * Columns that may hold a multiple of it: many requests add to the values of a row, and responses also contain defaults and the names of
 * mentioned records.
 */
const FACTORS: ReadonlyMap<string, number> = new Map([
  ['async_tasks.result', 8],
  ['idempotency_keys.body', 8],
  ['pages.row_values', 4],
])

/**
 * The most that requests may store as the values of a row, in bytes of JSON: twice the size of one request, because a response has a
 * hundred rows. Links from other rows add to it.
 */
export const ROW_VALUES_BYTES_MAX = 2 * JSON_BODY_BYTES_MAX

/** Twice the depth of a request. */
export const CELL_LEVELS_MAX = 128

const BYTES_PER_UNIT_MAX = 3

/**
 * A form for texts of at most as many bytes as a column holds.
 * @param location of the column: `blocks.content`
 */
export function withinCell(place: string, form: Form): Form {
  const bytesMax = CELL_BYTES_MAX * (FACTORS.get(place) ?? 1)
  return (value) => {
    const mismatch = form(value)
    if (mismatch || typeof value !== 'string' || value.length * BYTES_PER_UNIT_MAX <= bytesMax) return mismatch
    const bytes = Buffer.byteLength(value)
    return bytes <= bytesMax
      ? undefined
      : { path: '', expected: `a text of up to ${bytesMax} bytes`, found: new Measured(`${bytes} bytes`) }
  }
}

/** JSON so deep that recursive programs would exhaust their stack. */
export function nestingMismatch(value: unknown): Mismatch | undefined {
  return isDeeperThan(value, CELL_LEVELS_MAX)
    ? { path: '', expected: `up to ${CELL_LEVELS_MAX} levels of lists and objects`, found: new Measured('more') }
    : undefined
}
