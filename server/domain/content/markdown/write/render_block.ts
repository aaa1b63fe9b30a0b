import type { PageMarkdown } from '../../../../../generated/types.ts'
import { inSlices, yieldToEventLoop, type SlicedWork } from '../../../../kernel/yield_to_event_loop.ts'
import type { PlacedContent } from '../../../../store/placed_content.ts'
import { findDatabases, type DatabaseDetails } from '../../../../store/databases.ts'
import { definitionOf } from '../../block_types/index.ts'
import type { ShowFacts } from '../../block_types/markdown_rules.ts'
import { presentIcon, type StoredIcon } from '../../icons.ts'
import type { Facts } from '../../rich_text/facts.ts'
import { gatherFactsOfMany } from '../../rich_text/gather.ts'
import type { Scope } from '../../../shared/index.ts'
import { writerOfLevel } from './write_blocks.ts'
import { eachNode, loadTree, MISSING_MAX, type LoadedNode, type LoadedTree } from './load_tree.ts'
import { SlicedPresenter } from './markdown_presenter.ts'
import type { MarkdownBlock } from '../shared/markdown_block.ts'

/** The Markdown of one top-level block with its descendants. */
export interface PageSegment {
  readonly node: LoadedNode
  readonly block: MarkdownBlock
  readonly text: string
  /** The stored block that owns each line. */
  readonly owners: readonly (LoadedNode | undefined)[]
}

/** A page or block as Markdown. Its text consists of the segments in order. */
export interface Rendering {
  readonly tree: LoadedTree
  readonly segments: readonly PageSegment[]
  /** The stored block that each block of the dialect represents. */
  readonly shown: ReadonlyMap<MarkdownBlock, LoadedNode>
}

/** @param includeTranscripts whether meeting notes show their transcripts, or only link to them */
export async function renderBlock(scope: Scope, root: PlacedContent, includeTranscripts: boolean): Promise<Rendering> {
  const tree = await loadTree(scope, root, includeTranscripts)
  return renderNodes(scope, tree, root.type === 'child_page' ? tree.root.children : [tree.root])
}

/** Renders nodes of one level of the tree. A numbered list must be passed as a whole. */
export async function renderNodes(scope: Scope, tree: LoadedTree, nodes: readonly LoadedNode[]): Promise<Rendering> {
  await yieldToEventLoop()
  const showing = new SlicedPresenter<LoadedNode>(await factsOfTree(scope, tree))
  await yieldToEventLoop()
  return { tree, segments: await inSlices(segmentsOf(nodes, showing)), shown: showing.nodes }
}

function* segmentsOf(nodes: readonly LoadedNode[], showing: SlicedPresenter<LoadedNode>): SlicedWork<PageSegment[]> {
  const [write, segments]: [ReturnType<typeof writerOfLevel>, PageSegment[]] = [writerOfLevel(), []]
  for (const node of nodes) {
    const block = yield* showing.presented(node)
    const { text, owners } = yield* write(block)
    segments.push({ node, block, text, owners: owners.map((block) => showing.nodes.get(block)) })
    yield
  }
  return segments
}

/** A rendering as a response object. */
export function pageMarkdown({ tree, segments }: Rendering): PageMarkdown {
  const missing: string[] = []
  if (!tree.isWhole)
    eachNode<LoadedNode>(tree.root, ({ block, isMissing }) => {
      if (isMissing) missing.push(block.id)
    })
  return {
    object: 'page_markdown',
    id: tree.root.block.id,
    markdown: segments.map(({ text }) => text).join('\n'),
    truncated: missing.length > 0 || tree.hasMore,
    unknown_block_ids: missing.slice(0, MISSING_MAX),
  }
}

/** Reads everything that a tree refers to. */
export async function factsOfTree(scope: Scope, { root, originals }: LoadedTree): Promise<ShowFacts> {
  const values: unknown[] = []
  const databaseIds = new Set<string>()
  eachNode<LoadedNode>(root, ({ block }) => {
    const named = definitionOf(block.type).markdown.names(block)
    if (named?.kind === 'database') databaseIds.add(named.id)
    // A block that names a page is treated like a mention of the page.
    values.push(named === undefined ? block.content : { type: 'page', page: { id: named.id } })
  })
  const databases = await findDatabases(scope.db, scope.actor.workspaceId, [...databaseIds])
  const facts = await gatherFactsOfMany(scope, [...values, ...[...databases.values()].map(({ icon }) => icon)])
  return { ...facts, originals, databases: shownOf(databases, facts) }
}

/** Further details of the databases whose names the caller may read. */
function shownOf(databases: ReadonlyMap<string, DatabaseDetails>, facts: Facts): ShowFacts['databases'] {
  return new Map(
    [...databases]
      .filter(([id]) => facts.titles.has(id))
      .map(([id, { isInline, icon }]) => [id, { inline: isInline, icon: presentIcon(icon as StoredIcon | null, facts) }]),
  )
}
