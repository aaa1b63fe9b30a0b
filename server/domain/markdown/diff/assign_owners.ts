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

const FORMLESS: ReadonlySet<string> = new Set(['bookmark', 'embed', 'link_preview', 'breadcrumb', 'template', 'unsupported'])

/** What a stored block reads as. */
function shownType({ block: { type, content }, isMissing }: LoadedNode): string {
  if (isMissing || FORMLESS.has(type)) return 'unsupported'
  if (type !== 'link_to_page') return type
  return 'page_id' in content ? 'child_page' : 'database_id' in content ? 'child_database' : 'unsupported'
}
