import type { DateValue, PlaceValue } from '../../../generated/types.ts'
import { collationKey, SORTED_LENGTH, storable } from '../../kernel/collation.ts'
import type { CellKey } from '../../store/cells.ts'
import type { StoredRichText } from '../rich_text/stored.ts'
import type { PropertyType } from './stored.ts'
import type { StoredFile, StoredLinks, StoredPerson, StoredVerification } from './value_kinds.ts'

/** Texts are found by so many characters without looking at the row. */
const TEXT_LENGTH_MAX = 1_000

/** Behind every other end. */
const FAR_FUTURE = Number.MAX_SAFE_INTEGER

/**
 * What a value is found and sorted by: one entry for each element of a value of many, in order; none for an empty value. The
 * table in server/store/schema/databases.ts says what stands where.
 */
export function cellKeysOf(type: PropertyType, stored: unknown): CellKey[] {
  if (stored === undefined || stored === null) return []
  switch (type) {
    case 'title':
    case 'rich_text':
      return richTextKeys(stored as StoredRichText)
    case 'url':
    case 'email':
    case 'phone_number':
      return [textKey(stored as string)]
    case 'number':
    case 'unique_id':
      return [{ numberKey: stored as number }]
    case 'checkbox':
      return stored === true ? [{ numberKey: 1 }] : []
    case 'select':
    case 'status':
      return [{ textKey: stored as string }]
    case 'multi_select':
      return (stored as string[]).map((id) => ({ textKey: id }))
    case 'people':
      return (stored as StoredPerson[]).map(({ id }) => ({ textKey: id }))
    case 'relation':
      return (stored as StoredLinks).ids.map((id) => ({ textKey: id }))
    case 'date':
      return [dateKey(stored as DateValue)]
    case 'files':
      return (stored as StoredFile[]).slice(0, 1).map(({ name }) => textKey(name))
    case 'place':
      return [textKey((stored as PlaceValue).name ?? '')]
    case 'verification': {
      const { date } = stored as StoredVerification
      return [{ numberKey: date?.end ? Date.parse(date.end) : FAR_FUTURE }]
    }
    default:
      return []
  }
}

function dateKey({ start, end }: DateValue): CellKey {
  const time = Date.parse(start)
  return { numberKey: time, endKey: end === null ? time : Date.parse(end) }
}

function textKey(text: string, isKnown = true): CellKey {
  const kept = text.slice(0, TEXT_LENGTH_MAX)
  return {
    textKey: collationKey(text),
    text: storable(kept.toLowerCase()),
    isWhole: isKnown && kept.length === text.length && storable(text) === text,
  }
}

/** Mentions read differently for different callers, and change: they sort as nothing, and are compared by the document. */
function richTextKeys(items: StoredRichText): CellKey[] {
  let text = ''
  let isKnown = true
  for (const item of items) {
    if (item.type === 'text') text += item.text.content
    else if (item.type === 'equation') text += item.equation.expression
    else if (item.mention.type === 'date') text += dateText(item.mention.date)
    else isKnown = false
    if (text.length > TEXT_LENGTH_MAX + SORTED_LENGTH) break
  }
  // Runs without a character are no text; what mentions read as is seen on reading.
  return text === '' && isKnown ? [] : [textKey(text, isKnown)]
}

function dateText({ start, end }: DateValue): string {
  return end === null ? start : `${start} → ${end}`
}
