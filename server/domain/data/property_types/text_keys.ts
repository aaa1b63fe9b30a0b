import { collationKey, SORTED_LENGTH, storable } from '../../../kernel/collation.ts'
import type { CellKey } from '../../../store/cells.ts'
import type { StoredRichText } from '../../content/index.ts'
import { textOfDate } from './text_of_date.ts'

/** The maximum number of characters of a text that the index contains. To compare longer texts exactly, the document is read. */
const TEXT_LENGTH_MAX = 1_000

/** The index key of a text. @param isKnown false if the visible text depends on the viewer */
export function textKey(text: string, isKnown = true): CellKey {
  const kept = text.slice(0, TEXT_LENGTH_MAX)
  return {
    textKey: collationKey(text),
    text: storable(kept.toLowerCase()),
    isWhole: isKnown && kept.length === text.length && storable(text) === text,
  }
}

/**
 * The index keys of rich text. The text of mentions depends on the viewer and changes over time: such text is not indexed, but compared in
 * the document.
 */
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
  // Empty items are not text. The text of mentions is known only when they are presented.
  return text === '' && isKnown ? [] : [textKey(text, isKnown)]
}
