import type { RichTextItemRequest } from '../../../../generated/types.ts'
import type { Resolved } from './resolved.ts'
import type { Inline } from '../shared/markdown_block.ts'

/** Characters of one piece of text, and pieces of one text. */
const TEXT_LENGTH_MAX = 2_000
export const PIECES_MAX = 100

/** Text of the dialect as callers write rich text. What cannot be seen becomes its label; long text is cut into pieces. */
export function toRichText(inlines: readonly Inline[], resolved: Resolved): RichTextItemRequest[] {
  return joined(inlines.map((inline) => settled(inline, resolved))).flatMap(piecesOf)
}

/** Text as it stays: mentions of what is not there, and emojis no one made, are text. */
function settled(inline: Inline, resolved: Resolved): Inline {
  if (inline.type === 'emoji') {
    const id = resolved.emojis.get(inline.name)
    const link = inline.link === undefined ? {} : { link: inline.link }
    return id === undefined ? { type: 'text', text: `:${inline.name}:`, marks: inline.marks, ...link } : { ...inline, id }
  }
  const source = inline.type === 'mention' && inline.kind === 'data_source' ? resolved.sources.get(inline.id) : undefined
  if (inline.type === 'mention' && source !== undefined) return { ...inline, kind: 'database', id: source }
  if (inline.type === 'mention' && !isThere(inline, resolved)) return { type: 'text', text: inline.label, marks: inline.marks }
  return inline
}

function isThere({ kind, id }: Extract<Inline, { type: 'mention' }>, { records, users }: Resolved): boolean {
  if (kind === 'user' || kind === 'agent') return users.has(id)
  const record = records.get(id)
  return kind === 'page' ? record === 'page' : record === 'database'
}

function joined(inlines: readonly Inline[]): Inline[] {
  const result: Inline[] = []
  for (const inline of inlines) {
    const last = result.at(-1)
    if (inline.type === 'text' && last?.type === 'text' && last.link === inline.link && last.marks === inline.marks) {
      result[result.length - 1] = { ...last, text: last.text + inline.text }
    } else {
      result.push(inline)
    }
  }
  return result
}

function piecesOf(inline: Inline): RichTextItemRequest[] {
  const annotations = Object.keys(inline.marks).length > 0 ? { annotations: { ...inline.marks } } : {}
  switch (inline.type) {
    case 'text': {
      const link = inline.link === undefined ? {} : { link: { url: inline.link } }
      return partsOf(inline.text).map((content) => ({ text: { content, ...link }, ...annotations }))
    }
    case 'equation':
      return [{ equation: { expression: inline.expression }, ...annotations }]
    case 'date':
      return [{ mention: { date: inline.date }, ...annotations }]
    case 'emoji':
      return [{ mention: { custom_emoji: { id: inline.id ?? '' } }, ...annotations }]
    case 'mention':
      return [{ mention: mentionOf(inline), ...annotations }]
  }
}

function mentionOf({
  kind,
  id,
}: Extract<Inline, { type: 'mention' }>): Extract<RichTextItemRequest, { mention: unknown }>['mention'] {
  if (kind === 'user' || kind === 'agent') return { user: { id } }
  return kind === 'page' ? { page: { id } } : { database: { id } }
}

/** Cuts a text into pieces that may be stored, never through a character. */
export function partsOf(text: string): string[] {
  const parts: string[] = []
  let start = 0
  while (text.length - start > TEXT_LENGTH_MAX) {
    let [end, count] = [start, 0]
    for (; count < TEXT_LENGTH_MAX && end < text.length; count += 1) end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
    parts.push(text.slice(start, end))
    start = end
  }
  return start < text.length ? [...parts, text.slice(start)] : parts
}
