import { TimeSlice, type SlicedWork } from '../../../kernel/yield_to_event_loop.ts'
import { listChildren, type Block, type NewBlock, type StoredContent } from '../../../store/blocks.ts'
import type { Connection, Transaction } from '../../../store/database.ts'
import type { PageDetails } from '../../../store/page_details.ts'
import { listChildSizes, type BlockSize } from '../../../store/placed_content.ts'
import { findPage, insertPage } from '../../../store/pages.ts'
import { contentOfCopiedNote } from '../../content/index.ts'

/** Larger trees are rejected, because a copy is made in memory and in one transaction. */
const BLOCKS_MAX = 10_000
const CONTENT_LENGTH_MAX = 20_000_000
const RUN = 100

export class TooLargeError extends Error {}

/** Selects the siblings that are copied. Everything below an omitted sibling is omitted as well. */
export type Choice = <Sibling extends BlockSize>(siblings: readonly Sibling[]) => Promise<readonly Sibling[]>

/**
 * Everything below a page, including sub-pages and their content; parents come before children. Blocks in the trash are omitted.
 * @throws TooLargeError
 */
export function collectBelow(db: Connection, workspaceId: string, page: Block, choose?: Choice): Promise<Block[]> {
  return collect((...place) => listChildren(db, workspaceId, ...place), page, choose)
}

/** Checks that everything below a page can be copied. @throws TooLargeError */
export async function requireCopyable(db: Connection, workspaceId: string, page: Block, choose?: Choice): Promise<void> {
  await collect((...place) => listChildSizes(db, workspaceId, ...place), page, choose)
}

async function collect<Child extends BlockSize>(
  list: (parentId: string, afterRank: string | undefined, limit: number) => Promise<Child[]>,
  page: BlockSize,
  choose: Choice = (siblings) => Promise.resolve(siblings),
): Promise<Child[]> {
  const gathered: Child[] = []
  let contentLength = 0
  const slice = new TimeSlice()
  const parents = [page]
  for (let parent = parents.pop(); parent; parent = parents.pop()) {
    let afterRank: string | undefined
    for (;;) {
      const children = await list(parent.id, afterRank, RUN)
      // Databases consist of more than their block, and are not copied.
      const copied = await choose(children.filter(({ type }) => type !== 'child_database'))
      gathered.push(...copied)
      for (const block of copied) contentLength += block.contentLength ?? 0
      if (gathered.length > BLOCKS_MAX) throw new TooLargeError(`more than ${BLOCKS_MAX} blocks`)
      if (contentLength > CONTENT_LENGTH_MAX) throw new TooLargeError(`more than ${CONTENT_LENGTH_MAX} characters of content`)
      parents.push(...copied.filter(({ hasChildren }) => hasChildren))
      afterRank = children.at(-1)?.rank
      if (slice.isOver) await slice.next()
      if (children.length < RUN) break
    }
  }
  return gathered
}

/** The copy of a block, with references to other copied blocks replaced by their new ids. */
function copiedBlock(
  block: Block,
  ids: ReadonlyMap<string, string>,
  by: { readonly userId: string; readonly now: number },
): NewBlock {
  const { type, parentType, rank, pageId } = block
  const content = type === 'meeting_notes' ? contentOfCopiedNote(block.content) : block.content
  return {
    id: ids.get(block.id) ?? block.id,
    type,
    parentType,
    parentId: ids.get(block.parentId) ?? block.parentId,
    pageId: pageId === null ? null : (ids.get(pageId) ?? pageId),
    rank,
    content: mapJson(content, (value) => (typeof value === 'string' ? (ids.get(value) ?? value) : value)) as StoredContent,
    createdTime: by.now,
    createdBy: by.userId,
  }
}

/** Creates the copies of blocks, in steps: see `copiedBlock`. */
export function* copiedBlocks(
  blocks: readonly Block[],
  ids: ReadonlyMap<string, string>,
  by: { readonly userId: string; readonly now: number },
  change: (copy: NewBlock, block: Block) => NewBlock,
): SlicedWork<NewBlock[]> {
  const copies: NewBlock[] = []
  for (const block of blocks) {
    copies.push(change(copiedBlock(block, ids, by), block))
    yield
  }
  return copies
}

/** Returns stored JSON with some of its values replaced. Values that `change` returns unchanged are traversed. */
export function mapJson(value: unknown, change: (value: unknown) => unknown): unknown {
  const changed = change(value)
  if (changed !== value || typeof value !== 'object' || value === null) return changed
  if (Array.isArray(value)) return value.map((entry) => mapJson(entry, change))
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, mapJson(entry, change)]))
}

/** Copies the details of the pages among blocks; the copies are neither locked nor archived. @returns the details */
export async function copyDetails(
  db: Transaction,
  blocks: readonly Block[],
  ids: ReadonlyMap<string, string>,
  workspaces: { readonly from: string; readonly to: string },
): Promise<PageDetails[]> {
  const copied: PageDetails[] = []
  const slice = new TimeSlice()
  for (const { id, type } of blocks) {
    if (slice.isOver) await slice.next()
    const [copyId, page] = [ids.get(id), type === 'child_page' ? await findPage(db, workspaces.from, id) : undefined]
    if (copyId === undefined || !page) continue
    await insertPage(db, workspaces.to, copyId, { ...page, isLocked: false, isArchived: false })
    copied.push(page)
  }
  return copied
}
