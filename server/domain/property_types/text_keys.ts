import { collationKey, SORTED_LENGTH, storable } from '../../kernel/collation.ts'
import type { CellKey } from '../../store/cells.ts'
import type { StoredRichText } from '../rich_text/stored.ts'
import { textOfDate } from './text_of_date.ts'

/** Texts are found by so many characters without looking at the row. */
const TEXT_LENGTH_MAX = 1_000

/** What a text is found and sorted by. @param isKnown false where what it reads as depends on who reads it */
export function textKey(text: string, isKnown = true): CellKey {
  const kept = text.slice(0, TEXT_LENGTH_MAX)
  return {
    textKey: collationKey(text),
    text: storable(kept.toLowerCase()),
    isWhole: isKnown && kept.length === text.length && storable(text) === text,
  }
}

/** Mentions read differently for different callers, and change: they sort as nothing, and are compared by the document. */
export function richTextKeys(items: StoredRichText): CellKey[] {
  let text = ''
  let isKnown = true
  for (const item of items) {
    if (item.type === 'text') text += item.text.content
    else if (item.type === 'equation') text += item.equation.expression
    else if (item.mention.type === 'date') text += textOfDate(item.mention.date)
    else isKnown = false
    if (text.length > TEXT_LENGTH_MAX + SORTED_LENGTH) break
  }
  // Runs without a character are no text; what mentions read as is seen on reading.
  return text === '' && isKnown ? [] : [textKey(text, isKnown)]
}
