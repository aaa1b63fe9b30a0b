import type { Block, BlockOrPartialBlock } from '../../generated/types.ts'
import type { WorkspaceClient } from './client.ts'
import { isFullBlock } from './guards.ts'
import type { CallOptions } from './options.ts'

export interface WalkOptions extends CallOptions {
  /** The number of lists of children that are requested at the same time. Default: 4. */
  readonly concurrency?: number
}

/** A block of a tree. */
export interface WalkedBlock {
  readonly block: BlockOrPartialBlock
  /** 0 for the children of the page. */
  readonly depth: number
}

interface Entry extends WalkedBlock {
  children?: Promise<BlockOrPartialBlock[]>
}

/** Blocks that are pages of their own. */
const PAGES: readonly Block['type'][] = ['child_page', 'child_database']
/** How many blocks ahead of the caller children are requested, so that a slow caller does not fill the memory. */
const LOOK_AHEAD = 100

/** Every block below a page or block, in the order of the document. It does not enter pages and databases inside of the page. */
export async function* walkBlocks(
  client: WorkspaceClient,
  block_id: string,
  { concurrency = 4, ...options }: WalkOptions = {},
): AsyncGenerator<WalkedBlock, void, undefined> {
  const childrenOf = (id: string): Promise<BlockOrPartialBlock[]> => client.blocks.children.list({ block_id: id }, options).all()
  // The next block is the last entry.
  const ahead = entriesOf(await childrenOf(block_id), 0)
  for (let entry = ahead.pop(); entry; entry = ahead.pop()) {
    for (const next of nextParents(ahead, entry, concurrency)) {
      next.children ??= childrenOf(next.block.id)
      // It is awaited later, or never, if the caller stops.
      next.children.catch(() => undefined)
    }
    yield { block: entry.block, depth: entry.depth }
    if (entry.children) ahead.push(...entriesOf(await entry.children, entry.depth + 1))
  }
}

function entriesOf(blocks: readonly BlockOrPartialBlock[], depth: number): Entry[] {
  return blocks.map((block) => ({ block, depth })).reverse()
}

/** The entry and those after it, as many as may be requested at once, that have children. */
function nextParents(ahead: readonly Entry[], entry: Entry, count: number): Entry[] {
  const near = [entry, ...ahead.slice(-LOOK_AHEAD).reverse()]
  return near
    .filter(({ block }) => isFullBlock(block) && block.has_children && !PAGES.includes(block.type))
    .slice(0, Math.max(1, count))
}
