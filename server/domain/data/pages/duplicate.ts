import { generateKeyBetween } from 'fractional-indexing'
import { idsTogether } from '../../../kernel/ids.ts'
import { chunks, inSlices, type SlicedWork } from '../../../kernel/yield_to_event_loop.ts'
import { findBlock, insertBlocks, type Block, type NewBlock } from '../../../store/blocks.ts'
import type { Connection, Transaction } from '../../../store/database.ts'
import { copyUploads } from '../../../store/file_copies.ts'
import { lastRank } from '../../../store/sibling_ranks.ts'
import { trashedAmong } from '../../../store/trash.ts'
import { lockWorkspace } from '../../../store/workspaces.ts'
import { recordEvent } from '../../events/index.ts'
import { filesIn } from '../../content/index.ts'
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

/** Finds a page outside the trash. */
export async function findCopyablePage(db: Connection, workspaceId: string, pageId: string): Promise<Block | undefined> {
  const page = await findBlock(db, workspaceId, pageId)
  if (page?.type !== 'child_page' || (await trashedAmong(db, workspaceId, [pageId])).size > 0) return undefined
  return page
}

/** Copies of a page and of everything below it, without their new parent. */
export interface PreparedDuplicate extends Duplication {
  /** The originals. */
  readonly blocks: readonly Block[]
  readonly ids: ReadonlyMap<string, string>
  readonly copies: readonly NewBlock[]
  /** The stored files that the blocks show. */
  readonly files: ReadonlySet<string>
}

const SEARCHED_AT_ONCE = 50

/**
 * Copies a page with its sub-pages and all their blocks, in their current state and without those in the trash. References between copied
 * blocks are changed to refer to the copies; other references stay. This takes long for a large page, and needs no transaction.
 * @returns undefined if there is no such page
 * @throws TooLargeError
 */
export async function prepareDuplicate(db: Connection, duplication: Duplication): Promise<PreparedDuplicate | undefined> {
  const { workspaceId, pageId } = duplication
  const page = await findCopyablePage(db, workspaceId, pageId)
  if (!page) return undefined
  const blocks = [page, ...(await collectBelow(db, workspaceId, page))]
  const newId = idsTogether()
  const ids = new Map(blocks.map((block) => [block.id, newId()]))
  const copies = await inSlices(copiedBlocks(blocks, ids, duplication, (copy) => copy))
  return { ...duplication, blocks, ids, copies, files: await inSlices(filesOf(blocks)) }
}

function* filesOf(blocks: readonly Block[]): SlicedWork<Set<string>> {
  const files = new Set<string>()
  for (const some of chunks(blocks, SEARCHED_AT_ONCE)) {
    for (const id of filesIn(some.map(({ content }) => content))) files.add(id)
    yield
  }
  return files
}

/** Adds a prepared copy to the top level of its workspace. @returns the id of the new page */
export async function insertDuplicate(db: Transaction, prepared: PreparedDuplicate): Promise<string> {
  const { workspaceId, pageId, toWorkspaceId, blocks, ids, copies, files } = prepared
  await lockWorkspace(db, toWorkspaceId)
  const rank = generateKeyBetween(await lastRank(db, toWorkspaceId, toWorkspaceId), null)
  const top = { parentType: 'workspace', parentId: toWorkspaceId, pageId: null, rank } as const
  const id = ids.get(pageId) ?? ''
  const rows = copies.map((copy) => (copy.id === id ? { ...copy, ...top } : copy))
  await insertBlocks(db, toWorkspaceId, rows)
  const details = await copyDetails(db, blocks, ids, { from: workspaceId, to: toWorkspaceId })
  const scope = { db, now: prepared.now, actor: { workspaceId: toWorkspaceId, userId: prepared.userId } }
  const created = rows.flatMap((row) => (row.type === 'child_page' ? [{ type: 'page.created', id: row.id } as const] : []))
  await recordEvent(scope, created)
  if (toWorkspaceId !== workspaceId) await copyUploads(db, workspaceId, toWorkspaceId, [...files, ...filesIn(details)])
  return id
}
