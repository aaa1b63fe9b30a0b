import type { BlockType } from '../../../../generated/types.ts'
import type { StoredContent } from '../../../store/blocks.ts'
import type { SlicedWork } from '../../../kernel/yield_to_event_loop.ts'
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

/** Turns the target state into a plan, in steps. @throws ServiceError `validation_error` for content that no block can hold */
export function* planBlocks(wanted: readonly WantedBlock[], drafter: Drafter): SlicedWork<Planned[]> {
  const planned: Planned[][] = []
  for (const entry of wanted) planned.push(yield* planBlock(entry, drafter))
  return planned.flat()
}

function* planBlock({ block, kept, children }: WantedBlock, drafter: Drafter): SlicedWork<Planned[]> {
  yield
  if (kept) return [{ block, kept, children: children && (yield* planBlocks(children, drafter)) }]
  const form = drafter.formOf(block)
  if (form === 'nothing') return []
  const { isGrid } = blockTypes[block.type].markdown.draft
  if (form === 'inside' && !(isGrid && children?.some((column) => column.kept))) {
    const inside = isGrid
      ? (children ?? []).flatMap((column) => column.children ?? [])
      : (children ?? asNewBlocks(block.children))
    return yield* planBlocks(inside, drafter)
  }
  const contents = yield* drafter.contentsOf(block)
  const below = form === 'alone' ? [] : yield* planBlocks(children ?? [], drafter)
  return contents.map(({ type, content }, index) => ({
    block,
    kept: undefined,
    type,
    content,
    children: index < contents.length - 1 ? [] : below,
  }))
}

function asNewBlocks(blocks: readonly MarkdownBlock[]): WantedBlock[] {
  return blocks.map((block) => ({ block, kept: undefined, children: asNewBlocks(block.children) }))
}
