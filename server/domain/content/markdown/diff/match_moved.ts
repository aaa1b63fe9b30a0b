import type { SlicedWork } from '../../../../kernel/yield_to_event_loop.ts'
import { blockTypes } from '../../block_types/index.ts'
import { isNamed, type Fingerprints } from './fingerprints.ts'
import type { MarkdownBlock } from '../shared/markdown_block.ts'

type Blocks = readonly MarkdownBlock[]

/** Which blocks are still unmatched, and how to pair them. */
interface Pairing {
  readonly isFree: (block: MarkdownBlock) => boolean
  /** Pairs two blocks, and their unmatched descendants that are in the same order. */
  readonly pair: (old: MarkdownBlock, fresh: MarkdownBlock) => void
}

/**
 * Matches blocks that were moved. Unambiguous matches, which occur exactly once on both sides, come first: equal subtrees, then blocks that
 * are equal apart from their children, which are then matched too. Ambiguous matches, such as several links to one page, come last: equal
 * subtrees, the largest first so that they are not taken apart, and blocks with an id in their tag by that id. Blocks whose children
 * changed are matched at the very end, so that they do not take the match of a block that only moved. Works in steps.
 * @param old the blocks of the current text, in its order, matched and unmatched
 * @param fresh the blocks of the changed text
 */
export function* matchMoved(old: Blocks, fresh: Blocks, fingerprints: Fingerprints, { isFree, pair }: Pairing): SlicedWork<void> {
  const pairWith = (found: MarkdownBlock | undefined, block: MarkdownBlock): void => {
    if (found && isFree(block)) pair(found, block)
  }
  for (const which of ['whole', 'own'] as const) {
    const [inOld, inFresh] = [old, fresh].map((blocks) =>
      Map.groupBy(blocks.filter(isFree), (block) => fingerprints.of(block)[which]),
    )
    for (const block of fresh) {
      yield
      const key = fingerprints.of(block)[which]
      const [one, two] = inOld?.get(key) ?? []
      if (one && !two && isFree(one) && inFresh?.get(key)?.length === 1) pairWith(one, block)
    }
  }
  yield
  const unmatched = new UnmatchedBlocks(old, fingerprints, isFree)
  const bySize = fresh.filter(isFree).toSorted((one, other) => fingerprints.of(other).size - fingerprints.of(one).size)
  for (const block of bySize) {
    yield
    if (isFree(block)) pairWith(unmatched.sameAs(block), block)
  }
  for (const block of fresh) {
    yield
    if (isFree(block)) pairWith(unmatched.changed(block), block)
  }
}

function isFoundUnnamed({ type }: MarkdownBlock): boolean {
  return blockTypes[type].markdown.compare.isFoundUnnamed
}

/** Unmatched blocks of the current text, indexed by content. Each is returned once. */
class UnmatchedBlocks {
  readonly #queues = new Map<string, { readonly blocks: MarkdownBlock[]; next: number }>()
  readonly #fingerprints: Fingerprints
  readonly #isFree: (block: MarkdownBlock) => boolean

  constructor(old: readonly MarkdownBlock[], fingerprints: Fingerprints, isFree: (block: MarkdownBlock) => boolean) {
    this.#fingerprints = fingerprints
    this.#isFree = isFree
    for (const block of old) {
      if (!isFree(block)) continue
      const { whole, own } = fingerprints.of(block)
      this.#enqueue(`whole ${whole}`, block)
      this.#enqueue(`own ${own}`, block)
      if (isFoundUnnamed(block)) this.#enqueue(block.type, block)
    }
  }

  /** A block with an equal subtree, or with the same id. */
  sameAs(block: MarkdownBlock): MarkdownBlock | undefined {
    const { whole, own } = this.#fingerprints.of(block)
    const same = this.#next(`whole ${whole}`)
    if (same) return same
    if (isNamed(block)) return this.#next(`own ${own}`)
    return isFoundUnnamed(block) ? this.#next(block.type) : undefined
  }

  /** A block that is equal apart from its children. */
  changed(block: MarkdownBlock): MarkdownBlock | undefined {
    return this.#next(`own ${this.#fingerprints.of(block).own}`)
  }

  #enqueue(key: string, block: MarkdownBlock): void {
    const known = this.#queues.get(key)
    if (known) known.blocks.push(block)
    else this.#queues.set(key, { blocks: [block], next: 0 })
  }

  #next(key: string): MarkdownBlock | undefined {
    const known = this.#queues.get(key)
    for (let block = known?.blocks[known.next]; known && block; block = known.blocks[known.next]) {
      known.next += 1
      if (this.#isFree(block)) return block
    }
    return undefined
  }
}
