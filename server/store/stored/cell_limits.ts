import { JSON_BODY_BYTES_MAX } from '../../kernel/json_body_limit.ts'
import { isDeeperThan } from '../../kernel/is_deeper_than.ts'
import { Measured, type Form, type Mismatch } from './form.ts'

/**
 * The maximum size of a cell, in bytes of UTF-8. A request stores its body, with the names of a few more members, which are shorter than
 * what they replace. The longest rich text has 100 pieces of 2,000 characters, and JSON may need six bytes for each character.
 */
export const CELL_BYTES_MAX = 4 * JSON_BODY_BYTES_MAX
/**
 * Columns that may contain a multiple of the maximum size: many requests add to the values of a row, and stored responses contain defaults
 * and the names of mentioned records.
 */
const FACTORS: ReadonlyMap<string, number> = new Map([
  ['async_tasks.result', 8],
  ['idempotency_keys.body', 8],
  ['pages.row_values', 4],
])

/**
 * The maximum size of the values that requests store for a row, in bytes of JSON. It is only twice the size of one request, because a
 * response contains a hundred rows. Links from other rows come on top.
 */
export const ROW_VALUES_BYTES_MAX = 2 * JSON_BODY_BYTES_MAX

/** The maximum depth of JSON in a cell: twice that of a request. */
export const CELL_LEVELS_MAX = 128

const BYTES_PER_UNIT_MAX = 3

/**
 * Restricts a form to texts that are not longer than a column may contain.
 * @param place the table and the column, for example `blocks.content`
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

/** A mismatch if JSON is nested so deeply that recursive programs would exhaust their stack. */
export function nestingMismatch(value: unknown): Mismatch | undefined {
  return isDeeperThan(value, CELL_LEVELS_MAX)
    ? { path: '', expected: `up to ${CELL_LEVELS_MAX} levels of lists and objects`, found: new Measured('more') }
    : undefined
}
