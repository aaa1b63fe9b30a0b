import { isRecord } from '../../block_types/index.ts'
import { childrenOf, eachBlock, isOpaque, Fingerprints } from './fingerprints.ts'
import type { LoadedNode } from '../write/load_tree.ts'
import { matchMoved } from './match_moved.ts'
import { pairSequences } from './pair_sequences.ts'
import type { MarkdownBlock } from '../shared/markdown_block.ts'

/** A block as it is to be. */
export interface WantedBlock {
  readonly block: MarkdownBlock
  /** The stored block that it already is; undefined for a new one. */
  readonly kept: LoadedNode | undefined
  /** Undefined where what is below stays as it is. */
  readonly children: readonly WantedBlock[] | undefined
}

export interface Difference {
  readonly wanted: readonly WantedBlock[]
  /** Stored blocks that are no longer wanted; what is below them goes with them, unless it is wanted elsewhere. */
  readonly removed: readonly LoadedNode[]
  readonly isKept: (node: LoadedNode) => boolean
}

/**
 * Finds out which stored blocks a changed text still shows. Blocks whose own line did not change are kept where they stand; what was
 * moved is kept at its new place, first of all what was moved as a whole; a child page, and everything else that a tag names, wherever
 * its tag is now.
 * @param old what the present text reads as
 * @param owners the stored blocks that blocks of the present text show
 * @param fresh what the changed text reads as
 */
export function diffBlocks(old: readonly MarkdownBlock[], owners: Owners, fresh: readonly MarkdownBlock[]): Difference {
  return new Matcher(owners).match(old, fresh)
}

/** Stored blocks by what they read as. */
export type Owners = ReadonlyMap<MarkdownBlock, LoadedNode>

/** New blocks among those that are wanted, without what is below them. */
export function newBlocksOf(wanted: readonly WantedBlock[]): MarkdownBlock[] {
  return wanted.flatMap(({ block, kept, children }) => [
    ...(kept ? [] : [{ ...block, children: children === undefined ? block.children : [] }]),
    ...newBlocksOf(children ?? []),
  ])
}

class Matcher {
  readonly #owners: Owners
  readonly #fingerprints = new Fingerprints()
  readonly #oldOf = new Map<MarkdownBlock, MarkdownBlock>()
  readonly #taken = new Set<MarkdownBlock>()

  constructor(owners: Owners) {
    this.#owners = owners
  }

  match(old: readonly MarkdownBlock[], fresh: readonly MarkdownBlock[]): Difference {
    for (const block of [...old, ...fresh]) this.#fingerprints.add(block)
    this.#align(old, fresh)
    matchMoved(this.#free(old, fresh), this.#fingerprints, {
      isFree: (block) => !this.#taken.has(block) && !this.#oldOf.has(block),
      pair: (inOld, inFresh) => this.#pair(inOld, inFresh),
    })
    this.#preferChildren(old, fresh)
    const kept = new Set([...this.#taken].flatMap((block) => this.#owners.get(block) ?? []))
    return {
      wanted: fresh.flatMap((block) => this.#wanted(block)),
      removed: this.#removed(old),
      isKept: (node) => kept.has(node),
    }
  }

  #free(old: readonly MarkdownBlock[], fresh: readonly MarkdownBlock[]): { old: MarkdownBlock[]; fresh: MarkdownBlock[] } {
    const free: { old: MarkdownBlock[]; fresh: MarkdownBlock[] } = { old: [], fresh: [] }
    eachBlock(old, (block) => {
      if (!this.#taken.has(block)) free.old.push(block)
    })
    eachBlock(fresh, (block) => {
      if (!this.#oldOf.has(block)) free.fresh.push(block)
    })
    return free
  }

  /** Pairs blocks of one level: first those that are the same with all below them, between them those that are the same themselves. */
  #align(old: readonly MarkdownBlock[], fresh: readonly MarkdownBlock[]): void {
    const numbers = (blocks: readonly MarkdownBlock[], which: 'own' | 'whole'): number[] =>
      blocks.map((block) => this.#fingerprints.of(block)[which])
    const whole = pairSequences(numbers(old, 'whole'), numbers(fresh, 'whole'))
    let [oldFrom, freshFrom] = [0, 0]
    for (const [at, freshAt] of [...whole, [old.length, fresh.length] as const]) {
      const [oldGap, freshGap] = [old.slice(oldFrom, at), fresh.slice(freshFrom, freshAt)]
      for (const [inOld, inFresh] of pairSequences(numbers(oldGap, 'own'), numbers(freshGap, 'own')))
        this.#pair(oldGap[inOld], freshGap[inFresh])
      this.#pair(old[at], fresh[freshAt])
      oldFrom = at + 1
      freshFrom = freshAt + 1
    }
  }

  /** Of what is below two blocks that are one, some may already be elsewhere. */
  #pair(old: MarkdownBlock | undefined, fresh: MarkdownBlock | undefined): void {
    if (!old || !fresh) return
    this.#oldOf.set(fresh, old)
    this.#taken.add(old)
    this.#align(
      childrenOf(old).filter((child) => !this.#taken.has(child)),
      childrenOf(fresh).filter((child) => !this.#oldOf.has(child)),
    )
  }

  /** A page may appear in a text as a child and as a link, which look the same: where one of them goes, it is the link. */
  #preferChildren(old: readonly MarkdownBlock[], fresh: readonly MarkdownBlock[]): void {
    const homeless = new Map<string, MarkdownBlock>()
    eachBlock(old, (block) => {
      const owner = this.#owners.get(block)
      if (owner && !this.#taken.has(block) && isRecord(owner.block)) homeless.set(owner.block.id, block)
    })
    if (homeless.size === 0) return
    eachBlock(fresh, (block) => {
      const child = homeless.get(block.fields.id ?? '')
      const present = this.#oldOf.get(block)
      if (!child || !present || this.#owners.get(present)?.block.type !== 'link_to_page') return
      homeless.delete(block.fields.id ?? '')
      this.#taken.delete(present)
      this.#oldOf.set(block, child)
      this.#taken.add(child)
    })
  }

  #wanted(fresh: MarkdownBlock): WantedBlock[] {
    const old = this.#oldOf.get(fresh)
    const kept = old && this.#owners.get(old)
    // A piece of a block that reads as several: the block itself stays, and so does this.
    if (old && !kept) return []
    const isLeft = kept !== undefined && isOpaque(fresh)
    return [{ block: fresh, kept, children: isLeft ? undefined : childrenOf(fresh).flatMap((child) => this.#wanted(child)) }]
  }

  /** The highest of the blocks that go. */
  #removed(old: readonly MarkdownBlock[]): LoadedNode[] {
    return old.flatMap((block) => {
      const owner = this.#taken.has(block) ? undefined : this.#owners.get(block)
      return owner ? [owner, ...this.#removedFromMoved(childrenOf(block))] : this.#removed(childrenOf(block))
    })
  }

  /** What goes with a removed block is not listed, except below something that was moved away. */
  #removedFromMoved(old: readonly MarkdownBlock[]): LoadedNode[] {
    return old.flatMap((block) =>
      this.#taken.has(block) ? this.#removed(childrenOf(block)) : this.#removedFromMoved(childrenOf(block)),
    )
  }
}
