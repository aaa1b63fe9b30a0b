import type { MentionRequest, RichTextItemRequest } from '../../../../../generated/types.ts'
import { chunks, type SlicedWork } from '../../../../kernel/yield_to_event_loop.ts'
import type { Resolved } from './resolved.ts'
import { splitText } from '../../rich_text/split_text.ts'
import { joinTexts, type Inline } from '../shared/markdown_block.ts'

/**
 * Converts inline text to the rich text of requests, piece by piece. Mentions that are not visible become their label; long text is
 * split.
 */
export function* toRichText(inlines: readonly Inline[], resolved: Resolved): Generator<RichTextItemRequest> {
  for (const inline of joinTexts(resolvedTexts(inlines, resolved))) yield* piecesOf(inline)
}

const JOINED_AT_ONCE = 1_000

/** Turns unknown emojis into plain text, in steps: one block may have a hundred thousand emojis. */
export function* withEmojis(inlines: readonly Inline[], resolved: Resolved): SlicedWork<readonly Inline[]> {
  if (inlines.length <= JOINED_AT_ONCE) return inlines
  const texts: Inline[] = []
  for (const some of chunks(inlines, JOINED_AT_ONCE)) {
    texts.push(...joinTexts(some.map((inline) => (inline.type === 'emoji' ? withUnresolvedAsText(inline, resolved) : inline))))
    yield
  }
  return texts
}

function* resolvedTexts(inlines: readonly Inline[], resolved: Resolved): Generator<Inline> {
  for (const inline of inlines) yield withUnresolvedAsText(inline, resolved)
}

/** Turns mentions that cannot be resolved, and unknown emojis, into text. */
function withUnresolvedAsText(inline: Inline, resolved: Resolved): Inline {
  if (inline.type === 'emoji') {
    const id = resolved.emojis.get(inline.name)
    const link = inline.link === undefined ? {} : { link: inline.link }
    return id === undefined ? { type: 'text', text: `:${inline.name}:`, outcomes: inline.outcomes, ...link } : { ...inline, id }
  }
  const source = inline.type === 'mention' && inline.kind === 'data_source' ? resolved.sources.get(inline.id) : undefined
  if (inline.type === 'mention' && source !== undefined) return { ...inline, kind: 'database', id: source }
  if (inline.type === 'mention' && !isThere(inline, resolved))
    return { type: 'text', text: inline.label, outcomes: inline.outcomes }
  return inline
}

function isThere({ kind, id }: Extract<Inline, { type: 'mention' }>, { records, users }: Resolved): boolean {
  if (kind === 'user' || kind === 'agent') return users.has(id)
  const record = records.get(id)
  return kind === 'page' ? record === 'page' : record === 'database'
}

function piecesOf(inline: Inline): RichTextItemRequest[] {
  const annotations = Object.keys(inline.outcomes).length > 0 ? { annotations: { ...inline.outcomes } } : {}
  switch (inline.type) {
    case 'text': {
      const link = inline.link === undefined ? {} : { link: { url: inline.link } }
      return splitText(inline.text).map((content) => ({ text: { content, ...link }, ...annotations }))
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

function mentionOf({ kind, id }: Extract<Inline, { type: 'mention' }>): MentionRequest {
  if (kind === 'user' || kind === 'agent') return { user: { id } }
  return kind === 'page' ? { page: { id } } : { database: { id } }
}
