import { inSlices } from '../../../../kernel/yield_to_event_loop.ts'
import { assignOwners } from '../diff/assign_owners.ts'
import type { Owners } from '../diff/diff_blocks.ts'
import { withBlockLimit } from '../parse/draft_markdown.ts'
import { parsePart } from '../parse/parse_blocks.ts'
import type { MarkdownBlock } from '../shared/markdown_block.ts'
import type { LoadedNode } from '../write/load_tree.ts'
import type { PageSegment } from '../write/render_block.ts'

/** The current text of a part of a page, and its new text. */
interface PartText {
  readonly text: string
  readonly inside: readonly PageSegment[]
  readonly written: string
}

/** The blocks of parts of a page, before and after a change. */
interface ParsedChange {
  readonly old: readonly MarkdownBlock[]
  readonly owners: Owners
  /** The new blocks of each part. */
  readonly fresh: readonly (readonly MarkdownBlock[])[]
  /** Whether each part is parsed the same way whatever follows it. If not, the blocks may be incomplete. */
  readonly isClosed: boolean
}

/**
 * Parses parts of a page.
 * @param blocksMax the maximum number of blocks of all parts together
 * @param path of the Markdown in the request, for messages
 * @throws ServiceError `validation_error` if there are more
 */
export async function parseChange(parts: readonly PartText[], blocksMax: number, path: string): Promise<ParsedChange> {
  const [old, fresh]: [(readonly MarkdownBlock[])[], (readonly MarkdownBlock[])[]] = [[], []]
  const owners = new Map<MarkdownBlock, LoadedNode>()
  let blocksLeft = blocksMax
  for (const { text, inside, written } of parts) {
    const { blocks: current } = await inSlices(parsePart(text, Infinity))
    old.push(current)
    for (const [block, node] of assignOwners(
      current,
      inside.flatMap((segment) => segment.owners),
    ))
      owners.set(block, node)
    const parsed = await withBlockLimit(blocksMax, path, parsePart(written, blocksLeft))
    fresh.push(parsed.blocks)
    if (!parsed.isClosed) return { old: old.flat(), owners, fresh, isClosed: false }
    blocksLeft = parsed.blocksLeft
  }
  return { old: old.flat(), owners, fresh, isClosed: true }
}
