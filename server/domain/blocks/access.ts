import { isBelowTrash, memberLevels } from '../../store/access.ts'
import { findVisibleBlock, type Block } from '../../store/blocks.ts'
import { stateError } from '../../kernel/errors.ts'
import { canonicalId } from '../../kernel/ids.ts'
import { notFound, readOnly, type RecordKind } from '../failures.ts'
import type { Scope, WriteScope } from '../scope.ts'

/**
 * The block, page or database that a path names.
 * @throws ServiceError `object_not_found`, the same whether it is missing or not shared
 */
export async function requireVisible(scope: Scope, writtenId: string, kind: RecordKind = 'block'): Promise<Block> {
  const id = canonicalId(writtenId)
  const block = await findVisibleBlock(scope.db, scope.actor, id)
  if (!block || !isOfKind(block, kind)) throw notFound(scope.actor, kind, id)
  return block
}

/** Data sources are in the tree, but no blocks; databases and data sources are not taken for each other. */
function isOfKind({ type }: Block, kind: RecordKind): boolean {
  if (kind === 'data source' || type === 'data_source') return kind === 'data source' && type === 'data_source'
  return kind !== 'database' || type === 'child_database'
}

/**
 * Members write where their own permission lets them; a bot that sees an item may write it, within its capabilities.
 * @throws ServiceError `restricted_resource` for a member who may only read
 */
export async function requireMayEdit(scope: WriteScope, block: Block, kind: RecordKind = 'block'): Promise<void> {
  if (scope.actor.memberLevel === undefined) return
  const level = (await memberLevels(scope.db, scope.actor, [block.id])).get(block.id) ?? 'none'
  if (level === 'none' || level === 'read') throw readOnly(kind, block.id)
}

/** @throws ServiceError `validation_error` when anything above the block is in the trash: nothing below can change until it is restored */
export async function requireLiveAncestors(scope: Scope, block: Block, path: string): Promise<void> {
  if (await isBelowTrash(scope.db, scope.actor.workspaceId, block.id))
    throw stateError(`${path} cannot be edited: something above it is in the trash. Restore that first.`)
}

export function requireNotTrashed(block: Block, path: string): void {
  if (block.inTrash)
    throw stateError(
      `${path} cannot be edited: ${block.type === 'child_page' ? 'the page' : 'the block'} is in the trash. Restore it first.`,
    )
}

/** Records an edit of a block, and of the page around it. */
export function editedIds(block: Block): string[] {
  return block.pageId === null || block.type === 'child_page' ? [block.id] : [block.id, block.pageId]
}
