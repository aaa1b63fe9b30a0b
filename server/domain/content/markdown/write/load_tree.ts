import { inSlices, yieldToEventLoop, type SlicedWork } from '../../../../kernel/yield_to_event_loop.ts'
import { visibleAmong } from '../../../../store/access.ts'
import type { Block } from '../../../../store/blocks.ts'
import { listContent, listContentOfAll, type KnownContent, type PlacedContent } from '../../../../store/placed_content.ts'
import { definitionOf, isPageOrDatabase, originalOf } from '../../block_types/index.ts'
import type { LoadRules, PageNode } from '../../block_types/markdown_rules.ts'
import { visibleOriginals } from '../../blocks/present.ts'
import type { Scope } from '../../../shared/index.ts'
import { BLOCKS_MAX, DEPTH_MAX } from '../shared/markdown_block.ts'

/** The maximum length of the text of one response, in characters; approximate. */
export const SIZE_MAX = 4_000_000
/** The maximum number of omitted blocks whose ids a response lists. */
export const MISSING_MAX = 100

export interface LoadedNode extends PageNode<LoadedNode> {
  readonly block: PlacedContent
}

export interface LoadedTree {
  readonly root: LoadedNode
  /** The originals of synced copies in the tree. */
  readonly originals: ReadonlyMap<string, Block>
  /** Whether the root has further children that are neither loaded nor listed. */
  readonly hasMore: boolean
  /** Whether nothing was omitted because of limits or missing access. */
  readonly isWhole: boolean
  readonly extent: Extent
}

/** The size of a tree without its root. */
export interface Extent {
  readonly blocks: number
  /** Approximate number of characters. */
  readonly size: number
}

interface GrowingNode extends LoadedNode {
  children: GrowingNode[]
  isMissing: boolean
  readonly parent: GrowingNode | undefined
}

/**
 * Loads a page or block with its descendants, level by level, up to the limits of a response. Where a limit is reached, the whole subtree
 * of a block is omitted.
 */
export async function loadTree(scope: Scope, root: PlacedContent, includeTranscripts: boolean): Promise<LoadedTree> {
  return new Loader(scope, root, includeTranscripts).load()
}

/** Loads a tree without transcripts again. Content that has not changed is not parsed again. */
export async function reloadTree(scope: Scope, { root }: LoadedTree, present: PlacedContent): Promise<LoadedTree> {
  const known = new Map<string, PlacedContent>()
  await inSlices(addBlocks([root], known))
  return new Loader(scope, present, false, known).load()
}

function* addBlocks(nodes: readonly LoadedNode[], known: Map<string, PlacedContent>): SlicedWork<void> {
  for (const { block, children } of nodes) {
    known.set(block.id, block)
    yield
    yield* addBlocks(children, known)
  }
}

/** The size of nodes with their descendants. */
export function* extentOf(nodes: readonly LoadedNode[]): SlicedWork<Extent> {
  let [blocks, size] = [nodes.length, 0]
  for (const { block, children } of nodes) {
    size += lengthOf(block.content)
    yield
    if (children.length === 0) continue
    const below = yield* extentOf(children)
    blocks += below.blocks
    size += below.size
  }
  return { blocks, size }
}

/** Shared by all nodes without children, which are most nodes: a list for each would take most of a large page's memory. */
const NO_CHILDREN: GrowingNode[] = []
const PARENTS_AT_ONCE = 100
const ROWS_AT_ONCE = 1_000
/** The number of children of one block that are read at a time: fewer if they are long. */
const ROWS_OF_ONE_AT_ONCE = { first: 100, least: 25, most: 500 } as const
const SIZE_AT_ONCE = 200_000

class Loader {
  readonly #scope: Scope
  readonly #root: GrowingNode
  readonly #includeTranscripts: boolean
  readonly #originals = new Map<string, Block>()
  readonly #known: KnownContent | undefined
  #blocksLeft = BLOCKS_MAX
  #sizeLeft = SIZE_MAX
  #hasMore = false
  #isWhole = true

  constructor(scope: Scope, root: PlacedContent, includeTranscripts: boolean, known?: KnownContent) {
    this.#scope = scope
    this.#known = known
    this.#root = { block: root, children: [], isMissing: false, parent: undefined }
    this.#includeTranscripts = includeTranscripts
  }

  async load(): Promise<LoadedTree> {
    let level = [this.#root]
    for (let depth = 0; level.length > 0; depth += 1) {
      const open = await this.#openAmong(level)
      if (depth < DEPTH_MAX)
        for (let start = 0; start < open.length; start += PARENTS_AT_ONCE)
          await this.#fill(open.slice(start, start + PARENTS_AT_ONCE))
      else for (const { node } of open) this.#cut(node)
      level = level.flatMap(({ children, isMissing }) => (isMissing ? [] : children))
    }
    await this.#hideInvisible()
    return {
      root: this.#root,
      originals: this.#originals,
      hasMore: this.#hasMore,
      isWhole: this.#isWhole,
      extent: { blocks: BLOCKS_MAX - this.#blocksLeft, size: SIZE_MAX - this.#sizeLeft },
    }
  }

  /** The nodes of a level that show children, each with the block whose children it shows. */
  async #openAmong(level: readonly GrowingNode[]): Promise<{ node: GrowingNode; source: string }[]> {
    const copied = await inSlices(originalsAmong(level))
    for (const [id, original] of await visibleOriginals(this.#scope, [...copied])) this.#originals.set(id, original)
    return inSlices(this.#sourcesOf(level))
  }

  *#sourcesOf(level: readonly GrowingNode[]): SlicedWork<{ node: GrowingNode; source: string }[]> {
    const open: { node: GrowingNode; source: string }[] = []
    for (const node of level) {
      const source = this.#sourceOf(node)
      if (source !== undefined && !node.isMissing) open.push({ node, source })
      yield
    }
    return open
  }

  #sourceOf(node: GrowingNode): string | undefined {
    const { block } = node
    const { children } = loadRulesOf(block)
    if (children === 'as root') return node === this.#root ? block.id : undefined
    const original = originalOf(block)
    if (original !== undefined) {
      return this.#originals.get(original)?.hasChildren && !isInside(node, original) ? original : undefined
    }
    return block.hasChildren && children === 'always' ? block.id : undefined
  }

  /** Loads the children of nodes, in one statement if they fit within the limits. */
  async #fill(open: readonly { node: GrowingNode; source: string }[]): Promise<void> {
    const limit = Math.min(this.#blocksLeft, ROWS_AT_ONCE) + 1
    const sources = [...new Set(open.map(({ source }) => source))]
    const rows =
      this.#blocksLeft > 0
        ? await listContentOfAll(this.#scope.db, this.#scope.actor.workspaceId, sources, limit, this.#known)
        : []
    await yieldToEventLoop()
    if (rows.length === limit || this.#blocksLeft === 0) {
      for (const { node, source } of open) await this.#fillOne(node, source)
      return
    }
    const bySource = Map.groupBy(rows, ({ parentId }) => parentId)
    for (const { node, source } of open) {
      const children = (bySource.get(source) ?? []).sort((one, other) => (one.rank < other.rank ? -1 : 1))
      if (!(await this.#take(node, children))) this.#cut(node)
    }
  }

  async #fillOne(node: GrowingNode, source: string): Promise<void> {
    if (this.#blocksLeft === 0 && node !== this.#root) return this.#cut(node)
    const { db, actor } = this.#scope
    const [found, sizes]: [PlacedContent[], number[]] = [[], []]
    const wanted = this.#blocksLeft + MISSING_MAX + 1
    let [size, rows, isLast]: [number, number, boolean] = [0, ROWS_OF_ONE_AT_ONCE.first, false]
    while (!isLast && found.length < wanted && size <= this.#sizeLeft) {
      const page = await listContent(db, actor.workspaceId, source, found.at(-1)?.rank, rows, this.#known)
      await yieldToEventLoop()
      const ofPage = await inSlices(sizesOf(page))
      found.push(...page)
      sizes.push(...ofPage)
      const pageSize = sumOf(ofPage)
      size += pageSize
      isLast = page.length < rows
      rows = Math.max(ROWS_OF_ONE_AT_ONCE.least, Math.min(ROWS_OF_ONE_AT_ONCE.most, Math.floor((rows * SIZE_AT_ONCE) / pageSize)))
    }
    if (node === this.#root) this.#takeSome(found, sizes)
    else if (!(await this.#take(node, found, sizes))) this.#cut(node)
  }

  /** Adds children to a node. @returns false if they do not fit within the limits */
  async #take(node: GrowingNode, children: readonly PlacedContent[], sizes?: readonly number[]): Promise<boolean> {
    const size = sumOf(sizes ?? (await inSlices(sizesOf(children))))
    if (children.length > this.#blocksLeft || size > this.#sizeLeft) return false
    this.#blocksLeft -= children.length
    this.#sizeLeft -= size
    const transcript = this.#includeTranscripts ? undefined : loadRulesOf(node.block).transcript(node.block.content)
    node.children = children
      .filter(({ id }) => id !== transcript)
      .map((block) => ({ block, children: NO_CHILDREN, isMissing: false, parent: node }))
    return true
  }

  /** Adds as many children to the root as fit, and lists some of the others as missing: the root itself is never omitted. */
  #takeSome(children: readonly PlacedContent[], sizes: readonly number[]): void {
    let kept = 0
    for (const size of sizes) {
      if (kept >= this.#blocksLeft || size > this.#sizeLeft) break
      kept += 1
      this.#sizeLeft -= size
    }
    this.#blocksLeft -= kept
    this.#hasMore = children.length > kept + MISSING_MAX
    if (children.length > kept) this.#isWhole = false
    this.#root.children = children
      .slice(0, kept + MISSING_MAX)
      .map((block, index) => ({ block, children: NO_CHILDREN, isMissing: index >= kept, parent: this.#root }))
  }

  #cut(node: GrowingNode): void {
    this.#isWhole = false
    let cut = node
    while (cut.parent && cut.parent !== this.#root && loadRulesOf(cut.parent.block).isWhole) cut = cut.parent
    if (cut === this.#root) return
    cut.isMissing = true
    cut.children = []
  }

  /** Marks pages as missing that a member cannot see: seeing a page does not imply access to the pages inside it. */
  async #hideInvisible(): Promise<void> {
    if (this.#scope.actor.memberLevel === undefined) return
    const targets: GrowingNode[] = []
    eachNode(this.#root, (node) => {
      if (node !== this.#root && isPageOrDatabase(node.block)) targets.push(node)
    })
    const ids = targets.map(({ block }) => block.id)
    const visible = await visibleAmong(this.#scope.db, this.#scope.actor, ids)
    for (const node of targets) node.isMissing ||= !visible.has(node.block.id)
    this.#isWhole &&= targets.every(({ isMissing }) => !isMissing)
  }
}

/** Whether a node is below an original or a copy of it. */
function isInside({ parent }: GrowingNode, original: string): boolean {
  if (!parent) return false
  return parent.block.id === original || originalOf(parent.block) === original || isInside(parent, original)
}

function loadRulesOf({ type }: PlacedContent): LoadRules {
  return definitionOf(type).markdown.load
}

/** Calls `visit` for a node and everything below it, in the order of the text. */
export function eachNode<Node extends { readonly children: readonly Node[] }>(node: Node, visit: (node: Node) => void): void {
  visit(node)
  for (const child of node.children) eachNode(child, visit)
}

function* originalsAmong(level: readonly LoadedNode[]): SlicedWork<Set<string>> {
  const originals = new Set<string>()
  for (const { block } of level) {
    const original = originalOf(block)
    if (original !== undefined) originals.add(original)
    yield
  }
  return originals
}

function* sizesOf(blocks: readonly PlacedContent[]): SlicedWork<number[]> {
  const sizes: number[] = []
  for (const { content } of blocks) {
    sizes.push(lengthOf(content))
    yield
  }
  return sizes
}

function sumOf(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** The approximate length of the text of stored content. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 1
  let length = 0
  // This runs for every value of every block. `for in` avoids creating a list of keys.
  const record = value as Readonly<Record<string, unknown>>
  if (Array.isArray(value)) for (const entry of value) length += 2 + lengthOf(entry)
  else for (const key in record) length += 2 + lengthOf(record[key])
  return length
}
