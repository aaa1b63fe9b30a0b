import { inSlices, type SlicedWork } from '../../../../kernel/yield_to_event_loop.ts'
import type { StoredContent } from '../../../../store/blocks.ts'
import type { PlacedContent } from '../../../../store/placed_content.ts'
import { definitionOf, isPageOrDatabase, originalOf } from '../../block_types/index.ts'
import type { Scope } from '../../../shared/index.ts'
import { BLOCKS_MAX, DEPTH_MAX } from '../shared/markdown_block.ts'
import { extentOf, SIZE_MAX, type Extent, type LoadedNode, type LoadedTree } from '../write/load_tree.ts'
import { renderNodes, type PageSegment, type Rendering } from '../write/render_block.ts'
import type { PlannedUpdate } from './markdown_update.ts'
import { planBetween, renumbered, type Planned, type PlannedPart } from './plan_blocks.ts'

/** The maximum number of parts that are rendered one by one. For more, the whole page is rendered. */
const PARTS_MAX = 20

/**
 * The page as it will be after a planned change, so that the transaction need not read and render it.
 * @returns undefined if the result depends on more than the plan: on hidden content of the page, or on uploads that have yet to be attached
 */
export async function renderAfter(
  scope: Scope,
  present: Rendering,
  { parts, difference, references }: PlannedUpdate,
): Promise<Rendering | undefined> {
  const { tree, segments } = present
  const first = parts[0]
  const last = parts.at(-1)
  if (!first || !last || references.uploads.length > 0) return undefined
  if (!tree.isWhole || tree.hasMore || tree.originals.size > 0 || takesUnread(difference.removed, difference.isKept))
    return undefined
  const nodes = await inSlices(nodesOf(tree.root.block.id, tree.root, planBetween(present, parts)))
  const within = await inSlices(extentWithin(nodes, 1))
  if (!within) return undefined
  const before = await inSlices(extentOf(segments.slice(first.start, last.end).map(({ node }) => node)))
  const extent = {
    blocks: tree.extent.blocks - before.blocks + within.blocks,
    size: tree.extent.size - before.size + within.size,
  }
  if (extent.blocks > BLOCKS_MAX || extent.size > SIZE_MAX) return undefined
  const [start, end] = [segments.slice(0, first.start), segments.slice(last.end)]
  const children = [...start.map(({ node }) => node), ...nodes, ...end.map(({ node }) => node)]
  const after: LoadedTree = { ...tree, root: { ...tree.root, children }, extent }
  if (parts.length > PARTS_MAX) return renderNodes(scope, after, children)
  return { ...present, tree: after, segments: [...start, ...(await segmentsOfParts(scope, present, parts, nodes)), ...end] }
}

/** Renders the parts. The content between them stays. */
async function segmentsOfParts(
  scope: Scope,
  { tree, segments }: Rendering,
  parts: readonly PlannedPart[],
  nodes: readonly LoadedNode[],
): Promise<PageSegment[]> {
  const rendered: PageSegment[][] = []
  let [place, end] = [0, parts[0]?.start ?? 0]
  for (const part of parts) {
    place += part.start - end
    const inside = nodes.slice(place, place + part.plan.length)
    const shown = await renderNodes(scope, { ...tree, root: { ...tree.root, children: inside } }, inside)
    rendered.push(segments.slice(end, part.start), [...shown.segments])
    place += part.plan.length
    end = part.end
  }
  return rendered.flat()
}

/** Whether the removed blocks include pages, or blocks that were not loaded: some of their content may stay. */
function takesUnread(removed: readonly LoadedNode[], isKept: (node: LoadedNode) => boolean): boolean {
  return removed.some(
    (node) =>
      !isKept(node) &&
      (isPageOrDatabase(node.block) ||
        (node.block.hasChildren && node.children.length === 0) ||
        takesUnread(node.children, isKept)),
  )
}

type BlockPlace = Pick<PlacedContent, 'parentId' | 'pageId' | 'rank'>

/** Planned blocks as they will be loaded. Their ranks are allocated when they are stored. */
function* nodesOf(pageId: string, parent: LoadedNode, planned: readonly Planned[]): SlicedWork<LoadedNode[]> {
  const nodes: LoadedNode[] = []
  for (const [index, entry] of planned.entries()) {
    const own = nodeOf({ pageId, parentId: parent.block.id, rank: '' }, entry, renumbered(planned, index))
    nodes.push(entry.children ? { ...own, children: yield* nodesOf(pageId, own, entry.children) } : own)
    yield
  }
  return nodes
}

function nodeOf(place: BlockPlace, entry: Planned, content: StoredContent | undefined): LoadedNode {
  if (entry.kept) return content ? { ...entry.kept, block: { ...entry.kept.block, content } } : entry.kept
  const block = { ...place, id: entry.id, type: entry.type, content: entry.content, hasChildren: false }
  return { block, children: [], isMissing: false }
}

/** The size of new content. @returns undefined if loading it in its place would omit part of it */
function* extentWithin(nodes: readonly LoadedNode[], depth: number): SlicedWork<Extent | undefined> {
  const sum = yield* extentOf(nodes)
  for (let [level, at] = [nodes, depth]; level.length > 0; at += 1) {
    for (const { block, children } of level) {
      const isOpen = at < DEPTH_MAX && definitionOf(block.type).markdown.load.children === 'always'
      if (originalOf(block) !== undefined || (children.length > 0 && !isOpen)) return undefined
    }
    yield
    level = level.flatMap(({ children }) => children)
  }
  return sum
}
