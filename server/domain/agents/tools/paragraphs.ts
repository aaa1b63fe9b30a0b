import type { BlockRequest, RichTextItemRequest } from '../../../../generated/types.ts'

/** Characters of one item of rich text, and items of one paragraph, as the contract has them. */
const ITEM_LENGTH_MAX = 2_000

/** JSON Schema of a text that is written into a page: of at most 1,000 lines, the longest of which fits into one paragraph. */
export const writtenText = {
  type: 'string',
  minLength: 1,
  maxLength: 20_000,
  pattern: '^(?:[^\\u0000\\n]*\\n){0,999}[^\\u0000\\n]*$',
} as const

/** One paragraph for each line, as plain text: nothing in it is markup or a mention. */
export function paragraphsOf(text: string): BlockRequest[] {
  return text.split(/\r?\n/).map((line) => ({ paragraph: { rich_text: richTextOf(line) } }))
}

export function richTextOf(text: string): RichTextItemRequest[] {
  const items: RichTextItemRequest[] = []
  let rest = text.toWellFormed()
  while (rest !== '') {
    // Half of a surrogate pair is not a character.
    const piece = rest.slice(0, ITEM_LENGTH_MAX).replace(/[\uD800-\uDBFF]$/, '')
    items.push({ text: { content: piece } })
    rest = rest.slice(piece.length)
  }
  return items
}
