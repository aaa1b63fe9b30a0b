import { blockTypes } from '../../block_types/index.ts'
import type { Inline, MarkdownBlock } from '../shared/markdown_block.ts'

/** Whether what is below a block is not read from the text. */
export function isOpaque({ type, fields }: MarkdownBlock): boolean {
  return blockTypes[type].markdown.compare.isOpaque(fields)
}

/** What is below a block, as far as it is read from the text. */
export function childrenOf(block: MarkdownBlock): readonly MarkdownBlock[] {
  return isOpaque(block) ? [] : block.children
}

/** Whether a block is named by its tag: it is the same wherever it stands. */
export function isNamed({ type, fields }: MarkdownBlock): boolean {
  return fields.id !== undefined && blockTypes[type].markdown.compare.isNamed
}

/** Numbers by which blocks are compared. Some are given below zero, none is NaN. */
export interface Fingerprint {
  /** What the block itself says. */
  readonly own: number
  /** The same with everything below. */
  readonly whole: number
  /** Blocks that this is: one, and those below. */
  readonly size: number
}

/** Gives blocks that say the same the same numbers. */
export class Fingerprints {
  readonly #numbers = new Map<string, number>()
  readonly #known = new Map<MarkdownBlock, Fingerprint>()

  /** @throws Error for a block that was not added, nor stands below one that was */
  of(block: MarkdownBlock): Fingerprint {
    const known = this.#known.get(block)
    if (!known) throw new Error('A block was compared before it was numbered')
    return known
  }

  add(block: MarkdownBlock): Fingerprint {
    const own = this.#numberOf(ownKey(block))
    const { start } = block.fields
    const below = childrenOf(block).map((child) => this.add(child))
    const size = below.reduce((sum, child) => sum + child.size, 1)
    // A block that says nothing else needs no text to be told from others.
    const whole =
      start === undefined && below.length === 0
        ? -2 - own
        : this.#numberOf(`${own}/${start ?? ''}/${below.map((child) => child.whole).join(',')}`)
    const fingerprint = { own, whole, size }
    this.#known.set(block, fingerprint)
    return fingerprint
  }

  #numberOf(key: string): number {
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    this.#numbers.set(key, this.#numbers.size)
    return this.#numbers.size - 1
  }
}

/** Calls `visit` for blocks and all below them, in the order of the text. */
export function eachBlock(blocks: readonly MarkdownBlock[], visit: (block: MarkdownBlock) => void): void {
  for (const block of blocks) {
    visit(block)
    eachBlock(childrenOf(block), visit)
  }
}

/** What a block itself says. The number of a list item is not part of it, because it changes with the items before. */
function ownKey(block: MarkdownBlock): string {
  const { type, text, fields } = block
  const rules = blockTypes[type].markdown.compare
  if (rules.isNamed) return JSON.stringify([type, fields.id, fields.alt === 'copy'])
  const { start: _start, ...own } = fields
  const [only] = text
  if (only?.type === 'text' && text.length === 1 && isBare(only) && Object.keys(own).length === 0) return type + only.text
  return JSON.stringify([type, text, own, rules.shape(block)])
}

function isBare({ marks, link }: Extract<Inline, { type: 'text' }>): boolean {
  return link === undefined && Object.keys(marks).length === 0
}
