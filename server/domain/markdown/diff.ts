import type { LoadedNode } from './load.ts'
import { pairUp } from './sequences.ts'
import type { Inline, MarkdownBlock } from './tree.ts'

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
  /** Stored blocks that are wanted no more; what is below them goes with them, unless it is wanted elsewhere. */
  readonly removed: readonly LoadedNode[]
  readonly isKept: (node: LoadedNode) => boolean
}

/**
 * Finds out which stored blocks a changed text still shows. Blocks whose own line did not change are kept where they stand; what was
 * moved is kept at its new place, first of all what was moved as a whole; a child page, and everything else that a tag names, wherever
 * its tag is now.
 * @param old what the present text reads as
 * @param ownerOf the stored block that a block of the present text shows
 * @param fresh what the changed text reads as
 */
export function differenceOf(old: readonly MarkdownBlock[], owners: Owners, fresh: readonly MarkdownBlock[]): Difference {
  return new Matcher(owners).match(old, fresh)
}

/** Stored blocks by what they read as. */
type Owners = ReadonlyMap<MarkdownBlock, LoadedNode>

/**
 * Puts new blocks between the present ones, which all stay.
 * @param place an end of the page, or the stored block behind which they go; inside a table or a list of columns, behind that
 */
export function insertionOf(
  old: readonly MarkdownBlock[],
  owners: Owners,
  fresh: readonly MarkdownBlock[],
  place: 'start' | 'end' | LoadedNode,
): Difference {
  const added = fresh.map(anew)
  const stay = (blocks: readonly MarkdownBlock[]): WantedBlock[] => blocks.flatMap((block) => staying(block, owners, undefined))
  if (place === 'start') return insertion([...added, ...stay(old)])
  const path = place === 'end' ? undefined : pathTo(old, owners, place)
  while (path && TAKES_PARTS_ONLY.has(path.at(-2)?.type ?? '')) path.pop()
  const behind = (blocks: readonly MarkdownBlock[], [next, ...rest]: readonly MarkdownBlock[]): WantedBlock[] =>
    blocks.flatMap((block) => {
      if (block !== next) return staying(block, owners, undefined)
      return rest.length === 0
        ? [...staying(block, owners, undefined), ...added]
        : staying(block, owners, behind(block.children, rest))
    })
  return insertion(path ? behind(old, path) : [...stay(old), ...added])
}

/** Blocks that take no others between their parts. */
const TAKES_PARTS_ONLY: ReadonlySet<string> = new Set(['table', 'column_list', 'tab'])

function insertion(wanted: readonly WantedBlock[]): Difference {
  return { wanted, removed: [], isKept: () => true }
}

function staying(block: MarkdownBlock, owners: Owners, children: readonly WantedBlock[] | undefined): WantedBlock[] {
  const kept = owners.get(block)
  return kept ? [{ block, kept, children }] : []
}

function pathTo(blocks: readonly MarkdownBlock[], owners: Owners, node: LoadedNode): MarkdownBlock[] | undefined {
  for (const block of blocks) {
    if (owners.get(block) === node) return [block]
    const below = pathTo(block.children, owners, node)
    if (below) return [block, ...below]
  }
  return undefined
}

function anew(block: MarkdownBlock): WantedBlock {
  return { block, kept: undefined, children: childrenOf(block).map(anew) }
}

/** New blocks among those that are wanted, without what is below them. */
export function newBlocksOf(wanted: readonly WantedBlock[]): MarkdownBlock[] {
  return wanted.flatMap(({ block, kept, children }) => [
    ...(kept ? [] : [{ ...block, children: children === undefined ? block.children : [] }]),
    ...newBlocksOf(children ?? []),
  ])
}

/** What is below these is not read from the text. */
function isOpaque({ type, fields }: MarkdownBlock): boolean {
  return (
    type === 'child_page' ||
    type === 'child_database' ||
    type === 'unsupported' ||
    type === 'meeting_notes' ||
    fields.alt === 'copy'
  )
}

function childrenOf(block: MarkdownBlock): readonly MarkdownBlock[] {
  return isOpaque(block) ? [] : block.children
}

/** A block that its tag names: it is the same wherever it stands. */
function isNamed({ type, fields }: MarkdownBlock): boolean {
  return (
    fields.id !== undefined &&
    (type === 'child_page' ||
      type === 'child_database' ||
      type === 'unsupported' ||
      type === 'synced_block' ||
      type === 'meeting_notes')
  )
}

class Matcher {
  readonly #owners: Owners
  readonly #numbers = new Map<string, number>()
  /** A number for what a block itself says, and one for that with everything below. */
  readonly #own = new Map<MarkdownBlock, number>()
  readonly #whole = new Map<MarkdownBlock, number>()
  readonly #oldOf = new Map<MarkdownBlock, MarkdownBlock>()
  readonly #taken = new Set<MarkdownBlock>()

  constructor(owners: Owners) {
    this.#owners = owners
  }

  match(old: readonly MarkdownBlock[], fresh: readonly MarkdownBlock[]): Difference {
    for (const block of [...old, ...fresh]) this.#number(block)
    this.#align(old, fresh)
    this.#findMoved(old, fresh)
    this.#preferChildren(old, fresh)
    const kept = new Set([...this.#taken].flatMap((block) => this.#owners.get(block) ?? []))
    return {
      wanted: fresh.flatMap((block) => this.#wanted(block)),
      removed: this.#removed(old),
      isKept: (node) => kept.has(node),
    }
  }

  #number(block: MarkdownBlock): number {
    const own = this.#numberOf(ownKey(block))
    const { start } = block.fields
    const below = childrenOf(block).map((child) => this.#number(child))
    // A block that says nothing else needs no text to be told from others.
    const whole =
      start === undefined && below.length === 0 ? -2 - own : this.#numberOf(`${own}/${start ?? ''}/${below.join(',')}`)
    this.#own.set(block, own)
    this.#whole.set(block, whole)
    return whole
  }

  #numberOf(key: string): number {
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    this.#numbers.set(key, this.#numbers.size)
    return this.#numbers.size - 1
  }

  #take(old: MarkdownBlock, fresh: MarkdownBlock): void {
    this.#oldOf.set(fresh, old)
    this.#taken.add(old)
  }

  /** Pairs blocks of one level: first those that are the same with all below them, between them those that are the same themselves. */
  #align(old: readonly MarkdownBlock[], fresh: readonly MarkdownBlock[]): void {
    const numbers = (blocks: readonly MarkdownBlock[], which: ReadonlyMap<MarkdownBlock, number>): number[] =>
      blocks.map((block) => which.get(block) ?? -1)
    const whole = pairUp(numbers(old, this.#whole), numbers(fresh, this.#whole))
    let [oldFrom, freshFrom] = [0, 0]
    for (const [at, freshAt] of [...whole, [old.length, fresh.length] as const]) {
      const [oldGap, freshGap] = [old.slice(oldFrom, at), fresh.slice(freshFrom, freshAt)]
      for (const [inOld, inFresh] of pairUp(numbers(oldGap, this.#own), numbers(freshGap, this.#own)))
        this.#pair(oldGap[inOld], freshGap[inFresh])
      this.#pair(old[at], fresh[freshAt])
      oldFrom = at + 1
      freshFrom = freshAt + 1
    }
  }

  #pair(old: MarkdownBlock | undefined, fresh: MarkdownBlock | undefined): void {
    if (!old || !fresh) return
    this.#take(old, fresh)
    this.#align(childrenOf(old), childrenOf(fresh))
  }

  #findMoved(old: readonly MarkdownBlock[], fresh: readonly MarkdownBlock[]): void {
    const waiting = new Map<string, { readonly blocks: MarkdownBlock[]; next: number }>()
    const wait = (key: string, block: MarkdownBlock): void => {
      const known = waiting.get(key)
      if (known) known.blocks.push(block)
      else waiting.set(key, { blocks: [block], next: 0 })
    }
    eachBlock(old, (block) => {
      if (this.#taken.has(block)) return
      wait(`whole ${this.#whole.get(block)}`, block)
      wait(`own ${this.#own.get(block)}`, block)
      if (block.type === 'meeting_notes') wait('meeting notes', block)
    })
    const next = (key: string): MarkdownBlock | undefined => {
      const known = waiting.get(key)
      for (let block = known?.blocks[known.next]; known && block; block = known.blocks[known.next]) {
        known.next += 1
        if (!this.#taken.has(block)) return block
      }
      return undefined
    }
    eachBlock(fresh, (block) => {
      if (this.#oldOf.has(block)) return
      const same = next(`whole ${this.#whole.get(block)}`) ?? next(isNamed(block) ? `own ${this.#own.get(block)}` : 'nothing')
      // With their transcript written out, meeting notes no longer name it.
      const found = same ?? next(block.type === 'meeting_notes' && !isNamed(block) ? 'meeting notes' : 'nothing')
      if (found) this.#takeFree(found, block)
    })
    // What was moved and changed below comes last, so that it takes nothing from what was only moved.
    eachBlock(fresh, (block) => {
      const same = this.#oldOf.has(block) ? undefined : next(`own ${this.#own.get(block)}`)
      if (same) this.#takeFree(same, block)
    })
  }

  /** As `#pair`, where some blocks below may already be elsewhere. */
  #takeFree(old: MarkdownBlock, fresh: MarkdownBlock): void {
    this.#take(old, fresh)
    this.#align(
      childrenOf(old).filter((child) => !this.#taken.has(child)),
      childrenOf(fresh).filter((child) => !this.#oldOf.has(child)),
    )
  }

  /** A page may stand in a text as a child and as a link, which look the same: where one of them goes, it is the link. */
  #preferChildren(old: readonly MarkdownBlock[], fresh: readonly MarkdownBlock[]): void {
    const homeless = new Map<string, MarkdownBlock>()
    eachBlock(old, (block) => {
      const owner = this.#owners.get(block)
      if (owner && !this.#taken.has(block) && isChildPage(owner)) homeless.set(owner.block.id, block)
    })
    if (homeless.size === 0) return
    eachBlock(fresh, (block) => {
      const child = homeless.get(block.fields.id ?? '')
      const present = this.#oldOf.get(block)
      if (!child || !present || this.#owners.get(present)?.block.type !== 'link_to_page') return
      homeless.delete(block.fields.id ?? '')
      this.#taken.delete(present)
      this.#take(child, block)
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

  /** What goes with a removed block needs no word, save where it stands below something that was moved away. */
  #removedFromMoved(old: readonly MarkdownBlock[]): LoadedNode[] {
    return old.flatMap((block) =>
      this.#taken.has(block) ? this.#removed(childrenOf(block)) : this.#removedFromMoved(childrenOf(block)),
    )
  }
}

function isChildPage({ block: { type } }: LoadedNode): boolean {
  return type === 'child_page' || type === 'child_database'
}

function eachBlock(blocks: readonly MarkdownBlock[], visit: (block: MarkdownBlock) => void): void {
  for (const block of blocks) {
    visit(block)
    eachBlock(childrenOf(block), visit)
  }
}

/** What a block itself says. The number of a list item is not part of it, because it changes with the items before. */
function ownKey(block: MarkdownBlock): string {
  const { type, text, fields, children } = block
  if (isOpaque(block) || type === 'synced_block') return JSON.stringify([type, fields.id, fields.alt === 'copy'])
  const { start: _start, ...own } = fields
  const [only] = text
  if (only?.type === 'text' && text.length === 1 && isBare(only) && Object.keys(own).length === 0) return type + only.text
  return JSON.stringify([type, text, own, type === 'table' ? (children[0]?.fields.cells?.length ?? 0) : 0])
}

function isBare({ marks, link }: Extract<Inline, { type: 'text' }>): boolean {
  return link === undefined && Object.keys(marks).length === 0
}
