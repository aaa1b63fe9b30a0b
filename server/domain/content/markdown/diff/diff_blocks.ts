import type { SlicedWork } from '../../../../kernel/yield_to_event_loop.ts'
import { isPageOrDatabase } from '../../block_types/index.ts'
import { childrenOf, eachBlock, isOpaque, Fingerprints } from './fingerprints.ts'
import type { LoadedNode } from '../write/load_tree.ts'
import { matchMoved } from './match_moved.ts'
import { pairSequences } from './pair_sequences.ts'
import type { MarkdownBlock } from '../shared/markdown_block.ts'

export interface WantedBlock {
  readonly block: MarkdownBlock
  /** The stored block that is reused; undefined for a new block. */
  readonly kept: LoadedNode | undefined
  /** Undefined if the children are not compared: those of a kept block stay, those of a new block are new. */
  readonly children: readonly WantedBlock[] | undefined
}

export interface Difference {
  readonly wanted: readonly WantedBlock[]
  /** Stored blocks to remove, with their descendants except those that are reused elsewhere. */
  readonly removed: readonly LoadedNode[]
  readonly isKept: (node: LoadedNode) => boolean
}

/**
 * Finds which stored blocks a changed text still contains. Blocks whose own line is unchanged are kept in place. Moved blocks are kept at
 * their new place; blocks that moved with all their descendants are matched first. Child pages and other blocks with an id in their tag are
 * kept wherever the tag is. Works in steps.
 * @param old the blocks parsed from the current text
 * @param owners for each block of the current text, the stored block that it represents
 * @param fresh the blocks parsed from the changed text
 */
export function diffBlocks(
  old: readonly MarkdownBlock[],
  owners: Owners,
  fresh: readonly MarkdownBlock[],
): SlicedWork<Difference> {
  return new Matcher(owners).match(old, fresh)
}

/** The stored block that each parsed block represents. */
export type Owners = ReadonlyMap<MarkdownBlock, LoadedNode>

/** The new blocks of the target state, without their descendants. */
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

  *match(old: readonly MarkdownBlock[], fresh: readonly MarkdownBlock[]): SlicedWork<Difference> {
    for (const block of [...old, ...fresh]) yield* this.#fingerprints.add(block)
    this.#align(old, fresh)
    yield
    yield* matchMoved([...eachBlock(old)], [...eachBlock(fresh)], this.#fingerprints, {
      isFree: (block) => !this.#taken.has(block) && !this.#oldOf.has(block),
      pair: (inOld, inFresh) => this.#pair(inOld, inFresh),
    })
    yield
    this.#preferChildren(old, fresh)
    const kept = new Set([...this.#taken].flatMap((block) => this.#owners.get(block) ?? []))
    return {
      wanted: fresh.flatMap((block) => this.#wanted(block)),
      removed: this.#removed(old),
      isKept: (node) => kept.has(node),
    }
  }

  /** Pairs blocks of one level: first those with equal subtrees, then, between them, those that are equal apart from their children. */
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

  /** Matches two blocks and their children, some of which may already be matched elsewhere. */
  #pair(old: MarkdownBlock | undefined, fresh: MarkdownBlock | undefined): void {
    if (!old || !fresh) return
    this.#oldOf.set(fresh, old)
    this.#taken.add(old)
    this.#align(
      childrenOf(old).filter((child) => !this.#taken.has(child)),
      childrenOf(fresh).filter((child) => !this.#oldOf.has(child)),
    )
  }

  /** A child page and a link to it look the same in the text. If one of them disappears, it is assumed to be the link. */
  #preferChildren(old: readonly MarkdownBlock[], fresh: readonly MarkdownBlock[]): void {
    const homeless = new Map<string, MarkdownBlock>()
    for (const block of eachBlock(old)) {
      const owner = this.#owners.get(block)
      if (owner && !this.#taken.has(block) && isPageOrDatabase(owner.block)) homeless.set(owner.block.id, block)
    }
    if (homeless.size === 0) return
    for (const block of eachBlock(fresh)) {
      const child = homeless.get(block.fields.id ?? '')
      const present = this.#oldOf.get(block)
      if (!child || !present || this.#owners.get(present)?.block.type !== 'link_to_page') continue
      homeless.delete(block.fields.id ?? '')
      this.#taken.delete(present)
      this.#oldOf.set(block, child)
      this.#taken.add(child)
    }
  }

  #wanted(fresh: MarkdownBlock): WantedBlock[] {
    const old = this.#oldOf.get(fresh)
    const kept = old && this.#owners.get(old)
    // This is one part of a stored block that is parsed as several blocks. The stored block stays, so this part stays too.
    if (old && !kept) return []
    return [
      { block: fresh, kept, children: isOpaque(fresh) ? undefined : fresh.children.flatMap((child) => this.#wanted(child)) },
    ]
  }

  /** The topmost removed blocks. */
  #removed(old: readonly MarkdownBlock[]): LoadedNode[] {
    return old.flatMap((block) => {
      const owner = this.#taken.has(block) ? undefined : this.#owners.get(block)
      return owner ? [owner, ...this.#removedFromMoved(childrenOf(block))] : this.#removed(childrenOf(block))
    })
  }

  /** The removed blocks below those that were moved. The descendants of removed blocks are not listed, since they go with them. */
  #removedFromMoved(old: readonly MarkdownBlock[]): LoadedNode[] {
    return old.flatMap((block) =>
      this.#taken.has(block) ? this.#removed(childrenOf(block)) : this.#removedFromMoved(childrenOf(block)),
    )
  }
}
