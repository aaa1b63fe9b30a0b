import type { Block, PartialBlock } from '../../../../generated/types.ts'
import { canonicalId } from '../../../kernel/ids.ts'
import { findVisibleBlock, listVisibleChildren, type Block as StoredBlock } from '../../../store/blocks.ts'
import type { Scope } from '../../shared/index.ts'
import { definitionOf, isPageOrDatabase, originalOf } from '../block_types/index.ts'
import { requireVisible } from './access.ts'
import { presentBlocks, visibleOriginals } from './present.ts'

/** A block with its descendants, as far as they were read. */
export interface BlockTree {
  readonly block: Block | PartialBlock
  readonly children: readonly BlockTree[]
  /** The first child that was not read; null if all were read, `unknown` if reading stopped before any child. */
  readonly rest: string | 'unknown' | null
}

export interface TreeLimits {
  readonly blocks: number
  readonly children: number
  /** The maximum number of characters of stored content. */
  readonly size: number
  readonly depth: number
}

interface GrowingNode {
  readonly stored: StoredBlock
  children: GrowingNode[]
  rest: BlockTree['rest']
  readonly parent: GrowingNode | undefined
}

/**
 * Reads the content of a page or block, level by level, up to the limits.
 * @param from the child to begin with; undefined for the first one
 * @throws ServiceError `object_not_found`
 */
export async function readTree(scope: Scope, id: string, from: string | undefined, limits: TreeLimits): Promise<BlockTree> {
  const stored = await requireVisible(scope, id)
  const root: GrowingNode = { stored, children: [], rest: null, parent: undefined }
  const start = from === undefined ? undefined : await findVisibleBlock(scope.db, scope.actor, canonicalId(from))
  const reader = new TreeReader(scope, limits)
  const source = await reader.sourceOf(root)
  if (source !== undefined) await reader.fill(root, source, start?.parentId === source ? start.rank : undefined)
  for (let level = root.children, depth = 1; level.length > 0; depth += 1) {
    await reader.fillLevel(level, depth)
    level = level.flatMap(({ children }) => children)
  }
  return present(scope, root)
}

class TreeReader {
  readonly #scope: Scope
  readonly #limits: TreeLimits
  #blocksLeft: number
  #sizeLeft: number

  constructor(scope: Scope, limits: TreeLimits) {
    this.#scope = scope
    this.#limits = limits
    this.#blocksLeft = limits.blocks
    this.#sizeLeft = limits.size
  }

  async fillLevel(level: readonly GrowingNode[], depth: number): Promise<void> {
    for (const node of level) {
      if (isPageOrDatabase(node.stored)) continue
      const source = await this.sourceOf(node)
      if (source === undefined) continue
      if (depth < this.#limits.depth && this.#blocksLeft > 0 && this.#sizeLeft > 0) await this.fill(node, source, undefined)
      else node.rest = 'unknown'
    }
  }

  /** The block whose children a node shows; for a synced copy, its original. Undefined if the node shows none, or would contain itself. */
  async sourceOf(node: GrowingNode): Promise<string | undefined> {
    const { stored } = node
    if (!definitionOf(stored.type).children.areListed) return undefined
    const original = originalOf(stored)
    if (original === undefined) return stored.hasChildren ? stored.id : undefined
    if (isInside(node, original)) return undefined
    return (await visibleOriginals(this.#scope, [original])).get(original)?.hasChildren ? original : undefined
  }

  async fill(node: GrowingNode, source: string, rank: string | undefined): Promise<void> {
    const { db, actor } = this.#scope
    const limit = Math.min(this.#limits.children, this.#blocksLeft)
    const found = await listVisibleChildren(db, actor, source, rank, limit + 1, true)
    for (const stored of found.slice(0, limit)) {
      if (this.#sizeLeft <= 0) break
      node.children.push({ stored, children: [], rest: null, parent: node })
      this.#sizeLeft -= stored.contentLength ?? 0
    }
    this.#blocksLeft -= node.children.length
    node.rest = found[node.children.length]?.id ?? null
  }
}

/** Whether a node is below an original or a copy of it. */
function isInside({ parent }: GrowingNode, original: string): boolean {
  if (!parent) return false
  return parent.stored.id === original || originalOf(parent.stored) === original || isInside(parent, original)
}

async function present(scope: Scope, root: GrowingNode): Promise<BlockTree> {
  const nodes: GrowingNode[] = []
  const collect = (node: GrowingNode): void => {
    nodes.push(node)
    for (const child of node.children) collect(child)
  }
  collect(root)
  const blocks = await presentBlocks(
    scope,
    nodes.map(({ stored }) => stored),
  )
  const presented = new Map(nodes.map((node, index) => [node, blocks[index]]))
  const treeOf = (node: GrowingNode): BlockTree => ({
    block: presented.get(node) ?? { object: 'block', id: node.stored.id },
    children: node.children.map(treeOf),
    rest: node.rest,
  })
  return treeOf(root)
}
