import { blockTypes } from '../../block_types/index.ts'
import { isNamed, type Fingerprint, type Fingerprints } from './fingerprints.ts'
import type { MarkdownBlock } from '../shared/markdown_block.ts'

/** Blocks without a counterpart where they stand, in the order of their texts. */
interface FreeBlocks {
  readonly old: readonly MarkdownBlock[]
  readonly fresh: readonly MarkdownBlock[]
}

/** What becomes of them. */
interface Pairing {
  readonly isFree: (block: MarkdownBlock) => boolean
  /** Makes two blocks one, and what is below them as far as it is free and in its order. */
  readonly pair: (old: MarkdownBlock, fresh: MarkdownBlock) => void
}

/**
 * Finds where blocks were moved to. What occurs once on either side cannot be mistaken and comes first: what is the same with all
 * below it, then what is the same itself, which brings along what is below. What looks alike in several places, as links to one page
 * do, is left to those around it, and shared out last: the largest first, so that no part of it goes elsewhere; named blocks to their
 * names; at the end what was changed below, so that it takes nothing from what was only moved.
 */
export function matchMoved({ old, fresh }: FreeBlocks, fingerprints: Fingerprints, { isFree, pair }: Pairing): void {
  const pairWith = (found: MarkdownBlock | undefined, block: MarkdownBlock): void => {
    if (found && isFree(block)) pair(found, block)
  }
  for (const which of ['whole', 'own'] as const) {
    const [inOld, inFresh] = [old, fresh].map((blocks) => byFingerprint(blocks.filter(isFree), fingerprints, which))
    for (const block of fresh) {
      const key = fingerprints.of(block)[which]
      const [one, two] = inOld?.get(key) ?? []
      if (one && !two && isFree(one) && inFresh?.get(key)?.length === 1) pairWith(one, block)
    }
  }
  const waiting = new Waiting(old, fingerprints, isFree)
  const bySize = fresh.filter(isFree).toSorted((one, other) => fingerprints.of(other).size - fingerprints.of(one).size)
  for (const block of bySize) if (isFree(block)) pairWith(waiting.sameAs(block), block)
  for (const block of fresh) if (isFree(block)) pairWith(waiting.changed(block), block)
}

function byFingerprint(
  blocks: readonly MarkdownBlock[],
  fingerprints: Fingerprints,
  which: 'own' | 'whole',
): ReadonlyMap<number, MarkdownBlock[]> {
  return Map.groupBy(blocks, (block) => fingerprints.of(block)[which])
}

function isFoundUnnamed({ type }: MarkdownBlock): boolean {
  return blockTypes[type].markdown.compare.isFoundUnnamed
}

/** Free blocks of the present text by what they say, each handed out once. */
class Waiting {
  readonly #queues = new Map<string, { readonly blocks: MarkdownBlock[]; next: number }>()
  readonly #fingerprints: Fingerprints
  readonly #isFree: (block: MarkdownBlock) => boolean

  constructor(old: readonly MarkdownBlock[], fingerprints: Fingerprints, isFree: (block: MarkdownBlock) => boolean) {
    this.#fingerprints = fingerprints
    this.#isFree = isFree
    for (const block of old) {
      if (!isFree(block)) continue
      const { whole, own } = this.#of(block)
      this.#wait(`whole ${whole}`, block)
      this.#wait(`own ${own}`, block)
      if (isFoundUnnamed(block)) this.#wait(block.type, block)
    }
  }

  /** The same with all below it, or the one that bears its name. */
  sameAs(block: MarkdownBlock): MarkdownBlock | undefined {
    const { whole, own } = this.#of(block)
    const same = this.#next(`whole ${whole}`)
    if (same) return same
    if (isNamed(block)) return this.#next(`own ${own}`)
    return isFoundUnnamed(block) ? this.#next(block.type) : undefined
  }

  /** The same but for what is below. */
  changed(block: MarkdownBlock): MarkdownBlock | undefined {
    return this.#next(`own ${this.#of(block).own}`)
  }

  #of(block: MarkdownBlock): Fingerprint {
    return this.#fingerprints.of(block)
  }

  #wait(key: string, block: MarkdownBlock): void {
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
