import { generateKeyBetween } from 'fractional-indexing'
import { idsTogether } from '../../kernel/ids.ts'
import { inSlices } from '../../kernel/yield_to_event_loop.ts'
import { findBlock, insertBlocks, type Block } from '../../store/blocks.ts'
import type { Connection, Transaction } from '../../store/database.ts'
import { copyUploads } from '../../store/file_copies.ts'
import { lastRank } from '../../store/sibling_ranks.ts'
import { trashedAmong } from '../../store/trash.ts'
import { lockWorkspace } from '../../store/workspaces.ts'
import { recordEvent } from '../events/record_event.ts'
import { filesIn } from '../rich_text/gather.ts'
import { copyDetails, copiedBlocks, collectBelow } from './copy_tree.ts'

/** The page to copy with everything below it, and the workspace to whose top level the copy is added. */
interface Duplication {
  readonly workspaceId: string
  readonly pageId: string
  readonly toWorkspaceId: string
  /** The author of the copy. */
  readonly userId: string
  readonly now: number
}

/** A page outside the trash. */
export async function findCopyablePage(db: Connection, workspaceId: string, pageId: string): Promise<Block | undefined> {
  const page = await findBlock(db, workspaceId, pageId)
  if (page?.type !== 'child_page' || (await trashedAmong(db, workspaceId, [pageId])).size > 0) return undefined
  return page
}

/**
 * Copies a page with its sub-pages and all their blocks, except for what is in the trash. References between copied blocks lead
 * to the copies; other references stay.
 * @returns the id of the new page, or undefined if there is no such page
 * @throws TooLargeError
 */
export async function duplicatePage(db: Transaction, duplication: Duplication): Promise<string | undefined> {
  const { workspaceId, toWorkspaceId } = duplication
  const page = await findCopyablePage(db, workspaceId, duplication.pageId)
  if (!page) return undefined
  const blocks = [page, ...(await collectBelow(db, workspaceId, page))]
  const newId = idsTogether()
  const ids = new Map(blocks.map((block) => [block.id, newId()]))
  await lockWorkspace(db, toWorkspaceId)
  const rank = generateKeyBetween(await lastRank(db, toWorkspaceId, toWorkspaceId), null)
  const top = { parentType: 'workspace', parentId: toWorkspaceId, pageId: null, rank } as const
  const copies = await inSlices(
    copiedBlocks(blocks, ids, duplication, (copy, block) => ({ ...copy, ...(block === page ? top : {}) })),
  )
  await insertBlocks(db, toWorkspaceId, copies)
  const details = await copyDetails(db, blocks, ids, { from: workspaceId, to: toWorkspaceId })
  const scope = { db, now: duplication.now, actor: { workspaceId: toWorkspaceId, userId: duplication.userId } }
  const created = copies.flatMap(({ id, type }) => (type === 'child_page' ? [{ type: 'page.created', id } as const] : []))
  await recordEvent(scope, created)
  if (toWorkspaceId !== workspaceId)
    await copyUploads(db, workspaceId, toWorkspaceId, [...filesIn([...blocks.map(({ content }) => content), ...details])])
  return ids.get(page.id)
}
