import type { AppendBlockChildrenRequest, Block, BlockList, PartialBlock } from '../../../../generated/types.ts'
import { canonicalId, idsOf } from '../../../kernel/ids.ts'
import { stateError } from '../../../kernel/errors.ts'
import {
  findBlocks,
  findVisibleBlock,
  listVisibleChildren,
  setTrashed,
  touch,
  type Block as StoredBlock,
  type BlockToEdit,
  type BlockToRead,
} from '../../../store/blocks.ts'
import { isBelowTrash } from '../../../store/access.ts'
import { setCellsTrashed } from '../../../store/cells.ts'
import { firstRank, rankAfter } from '../../../store/sibling_ranks.ts'
import { expectEvents, recordEvent, contentChange, trashing } from '../../events/index.ts'
import {
  invalid,
  badEntry,
  cutPageAtEntry,
  entryOfCursor,
  type PageRequest,
  type Scope,
  type WriteScope,
} from '../../shared/index.ts'
import { lostTranscript } from './lost_transcript.ts'
import { ReferenceList, requireReferences } from '../references.ts'
import {
  editedIds,
  requireLiveAncestors,
  requireMayEdit,
  requireOpen,
  requireVisible,
  requireVisibleToEdit,
  requireVisibleToRead,
} from './access.ts'
import { definitionOf, originalOf } from '../block_types/index.ts'
import { draftBlocks, insertDrafts, placeAtEnd, requireFit, type Place } from './plan.ts'
import { presentBlocks, presentBlock, visibleOriginals } from './present.ts'
import { makeRoomAfter } from './room.ts'

export async function retrieveBlock(scope: Scope, id: string): Promise<Block | PartialBlock> {
  return presentBlock(scope, await requireVisibleToRead(scope, id))
}

/** The direct children of a block or page. A mirror lists the children of its original. */
export async function listBlockChildren(scope: Scope, id: string, request: PageRequest): Promise<BlockList> {
  const first = entryOfCursor(request)
  const [parent, expected] = await Promise.all([requireVisibleToRead(scope, id), expectedChildren(scope, id, request)])
  const source = await sourceOfChildren(scope, parent)
  const rows = source?.id === parent.id && expected ? expected : await childrenOf(scope, source, first, request)
  const page = cutPageAtEntry(rows, request)
  const isInTrash = source !== undefined && (await containsTrash(scope, source))
  const items = isInTrash ? page.items.map((block) => ({ ...block, isBelowTrash: true })) : page.items
  return blockList(await presentBlocks(scope, items), page.hasMore, page.nextCursor)
}

/** Whether a block, and with it its content, is in the trash. */
async function containsTrash({ db, actor }: Scope, block: StoredBlock | BlockToRead): Promise<boolean> {
  return block.inTrash || ('isBelowTrash' in block ? block.isBelowTrash : isBelowTrash(db, actor.workspaceId, block.id))
}

/**
 * The first children of a block, read in the same query as the block itself. Only for callers who see the whole workspace: for others, the
 * response time would reveal whether a block is hidden or missing.
 */
async function expectedChildren(
  { db, actor }: Scope,
  id: string,
  { startCursor, pageSize }: PageRequest,
): Promise<StoredBlock[] | undefined> {
  if (startCursor !== undefined || !actor.seesWholeWorkspace) return undefined
  return listVisibleChildren(db, actor, canonicalId(id), undefined, pageSize + 1)
}

async function childrenOf(
  scope: Scope,
  source: StoredBlock | undefined,
  first: string | undefined,
  request: PageRequest,
): Promise<StoredBlock[]> {
  if (source === undefined) return []
  const rank = first === undefined ? undefined : await rankOf(scope, source.id, first, request)
  return listVisibleChildren(scope.db, scope.actor, source.id, rank, request.pageSize + 1, true)
}

/**
 * The rank of a child, which may be in the trash by now, as a position in a list. @throws ServiceError `validation_error` for any other
 * block
 */
async function rankOf({ db, actor }: Scope, parentId: string, id: string, request: PageRequest): Promise<string> {
  const block = await findVisibleBlock(db, actor, id)
  if (block?.parentId !== parentId) throw badEntry(request)
  return block.rank
}

async function sourceOfChildren(scope: Scope, block: BlockToRead): Promise<StoredBlock | BlockToRead | undefined> {
  if (!definitionOf(block.type).children.areListed) return undefined
  const original = originalOf(block)
  if (original === undefined) return block
  return (await visibleOriginals(scope, [original])).get(original)
}

function blockList(results: BlockList['results'], hasMore: boolean, nextCursor: string | null): BlockList {
  return { object: 'list', type: 'block', block: {}, results, has_more: hasMore, next_cursor: nextCursor }
}

/** Appends blocks to a block or page: all of them, or none if any is invalid. */
export async function appendBlockChildren(
  scope: WriteScope,
  id: string,
  request: AppendBlockChildrenRequest,
): Promise<BlockList> {
  const references = new ReferenceList()
  const drafts = draftBlocks(request.children, 'body.children', { ...scope, references })
  expectEvents(scope)
  const parent = await requireVisibleToEdit(scope, id)
  await requireReferences(scope, references)
  await requireOpen(scope, parent, 'block', 'path.block_id')
  await requireOriginals(scope, references)
  if (drafts.length === 0) return blockList([], false, null)
  requireFit(parent, drafts, 'body.children')
  const place = await placeBelow(scope, parent, request.position)
  const written = await insertDrafts(scope, drafts, place)
  await recordEvent(scope, contentChange(place, written))
  await touch(scope.db, scope.actor.workspaceId, editedIds(parent), scope.actor.userId, scope.now)
  const mayList = place.before !== null && scope.actor.capabilities.has('read_content')
  return mayList ? listFrom(scope, parent.id, written) : blockList(await presentBlocks(scope, written), false, null)
}

/** The maximum number of blocks in the response of an append. */
const APPENDED_PAGE_SIZE = 100

/** A page of the list of children that starts with the new blocks and continues with their siblings. */
async function listFrom(scope: WriteScope, parentId: string, written: readonly StoredBlock[]): Promise<BlockList> {
  const room = APPENDED_PAGE_SIZE - written.length
  const next = await listVisibleChildren(scope.db, scope.actor, parentId, written.at(-1)?.rank, room + 1)
  const rows = [...written, ...next]
  const page = cutPageAtEntry(rows, { pageSize: APPENDED_PAGE_SIZE })
  return blockList(await presentBlocks(scope, page.items), page.hasMore, page.nextCursor)
}

/** Checks that each mirror refers to an original, not to another mirror or another type of block. */
export async function requireOriginals(scope: Scope, references: ReferenceList): Promise<void> {
  const blocks = await findBlocks(scope.db, scope.actor.workspaceId, idsOf(references.originals))
  for (const { id, path } of references.originals) {
    const block = blocks.get(id)
    if (block?.type !== 'synced_block' || originalOf(block) !== undefined)
      throw invalid(path, 'should be the id of an original synced block')
  }
}

/** The place for new children at a position. Trashed siblings keep their ranks, which are not used again. */
export async function placeBelow(
  scope: WriteScope,
  parent: StoredBlock | BlockToEdit,
  position: AppendBlockChildrenRequest['position'] | { type: 'page_start' | 'page_end' } | undefined,
): Promise<Place> {
  const { workspaceId } = scope.actor
  const around = {
    parentType: parent.type === 'child_page' ? 'page_id' : 'block_id',
    parentId: parent.id,
    pageId: parent.type === 'child_page' ? parent.id : parent.pageId,
  } as const
  switch (position?.type) {
    case undefined:
    case 'end':
    case 'page_end':
      return 'lastRank' in parent ? { ...around, after: parent.lastRank, before: null } : placeAtEnd(scope, around)
    case 'start':
    case 'page_start':
      return { ...around, after: null, before: await firstRank(scope.db, workspaceId, parent.id) }
    case 'after_block': {
      const sibling = await findVisibleBlock(scope.db, scope.actor, canonicalId(position.after_block.id))
      if (!sibling || sibling.parentId !== parent.id || sibling.inTrash) {
        throw invalid('body.position.after_block.id', 'should be the id of a block directly below the parent, outside the trash')
      }
      const before = await rankAfter(scope.db, workspaceId, parent.id, sibling.rank)
      if (await makeRoomAfter(scope, parent.id, sibling.rank, before)) return placeBelow(scope, parent, position)
      return { ...around, after: sibling.rank, before }
    }
  }
}

/** Moves a block, page or database to the trash, with everything below it. */
export async function deleteBlock(scope: WriteScope, id: string): Promise<Block | PartialBlock> {
  const block = await requireVisible(scope, id)
  await requireMayEdit(scope, block)
  if (block.inTrash) throw stateError('path.block_id cannot be deleted: the block is already in the trash.')
  await requireLiveAncestors(scope, block, 'path.block_id')
  await moveToTrash(scope, block, true)
  return presentBlock(scope, await requireVisible(scope, block.id))
}

/** Moves a block to the trash or out of it, and records the edit. */
export async function moveToTrash(scope: WriteScope, block: StoredBlock, inTrash: boolean): Promise<void> {
  await setTrashed(scope.db, scope.actor.workspaceId, block.id, inTrash)
  if (block.parentType === 'data_source_id') await setCellsTrashed(scope.db, scope.actor.workspaceId, block.id, inTrash)
  const page = block.pageId === null ? [] : [block.pageId]
  await touch(scope.db, scope.actor.workspaceId, [block.id, ...page], scope.actor.userId, scope.now)
  await recordEvent(scope, trashing(block, inTrash), inTrash ? await lostTranscript(scope, block) : [])
}
