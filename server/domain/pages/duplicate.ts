import { generateNKeysBetween } from 'fractional-indexing'
import { idsTogether } from '../../kernel/ids.ts'
import {
  findBlock,
  insertBlocks,
  lastRank,
  listChildren,
  type Block,
  type NewBlock,
  type StoredContent,
} from '../../store/blocks.ts'
import type { Connection, Transaction } from '../../store/database.ts'
import { findPage, insertPage } from '../../store/pages.ts'
import { trashedAmong } from '../../store/page_search.ts'
import { lockWorkspace } from '../../store/workspaces.ts'

/** A page to copy with everything below it, and where the copy goes: to the top of a workspace. */
export interface Duplication {
  readonly workspaceId: string
  readonly pageId: string
  readonly toWorkspaceId: string
  /** Author of the copy. */
  readonly userId: string
  readonly now: number
}

/** A tree of more blocks is refused: it is copied in one transaction. */
const BLOCKS_MAX = 10_000
const RUN = 500

/** The page has grown too large to be copied. */
export class TooLargeError extends Error {}

/** A page outside the trash, which can be copied. */
export async function findCopyablePage(db: Connection, workspaceId: string, pageId: string): Promise<Block | undefined> {
  const page = await findBlock(db, workspaceId, pageId)
  if (page?.type !== 'child_page' || (await trashedAmong(db, workspaceId, [pageId])).size > 0) return undefined
  return page
}

/**
 * Copies a page, its sub-pages and all their blocks; what is in the trash stays behind. References between copied blocks lead
 * to the copies, others stay as they are.
 * @returns the id of the new page, or undefined when there is no such page
 * @throws TooLargeError
 */
export async function duplicatePage(db: Transaction, duplication: Duplication): Promise<string | undefined> {
  const { workspaceId, toWorkspaceId } = duplication
  const page = await findCopyablePage(db, workspaceId, duplication.pageId)
  if (!page) return undefined
  const blocks = [page, ...(await gatherBelow(db, workspaceId, page))]
  const newId = idsTogether()
  const ids = new Map(blocks.map((block) => [block.id, newId()]))
  await lockWorkspace(db, toWorkspaceId)
  const [rank = ''] = generateNKeysBetween(await lastRank(db, toWorkspaceId, toWorkspaceId), null, 1)
  await insertBlocks(
    db,
    toWorkspaceId,
    blocks.map((block) => copyOf(block, ids, duplication, block === page ? rank : undefined)),
  )
  for (const { id, type } of blocks) if (type === 'child_page') await copyDetails(db, duplication, id, ids)
  return ids.get(page.id)
}

/** Everything below a page, parents before children. */
async function gatherBelow(db: Connection, workspaceId: string, page: Block): Promise<Block[]> {
  const gathered: Block[] = []
  const parents = [page]
  for (let parent = parents.pop(); parent; parent = parents.pop()) {
    let afterRank: string | undefined
    for (;;) {
      const children = await listChildren(db, workspaceId, parent.id, afterRank, RUN)
      // Databases are more than their block; they are not copied yet.
      const copied = children.filter(({ type }) => type !== 'child_database')
      gathered.push(...copied)
      if (gathered.length > BLOCKS_MAX) throw new TooLargeError(`more than ${BLOCKS_MAX} blocks`)
      parents.push(...copied.filter(({ hasChildren }) => hasChildren))
      afterRank = children.at(-1)?.rank
      if (children.length < RUN) break
    }
  }
  return gathered
}

function copyOf(
  block: Block,
  ids: ReadonlyMap<string, string>,
  { toWorkspaceId, userId, now }: Duplication,
  topRank: string | undefined,
): NewBlock {
  const isTop = topRank !== undefined
  return {
    id: ids.get(block.id) ?? block.id,
    type: block.type,
    parentType: isTop ? 'workspace' : block.parentType,
    parentId: isTop ? toWorkspaceId : (ids.get(block.parentId) ?? block.parentId),
    pageId: isTop || block.pageId === null ? null : (ids.get(block.pageId) ?? block.pageId),
    rank: topRank ?? block.rank,
    content: withNewIds(block.content, ids) as StoredContent,
    createdTime: now,
    createdBy: userId,
  }
}

async function copyDetails(
  db: Transaction,
  { workspaceId, toWorkspaceId }: Duplication,
  id: string,
  ids: ReadonlyMap<string, string>,
): Promise<void> {
  const [page, copyId] = [await findPage(db, workspaceId, id), ids.get(id)]
  if (page && copyId !== undefined) await insertPage(db, toWorkspaceId, copyId, { ...page, isLocked: false, isArchived: false })
}

/** Stored JSON in which every id of a copied block is that of its copy. */
function withNewIds(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return ids.get(value) ?? value
  if (Array.isArray(value)) return value.map((entry) => withNewIds(entry, ids))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, withNewIds(entry, ids)]))
}
