import { blockTypes } from '../../block_types/index.ts'
import type { Inline, MarkdownBlock } from '../shared/markdown_block.ts'
import { emojiName } from './icon_of.ts'

/** The references of a text, before they are resolved. */
export interface TextReferences {
  /** Ids of pages, databases, data sources, and originals of synced copies. */
  readonly records: Set<string>
  readonly users: Set<string>
  /** Names of emojis. */
  readonly emojis: Set<string>
}

function nothing(): TextReferences {
  return { records: new Set(), users: new Set(), emojis: new Set() }
}

/** Collects the ids and names that blocks and their descendants refer to. */
export function gatherReferences(blocks: readonly MarkdownBlock[], wanted = nothing()): TextReferences {
  for (const { type, text, fields, children } of blocks) {
    gatherInline(text, wanted)
    for (const cell of fields.cells ?? []) gatherInline(cell, wanted)
    if (fields.id !== undefined && blockTypes[type].markdown.draft.namesRecord) wanted.records.add(fields.id)
    const emoji = emojiName(fields.icon)
    if (emoji !== undefined) wanted.emojis.add(emoji)
    gatherReferences(children, wanted)
  }
  return wanted
}

export function gatherInline(inlines: readonly Inline[], wanted = nothing()): TextReferences {
  for (const inline of inlines) {
    if (inline.type === 'emoji') wanted.emojis.add(inline.name)
    else if (inline.type === 'mention')
      (inline.kind === 'user' || inline.kind === 'agent' ? wanted.users : wanted.records).add(inline.id)
  }
  return wanted
}
