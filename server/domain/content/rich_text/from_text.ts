import type { RichTextItemRequest } from '../../../../generated/types.ts'
import { splitText } from './split_text.ts'

/** Plain text as the rich text of a request, in items as long as the contract allows. */
export function richTextOf(text: string): RichTextItemRequest[] {
  return splitText(text.toWellFormed()).map((content) => ({ text: { content } }))
}
