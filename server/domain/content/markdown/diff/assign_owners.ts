import type { BlockType } from '../../../../../generated/types.ts'
import { definitionOf } from '../../block_types/index.ts'
import type { Owners } from './diff_blocks.ts'
import type { LoadedNode } from '../write/load_tree.ts'
import type { MarkdownBlock } from '../shared/markdown_block.ts'

/**
 * Maps each parsed block to the stored block that it represents: the owner of the line on which it begins.
 * @param lines the stored block that owns each line of the text
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

/** The type as which a stored block is parsed from its Markdown. */
function shownType({ block: { type, content }, isMissing }: LoadedNode): BlockType {
  return isMissing ? 'unsupported' : definitionOf(type).markdown.readsAs(content)
}
