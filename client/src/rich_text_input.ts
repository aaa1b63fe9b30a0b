import type { RichTextItemRequest, RichTextRequest } from '../../generated/types.ts'
import { text } from './rich_text.ts'

/** A text without formatting, a rich text item such as `text('Sill').bold()`, or a list of both. */
export type RichTextInput = string | RichTextItemRequest | readonly (string | RichTextItemRequest)[]

/** Rich text to send. */
export function richTextRequest(input: RichTextInput): RichTextRequest {
  const items = isList(input) ? input : [input]
  return items.map((item) => (typeof item === 'string' ? text(item) : item))
}

function isList(input: RichTextInput): input is readonly (string | RichTextItemRequest)[] {
  return Array.isArray(input)
}
