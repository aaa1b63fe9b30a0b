import type { Block, Parent, PartialBlock } from '../../../generated/types.ts'
import { toTimestamp } from '../../kernel/clock.ts'
import { visibleAmong } from '../../store/access.ts'
import { findBlocks, type Block as StoredBlock } from '../../store/blocks.ts'
import type { Facts } from '../rich_text/facts.ts'
import { gatherFacts } from '../rich_text/gather.ts'
import type { Scope } from '../scope.ts'
import { partialUser } from '../users/read.ts'
import { isBlockType, kinds, originalOf } from './kinds.ts'

/** Stored blocks as the caller may see them: in full with read content, else only that they exist. */
export async function readBlocks(scope: Scope, blocks: readonly StoredBlock[]): Promise<(Block | PartialBlock)[]> {
  if (!scope.actor.capabilities.has('read_content')) return blocks.map(({ id }) => ({ object: 'block', id }))
  const facts = await gatherFacts(
    scope,
    blocks.map((block) => block.content),
  )
  const mirrored = await visibleOriginals(
    scope,
    blocks.map(originalOf).filter((id) => id !== undefined),
  )
  return blocks.map((block) => readBlock(block, facts, mirrored))
}

export async function readOneBlock(scope: Scope, block: StoredBlock): Promise<Block | PartialBlock> {
  const [read] = await readBlocks(scope, [block])
  return read ?? { object: 'block', id: block.id }
}

function readBlock(block: StoredBlock, facts: Facts, mirrored: ReadonlyMap<string, StoredBlock>): Block {
  const type = isBlockType(block.type) ? block.type : 'unsupported'
  const original = originalOf(block)
  const source = original === undefined ? undefined : mirrored.get(original)
  const read = {
    object: 'block',
    id: block.id,
    parent: readParent(block),
    created_time: toTimestamp(block.createdTime),
    created_by: partialUser(block.createdBy),
    last_edited_time: toTimestamp(block.lastEditedTime),
    last_edited_by: partialUser(block.lastEditedBy),
    has_children: original === undefined ? block.hasChildren && type !== 'child_database' : (source?.hasChildren ?? false),
    in_trash: block.inTrash,
    type,
    [type]: kinds[type].content.read(block.content, facts),
  }
  // The tag is computed, which the compiler cannot follow; tests hold every answer against the contract.
  return read as unknown as Block
}

/** Originals of mirrors that show something: outside the trash, and visible to the caller on their own. */
export async function visibleOriginals(scope: Scope, ids: readonly string[]): Promise<Map<string, StoredBlock>> {
  if (ids.length === 0) return new Map()
  const [visible, found] = [
    await visibleAmong(scope.db, scope.actor, ids),
    await findBlocks(scope.db, scope.actor.workspaceId, ids),
  ]
  return new Map([...found].filter(([id, block]) => visible.has(id) && !block.inTrash))
}

export function readParent(block: StoredBlock): Parent {
  switch (block.parentType) {
    case 'workspace':
      return { type: 'workspace', workspace: true }
    case 'page_id':
      return { type: 'page_id', page_id: block.parentId }
    case 'block_id':
      return { type: 'block_id', block_id: block.parentId }
  }
}
