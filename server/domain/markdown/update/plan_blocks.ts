import type { BlockType } from '../../../../generated/types.ts'
import type { StoredContent } from '../../../store/blocks.ts'
import { blockTypes } from '../../block_types/index.ts'
import type { WantedBlock } from '../diff/diff_blocks.ts'
import type { Drafter } from '../parse/drafter.ts'
import type { MarkdownBlock } from '../shared/markdown_block.ts'
import type { LoadedNode } from '../write/load_tree.ts'

/** A planned block: an existing one to keep, or a new one to create. */
export type Planned = { readonly block: MarkdownBlock; readonly children: readonly Planned[] | undefined } & (
  | { readonly kept: LoadedNode }
  | { readonly kept: undefined; readonly type: BlockType; readonly content: StoredContent }
)

/** Turns the target state into a plan. @throws ServiceError `validation_error` for content that no block can hold */
export function planBlocks(wanted: readonly WantedBlock[], drafter: Drafter): Planned[] {
  return wanted.flatMap((entry) => planBlock(entry, drafter))
}

function planBlock({ block, kept, children }: WantedBlock, drafter: Drafter): Planned[] {
  if (kept) return [{ block, kept, children: children && planBlocks(children, drafter) }]
  const form = drafter.formOf(block)
  if (form === 'nothing') return []
  const { isGrid } = blockTypes[block.type].markdown.draft
  if (form === 'inside' && !(isGrid && children?.some((column) => column.kept))) {
    const inside = isGrid
      ? (children ?? []).flatMap((column) => column.children ?? [])
      : (children ?? asNewBlocks(block.children))
    return planBlocks(inside, drafter)
  }
  const contents = drafter.contentsOf(block)
  return contents.map(({ type, content }, index) => ({
    block,
    kept: undefined,
    type,
    content,
    children: index < contents.length - 1 || form === 'alone' ? [] : planBlocks(children ?? [], drafter),
  }))
}

function asNewBlocks(blocks: readonly MarkdownBlock[]): WantedBlock[] {
  return blocks.map((block) => ({ block, kept: undefined, children: asNewBlocks(block.children) }))
}
