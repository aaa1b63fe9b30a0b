import type { BlockRequest } from '../../../../generated/types.ts'
import { richTextOf } from '../../content/index.ts'

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
