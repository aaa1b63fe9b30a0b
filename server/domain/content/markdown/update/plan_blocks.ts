import type { BlockType } from '../../../../../generated/types.ts'
import { idsTogether } from '../../../../kernel/ids.ts'
import type { StoredContent } from '../../../../store/blocks.ts'
import type { SlicedWork } from '../../../../kernel/yield_to_event_loop.ts'
import { blockTypes, definitionOf } from '../../block_types/index.ts'
import type { WantedBlock } from '../diff/diff_blocks.ts'
import type { Drafter } from '../parse/drafter.ts'
import type { MarkdownBlock } from '../shared/markdown_block.ts'
import type { LoadedNode } from '../write/load_tree.ts'
import type { Rendering } from '../write/render_block.ts'
import type { SegmentRange } from './segmented_text.ts'

/** A planned block: an existing one to keep, or a new one to create. */
export type Planned = { readonly block: MarkdownBlock; readonly children: readonly Planned[] | undefined } & (
  | { readonly kept: LoadedNode }
  | { readonly kept: undefined; readonly id: string; readonly type: BlockType; readonly content: StoredContent }
)

export interface PlannedPart extends SegmentRange {
  readonly plan: readonly Planned[]
}

/** The plan from the first part to the last, with the blocks between them. */
export function planBetween({ segments }: Rendering, parts: readonly PlannedPart[]): Planned[] {
  return parts.flatMap(({ start, plan }, index) => {
    const between = segments.slice(parts[index - 1]?.end ?? start, start)
    return [...between.map(({ node, block }): Planned => ({ block, kept: node, children: undefined })), ...plan]
  })
}

/**
 * The new content of a kept block whose start number changes; otherwise undefined. The first item of a numbered list stores the start
 * number.
 */
export function renumbered(planned: readonly Planned[], index: number): StoredContent | undefined {
  const { kept, block } = planned[index] ?? {}
  if (!kept || !block || !definitionOf(kept.block.type).isNumbered || planned[index - 1]?.block.type === kept.block.type)
    return undefined
  const { list_start_index: present = 1, ...content } = kept.block.content
  const start = block.fields.start ?? 1
  if (start === present) return undefined
  return start === 1 ? content : { ...content, list_start_index: start }
}

/** Turns the target state into a plan, in steps. @throws ServiceError `validation_error` for content that no block can hold */
export function* planBlocks(
  wanted: readonly WantedBlock[],
  drafter: Drafter,
  newId: () => string = idsTogether(),
): SlicedWork<Planned[]> {
  const planned: Planned[][] = []
  for (const entry of wanted) planned.push(yield* planBlock(entry, drafter, newId))
  return planned.flat()
}

function* planBlock({ block, kept, children }: WantedBlock, drafter: Drafter, newId: () => string): SlicedWork<Planned[]> {
  yield
  if (kept) return [{ block, kept, children: children && (yield* planBlocks(children, drafter, newId)) }]
  const form = drafter.formOf(block)
  if (form === 'nothing') return []
  const { isGrid } = blockTypes[block.type].markdown.draft
  if (form === 'inside' && !(isGrid && children?.some((column) => column.kept))) {
    const inside = isGrid
      ? (children ?? []).flatMap((column) => column.children ?? [])
      : (children ?? asNewBlocks(block.children))
    return yield* planBlocks(inside, drafter, newId)
  }
  const contents = yield* drafter.contentsOf(block)
  const below = form === 'alone' ? [] : yield* planBlocks(children ?? [], drafter, newId)
  return contents.map(({ type, content }, index) => ({
    block,
    kept: undefined,
    id: newId(),
    type,
    content,
    children: index < contents.length - 1 ? [] : below,
  }))
}

function asNewBlocks(blocks: readonly MarkdownBlock[]): WantedBlock[] {
  return blocks.map((block) => ({ block, kept: undefined, children: asNewBlocks(block.children) }))
}
