import { blockTypes } from '../../block_types/index.ts'
import { chunks, type SlicedWork } from '../../../../kernel/yield_to_event_loop.ts'
import type { Inline, MarkdownBlock } from '../shared/markdown_block.ts'

/** Whether the children of a block are not parsed from the text. */
export function isOpaque({ type, fields }: MarkdownBlock): boolean {
  return blockTypes[type].markdown.compare.isOpaque(fields)
}

/** The children of a block that are parsed from the text. */
export function childrenOf(block: MarkdownBlock): readonly MarkdownBlock[] {
  return isOpaque(block) ? [] : block.children
}

/** Whether a block is identified by an id in its tag, regardless of its place. */
export function isNamed({ type, fields }: MarkdownBlock): boolean {
  return fields.id !== undefined && blockTypes[type].markdown.compare.isNamed
}

/** Numbers by which blocks are compared. They may be negative but are never NaN. */
export interface Fingerprint {
  /** Identifies the content of the block without its children. */
  readonly own: number
  /** Identifies the content of the whole subtree. */
  readonly whole: number
  /** Number of blocks in the subtree. */
  readonly size: number
}

/** Assigns equal numbers to blocks with equal content. */
export class Fingerprints {
  readonly #numbers = new Map<string, number>()
  readonly #known = new Map<MarkdownBlock, Fingerprint>()

  /** @throws Error for a block that has not been added */
  of(block: MarkdownBlock): Fingerprint {
    const known = this.#known.get(block)
    if (!known) throw new Error('A block was compared before it was numbered')
    return known
  }

  /** Adds a block and its descendants, in steps. */
  *add(block: MarkdownBlock): SlicedWork<Fingerprint> {
    yield
    const own = this.#numberOf(yield* ownKey(block))
    const { start } = block.fields
    const below: Fingerprint[] = []
    for (const child of childrenOf(block)) below.push(yield* this.add(child))
    const size = below.reduce((sum, child) => sum + child.size, 1)
    // A block with neither a start number nor children is identified by the number of its own content; no key needs to be built.
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

/** Blocks and all their descendants, in the order of the text. */
export function* eachBlock(blocks: readonly MarkdownBlock[]): Generator<MarkdownBlock> {
  for (const block of blocks) {
    yield block
    yield* eachBlock(childrenOf(block))
  }
}

const INLINES_AT_ONCE = 500

/** A key for the block's own content. It leaves out the number of a list item, because it depends on the items before. */
function* ownKey(block: MarkdownBlock): SlicedWork<string> {
  const { type, text, fields } = block
  const rules = blockTypes[type].markdown.compare
  if (rules.isNamed) return JSON.stringify([type, fields.id, fields.alt === 'copy'])
  const { start: _start, ...own } = fields
  const [only] = text
  if (only?.type === 'text' && text.length === 1 && isBare(only) && Object.keys(own).length === 0) return type + only.text
  const key = [JSON.stringify([type, own, rules.shape(block)])]
  for (const some of chunks(text, INLINES_AT_ONCE)) {
    key.push(JSON.stringify(some))
    yield
  }
  return key.join('')
}

function isBare({ outcomes: marks, link }: Extract<Inline, { type: 'text' }>): boolean {
  return link === undefined && Object.keys(marks).length === 0
}
