import { blockTypes } from '../../block_types/index.ts'
import type { Difference, Owners, WantedBlock } from './diff_blocks.ts'
import { isOpaque } from './fingerprints.ts'
import type { LoadedNode } from '../write/load_tree.ts'
import type { MarkdownBlock } from '../shared/markdown_block.ts'

/**
 * Inserts new blocks between the existing ones, which all stay.
 * @param place an end of the page, or the stored block to insert after; for a block inside a table or a column list, new blocks follow the
 * whole table or list
 */
export function diffInsertion(
  old: readonly MarkdownBlock[],
  owners: Owners,
  fresh: readonly MarkdownBlock[],
  place: 'start' | 'end' | LoadedNode,
): Difference {
  const added = fresh.map(withoutOwner)
  const stay = (block: MarkdownBlock, children?: readonly WantedBlock[]): WantedBlock[] => {
    const kept = owners.get(block)
    return kept ? [{ block, kept, children }] : []
  }
  const path = typeof place === 'string' ? undefined : pathTo(old, owners, place)
  while (path && takesPartsOnly(path.at(-2))) path.pop()
  const insertBelow = (blocks: readonly MarkdownBlock[], [next, ...rest]: readonly MarkdownBlock[]): WantedBlock[] =>
    blocks.flatMap((block) => {
      if (block !== next) return stay(block)
      return rest.length === 0 ? [...stay(block), ...added] : stay(block, insertBelow(block.children, rest))
    })
  const present = old.flatMap((block) => stay(block))
  const wanted = path ? insertBelow(old, path) : place === 'start' ? [...added, ...present] : [...present, ...added]
  return { wanted, removed: [], isKept: () => true }
}

/** Whether a block accepts only its own part type as children. */
function takesPartsOnly(block: MarkdownBlock | undefined): boolean {
  return block !== undefined && blockTypes[block.type].children.only !== null
}

function pathTo(blocks: readonly MarkdownBlock[], owners: Owners, node: LoadedNode): MarkdownBlock[] | undefined {
  for (const block of blocks) {
    if (owners.get(block) === node) return [block]
    const below = pathTo(block.children, owners, node)
    if (below) return [block, ...below]
  }
  return undefined
}

function withoutOwner(block: MarkdownBlock): WantedBlock {
  return { block, kept: undefined, children: isOpaque(block) ? undefined : block.children.map(withoutOwner) }
}
