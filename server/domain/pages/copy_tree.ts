import { listChildren, type Block, type NewBlock, type StoredContent } from '../../store/blocks.ts'
import type { Connection, Transaction } from '../../store/database.ts'
import { findPage, insertPage, type PageDetails } from '../../store/pages.ts'
import { contentOfCopiedNote } from '../meeting_notes/content.ts'

/** Larger trees are rejected, because a copy is made in memory and in one transaction. */
const BLOCKS_MAX = 10_000
const CONTENT_LENGTH_MAX = 20_000_000
const RUN = 100

/** A page is too large to be copied. */
export class TooLargeError extends Error {}

/** Selects the siblings that are copied. Everything below an omitted sibling is omitted as well. */
export type Choice = (siblings: readonly Block[]) => Promise<readonly Block[]>

/**
 * Everything below a page, including sub-pages and their content; parents come before children. Blocks in the trash are omitted.
 * @throws TooLargeError
 */
export async function collectBelow(
  db: Connection,
  workspaceId: string,
  page: Block,
  choose: Choice = (siblings) => Promise.resolve(siblings),
): Promise<Block[]> {
  const gathered: Block[] = []
  let contentLength = 0
  const parents = [page]
  for (let parent = parents.pop(); parent; parent = parents.pop()) {
    let afterRank: string | undefined
    for (;;) {
      const children = await listChildren(db, workspaceId, parent.id, afterRank, RUN)
      // Databases consist of more than their block and are not copied yet.
      const copied = await choose(children.filter(({ type }) => type !== 'child_database'))
      gathered.push(...copied)
      for (const block of copied) contentLength += block.contentLength ?? 0
      if (gathered.length > BLOCKS_MAX) throw new TooLargeError(`more than ${BLOCKS_MAX} blocks`)
      if (contentLength > CONTENT_LENGTH_MAX) throw new TooLargeError(`more than ${CONTENT_LENGTH_MAX} characters of content`)
      parents.push(...copied.filter(({ hasChildren }) => hasChildren))
      afterRank = children.at(-1)?.rank
      if (children.length < RUN) break
    }
  }
  return gathered
}

/** Stored content with the ids of copied blocks replaced by those of their copies. */
function withNewIds(content: StoredContent, ids: ReadonlyMap<string, string>): StoredContent {
  return mapTexts(content, (text) => ids.get(text) ?? text) as StoredContent
}

/** The copy of a block, with the ids of the copies of what it refers to. */
export function copiedBlock(
  block: Block,
  ids: ReadonlyMap<string, string>,
  by: { readonly userId: string; readonly now: number },
): NewBlock {
  const { type, parentType, rank, pageId } = block
  return {
    id: ids.get(block.id) ?? block.id,
    type,
    parentType,
    parentId: ids.get(block.parentId) ?? block.parentId,
    pageId: pageId === null ? null : (ids.get(pageId) ?? pageId),
    rank,
    content: withNewIds(type === 'meeting_notes' ? contentOfCopiedNote(block.content) : block.content, ids),
    createdTime: by.now,
    createdBy: by.userId,
  }
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((entry) => mapTexts(entry, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, mapTexts(entry, change)]))
}

/** Copies the details of a page; the copy is neither locked nor archived. @returns the details of the copy */
export async function copyDetails(
  db: Transaction,
  from: { readonly workspaceId: string; readonly id: string },
  to: { readonly workspaceId: string; readonly id: string },
): Promise<PageDetails | undefined> {
  const page = await findPage(db, from.workspaceId, from.id)
  if (page) await insertPage(db, to.workspaceId, to.id, { ...page, isLocked: false, isArchived: false })
  return page
}
