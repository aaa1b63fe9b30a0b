import { collationKey } from '../../../kernel/collation.ts'
import type { QueryPosition } from './query_rows.ts'
import type { SortValue } from './sort_source.ts'

/** A text in a cursor. Its collation weights are omitted, and computed again from the text. */
interface KeptText {
  readonly text: string
}

type KeptValue = KeptText | null | number | readonly (number | string)[]

/** The maximum size of the encoded values in a cursor, which may have a thousand characters in total. */
const VALUES_BYTES_MAX = 600

/** A position as strings for a cursor. Values at the end that do not fit are omitted, and read from the row again. */
export function positionTexts({ given, after }: QueryPosition): string[] {
  const values = after.values.map((value): KeptValue => (typeof value === 'string' ? { text: textOfKey(value) } : value))
  while (Buffer.byteLength(JSON.stringify(JSON.stringify(values))) > VALUES_BYTES_MAX) values.pop()
  return [String(given), String(after.created), after.id, JSON.stringify(values)]
}

/** Parses the position in a cursor. The cursor's signature has been verified. */
export function parsePosition(texts: readonly string[]): QueryPosition {
  const [given = '', created = '', id = '', values = '[]'] = texts
  const kept = JSON.parse(values) as readonly KeptValue[]
  return {
    given: Number(given),
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

/** The text at the end of a collation key. The weights before it may contain the separator as well, so each place is tried. */
function textOfKey(key: string): string {
  for (let place = key.indexOf('\u0001'); place !== -1; place = key.indexOf('\u0001', place + 1)) {
    const text = key.slice(place + 1)
    if (collationKey(text) === key) return text
  }
  throw new TypeError('not a key of the collation')
}
