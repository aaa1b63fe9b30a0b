import { visibleAmong } from '../../../../store/access.ts'
import { findBlocks } from '../../../../store/blocks.ts'
import { findEmojisByName } from '../../../../store/custom_emojis.ts'
import { definitionOf, originalOf } from '../../block_types/index.ts'
import type { Scope } from '../../../shared/index.ts'
import { knownUsers } from '../../../people/index.ts'
import { gatherReferences, type TextReferences } from './gather_references.ts'
import type { Resolved } from './resolved.ts'
import type { MarkdownBlock } from '../shared/markdown_block.ts'

/** Resolves the references of blocks. References that are missing or not visible to the caller are omitted; they will become text. */
export async function resolveReferencesOf(scope: Scope, blocks: readonly MarkdownBlock[]): Promise<Resolved> {
  return resolveReferences(scope, gatherReferences(blocks))
}

export async function resolveReferences(scope: Scope, wanted: TextReferences): Promise<Resolved> {
  const { db, actor } = scope
  const visible = [...(await visibleAmong(db, actor, [...wanted.records]))]
  const records = new Map<string, 'page' | 'database' | 'original'>()
  const sources = new Map<string, string>()
  for (const [id, block] of await findBlocks(db, actor.workspaceId, visible)) {
    const { record } = definitionOf(block.type)
    if (record !== 'block') records.set(id, record)
    else if (block.type === 'data_source') sources.set(id, block.parentId)
    else if (block.type === 'synced_block' && originalOf(block) === undefined) records.set(id, 'original')
  }
  return {
    records,
    sources,
    users: await knownUsers(scope, [...wanted.users]),
    emojis: await findEmojisByName(db, actor.workspaceId, [...wanted.emojis]),
  }
}
