import { isOneEmoji } from '../../../kernel/emoji.ts'
import { hasScheme } from '../../../kernel/urls.ts'
import type { IconRequest } from '../../../../generated/types.ts'
import type { Inline, MarkdownBlock } from '../shared/markdown_block.ts'

/** What a text names, before anybody knows whether it is there. */
export interface Wanted {
  /** Pages, databases, data sources, and blocks that copies show. */
  readonly records: Set<string>
  readonly users: Set<string>
  /** Names of emojis. */
  readonly emojis: Set<string>
}

/** What of it the caller can see. */
export interface Resolved {
  readonly records: ReadonlyMap<string, 'page' | 'database' | 'original'>
  /** Databases of data sources that were named. */
  readonly sources: ReadonlyMap<string, string>
  readonly users: ReadonlySet<string>
  /** Ids of emojis by their names. */
  readonly emojis: ReadonlyMap<string, string>
}

export const nothingResolved: Resolved = { records: new Map(), sources: new Map(), users: new Set(), emojis: new Map() }

/** Gathers what some blocks name, those below them included. */
export function gatherWanted(
  blocks: readonly MarkdownBlock[],
  wanted: Wanted = { records: new Set(), users: new Set(), emojis: new Set() },
): Wanted {
  for (const { type, text, fields, children } of blocks) {
    gatherInline(text, wanted)
    for (const cell of fields.cells ?? []) gatherInline(cell, wanted)
    if (fields.id !== undefined && (type === 'child_page' || type === 'child_database' || type === 'synced_block'))
      wanted.records.add(fields.id)
    const emoji = emojiName(fields.icon)
    if (emoji !== undefined) wanted.emojis.add(emoji)
    gatherWanted(children, wanted)
  }
  return wanted
}

export function gatherInline(inlines: readonly Inline[], wanted: Wanted): void {
  for (const inline of inlines) {
    if (inline.type === 'emoji') wanted.emojis.add(inline.name)
    else if (inline.type === 'mention')
      (inline.kind === 'user' || inline.kind === 'agent' ? wanted.users : wanted.records).add(inline.id)
  }
}

function emojiName(icon: string | undefined): string | undefined {
  return /^:(.+):$/.exec(icon ?? '')?.[1]
}

/** The icon that a tag names, or undefined when it names none that can be used. */
export function iconOf(
  word: string | undefined,
  resolved: Resolved,
): Extract<IconRequest, { emoji: unknown } | { custom_emoji: unknown } | { external: unknown }> | undefined {
  if (word === undefined) return undefined
  const emoji = resolved.emojis.get(emojiName(word) ?? '')
  if (emoji !== undefined) return { custom_emoji: { id: emoji } }
  if (isOneEmoji(word)) return { emoji: word }
  return hasScheme(word, ['http:', 'https:']) ? { external: { url: word } } : undefined
}
