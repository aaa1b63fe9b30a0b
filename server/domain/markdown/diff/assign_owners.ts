import type { BlockType } from '../../../../generated/types.ts'
import { definitionOf } from '../../block_types/index.ts'
import type { Owners } from './diff_blocks.ts'
import type { LoadedNode } from '../write/load_tree.ts'
import type { MarkdownBlock } from '../shared/markdown_block.ts'

/**
 * Which stored block each block of a text shows: the one whose line it begins on.
 * @param lines the stored block that each line of the text belongs to
 */
export function assignOwners(blocks: readonly MarkdownBlock[], lines: readonly (LoadedNode | undefined)[]): Owners {
  const owners = new Map<MarkdownBlock, LoadedNode>()
  const given = new Set<LoadedNode>()
  const visit = (block: MarkdownBlock): void => {
    const owner = lines[block.line]
    if (owner && !given.has(owner) && shownType(owner) === block.type) {
      given.add(owner)
      owners.set(block, owner)
    }
    block.children.forEach(visit)
  }
  blocks.forEach(visit)
  return owners
}

/** What a stored block reads as. */
function shownType({ block: { type, content }, isMissing }: LoadedNode): BlockType {
  return isMissing ? 'unsupported' : definitionOf(type).markdown.readsAs(content)
}
