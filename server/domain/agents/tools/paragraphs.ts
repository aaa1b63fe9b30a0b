import type { BlockRequest, RichTextItemRequest } from '../../../../generated/types.ts'

/** The limits of the contract for the length of a rich text item and for the items of a paragraph. */
const ITEM_LENGTH_MAX = 2_000

/** The JSON Schema of a text that is written to a page: at most 1,000 lines, each of which fits in one paragraph. */
export const writtenText = {
  type: 'string',
  minLength: 1,
  maxLength: 20_000,
  pattern: '^(?:[^\\u0000\\n]*\\n){0,999}[^\\u0000\\n]*$',
} as const

/** One paragraph of plain text for each line, without markup or mentions. */
export function paragraphsOf(text: string): BlockRequest[] {
  return text.split(/\r?\n/).map((line) => ({ paragraph: { rich_text: richTextOf(line) } }))
}

export function richTextOf(text: string): RichTextItemRequest[] {
  const items: RichTextItemRequest[] = []
  let rest = text.toWellFormed()
  while (rest !== '') {
    // A piece does not end within a surrogate pair.
    const piece = rest.slice(0, ITEM_LENGTH_MAX).replace(/[\uD800-\uDBFF]$/, '')
    items.push({ text: { content: piece } })
    rest = rest.slice(piece.length)
  }
  return items
}
