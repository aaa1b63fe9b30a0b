import { collationKey } from '../../kernel/collation.ts'
import type { QueryPosition } from './query_rows.ts'
import type { SortValue } from './sort_source.ts'

/**
 * Texts are kept in cursors without the ranks that their order follows from: a key ends in the text itself.
 */
interface KeptText {
  readonly text: string
}

type KeptValue = KeptText | null | number | readonly (number | string)[]

/** Cursors hold a thousand characters: so many bytes of them, in the form that they take there, may be values. */
const VALUES_BYTES_MAX = 600

/** A position as strings, for a cursor. Values that do not fit in are left out, the last ones first: they are read from the row again. */
export function positionTexts({ given, isIncomplete, after }: QueryPosition): string[] {
  const values = after.values.map((value): KeptValue => (typeof value === 'string' ? { text: textBehind(value) } : value))
  while (Buffer.byteLength(JSON.stringify(JSON.stringify(values))) > VALUES_BYTES_MAX) values.pop()
  return [String(given), String(Number(isIncomplete)), String(after.created), after.id, JSON.stringify(values)]
}

/** The position in a cursor that this service has signed. */
export function parsePosition(texts: readonly string[]): QueryPosition {
  const [given = '', isIncomplete = '', created = '', id = '', values = '[]'] = texts
  const kept = JSON.parse(values) as readonly KeptValue[]
  return {
    given: Number(given),
    isIncomplete: isIncomplete === '1',
    after: {
      created: Number(created),
      id,
      values: kept.map((value): SortValue => (isText(value) ? collationKey(value.text) : value)),
    },
  }
}

function isText(value: KeptValue): value is KeptText {
  return typeof value === 'object' && value !== null && 'text' in value
}

/** The text at the end of a key of the collation. What precedes it may hold the character that parts them. */
function textBehind(key: string): string {
  for (let place = key.indexOf('\u0001'); place !== -1; place = key.indexOf('\u0001', place + 1)) {
    const text = key.slice(place + 1)
    if (collationKey(text) === key) return text
  }
  throw new TypeError('not a key of the collation')
}
