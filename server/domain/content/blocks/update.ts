import { isSameJson } from '../../../kernel/canonical_json.ts'
import type { Block, BlockUpdateRequest, PartialBlock } from '../../../../generated/types.ts'
import { editContent, findBlock, type Block as StoredBlock, type StoredContent } from '../../../store/blocks.ts'
import { validationError } from '../../../kernel/errors.ts'
import { gatherFacts } from '../rich_text/gather.ts'
import { asSeen, invalid, notFound, type WriteScope } from '../../shared/index.ts'
import { expectEvents, recordEvent, contentUpdate } from '../../events/index.ts'
import { ReferenceList, requireReferences } from '../references.ts'
import { editedIds, requireLiveAncestors, requireMayEdit, requireVisible, requireVisibleToEdit } from './access.ts'
import { moveToTrash } from './blocks.ts'
import { blockTypes, definitionOf, isBlockType } from '../block_types/index.ts'
import { presentBlock } from './present.ts'

/**
 * Changes the content of a block, moves it to the trash or restores it. A trashed block accepts only `{"in_trash": false}`; for
 * any other body the response is 404.
 */
export async function updateBlock(scope: WriteScope, id: string, request: BlockUpdateRequest): Promise<Block | PartialBlock> {
  expectEvents(scope)
  const block = await requireVisibleToEdit(scope, id)
  if (block.inTrash && !isOnlyRestore(request)) throw notFound(scope.actor, 'block', block.id)
  const references = new ReferenceList()
  const content = newContent(scope, block, request, references)
  await requireReferences(scope, references)
  await requireMayEdit(scope, block)
  await requireLiveAncestors(scope, block, 'path.block_id')
  if (content) await requireAllowedContent(scope, block, content)

  const isChanged = content && !(await readsTheSame(scope, block, content))
  const changed = isChanged ? await change(scope, block, content) : block
  if (request.in_trash !== undefined && request.in_trash !== block.inTrash) {
    await moveToTrash(scope, block, request.in_trash)
    return presentBlock(scope, await requireVisible(scope, block.id))
  }
  return presentBlock(scope, changed)
}

/**
 * Whether a block looks the same to callers with new content: a derived name that a caller sends back is stored although nothing changes.
 */
async function readsTheSame(scope: WriteScope, { type, content: before }: StoredBlock, after: StoredContent): Promise<boolean> {
  if (isSameJson(before, after)) return true
  const facts = await gatherFacts(scope, [before, after])
  const { content } = definitionOf(type)
  return isSameJson(content.present(before, facts), content.present(after, facts))
}

/** Stores new content. @returns the block as it is now stored */
async function change(scope: WriteScope, block: StoredBlock, content: StoredContent): Promise<StoredBlock> {
  const { db, actor, now } = scope
  const { workspaceId, userId } = actor
  await editContent(db, workspaceId, block.id, content, { editedIds: editedIds(block), userId, now })
  await recordEvent(scope, contentUpdate(block))
  return { ...block, content, lastEditedTime: now, lastEditedBy: userId }
}

function isOnlyRestore(request: BlockUpdateRequest): boolean {
  return request.in_trash === false && Object.keys(request).length === 1
}

/** @returns the complete new content, or undefined if the request does not change it */
function newContent(
  scope: WriteScope,
  block: StoredBlock,
  request: BlockUpdateRequest,
  references: ReferenceList,
): StoredContent | undefined {
  const key = Object.keys(request).find(isBlockType)
  if (key !== undefined && key !== block.type) throw invalid(`body.${key}`, `should be not present: the block is a ${block.type}`)
  if (request.type !== undefined && request.type !== block.type)
    throw validationError('body.type', `\`"${block.type}"\``, request.type)
  if (key === undefined) return undefined
  const written: unknown = Reflect.get(request, key)
  return blockTypes[key].content.update(block.content, written, `body.${key}`, { ...scope, references })
}

/** Checks the rules that depend on the stored block. */
async function requireAllowedContent(scope: WriteScope, block: StoredBlock, content: StoredContent): Promise<void> {
  const { requireChange, placement } = definitionOf(block.type)
  const path = `body.${block.type}`
  const hasChildren = async (): Promise<boolean> => (await asSeen(scope, [block]))[0]?.hasChildren ?? false
  await requireChange({ from: block.content, to: content, path, hasChildren })
  if (placement.fitsAnywhere?.(content)) return
  placement.requireFit?.(content, await findBlock(scope.db, scope.actor.workspaceId, block.parentId), path)
}
