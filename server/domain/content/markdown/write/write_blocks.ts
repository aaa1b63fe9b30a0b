import { atOnce, type SlicedWork } from '../../../../kernel/yield_to_event_loop.ts'
import { blockTypes } from '../../block_types/index.ts'
import type { BlockWriter } from '../../block_types/markdown_rules.ts'
import type { MarkdownBlock } from '../shared/markdown_block.ts'

export interface Written {
  readonly text: string
  readonly owners: readonly MarkdownBlock[]
}

/** Writes blocks in the dialect: one per line, children one tab deeper, without a newline at the end. */
export function writeBlocks(blocks: readonly MarkdownBlock[]): Written {
  return atOnce(new Writer().written((writer) => writer.list(blocks, 0)))
}

/** Like `writeBlocks`, for the blocks of one level, one at a time. @returns a function that writes the next block, in steps */
export function writerOfLevel(): (block: MarkdownBlock) => SlicedWork<Written> {
  const numberOf = numbering()
  return (block) => new Writer().written((writer) => writer.block(block, 0, numberOf(block)))
}

/** Returns a function that numbers the blocks of one level: consecutive numbered items count up. */
function numbering(): (block: MarkdownBlock) => number {
  let number: number | undefined
  return ({ type, fields }) => {
    if (!blockTypes[type].isNumbered) number = undefined
    else number = number === undefined ? (fields.start ?? 1) : number + 1
    return number ?? 1
  }
}

/** A block that is to be written after everything before it. */
interface Waiting {
  readonly block: MarkdownBlock
  readonly depth: number
  readonly number: number
  readonly owner: MarkdownBlock | undefined
}

/** A line that is to be written after the blocks before it. */
interface WaitingLine {
  readonly line: string
  readonly owner: MarkdownBlock | undefined
}

/** Writes blocks without recursion, so that it can pause between any two of them. */
class Writer implements BlockWriter {
  readonly #lines: string[] = []
  readonly #owners: MarkdownBlock[] = []
  #owner: MarkdownBlock | undefined
  /** The rest of the current block, from its first child on. */
  #waiting: (Waiting | WaitingLine)[] = []
  readonly #indents: string[] = ['']

  list(blocks: readonly MarkdownBlock[], depth: number): void {
    const numberOf = numbering()
    for (const block of blocks) this.block(block, depth, numberOf(block))
  }

  *written(write: (writer: Writer) => void): SlicedWork<Written> {
    write(this)
    const rest = this.#takeWaiting()
    for (let next = rest.pop(); next; next = rest.pop()) {
      if ('line' in next) {
        this.#add(next.line, next.owner)
        continue
      }
      this.#write(next)
      rest.push(...this.#takeWaiting())
      yield
    }
    return { text: this.#lines.join('\n'), owners: this.#owners }
  }

  block(block: MarkdownBlock, depth: number, number: number): void {
    this.#waiting.push({ block, depth, number, owner: this.#owner })
  }

  /**
   * Calls `write` so that the lines it writes are owned by the block. Lines below meeting notes and synced copies are owned by those blocks
   * instead.
   */
  owned(block: MarkdownBlock, write: () => void): void {
    const outer = this.#owner
    if (!outer || !blockTypes[outer.type].markdown.compare.isOpaque(outer.fields)) this.#owner = block
    write()
    this.#owner = outer
  }

  line(depth: number, text: string): void {
    while (this.#indents.length <= depth) this.#indents.push(`${this.#indents.at(-1) ?? ''}\t`)
    const line = (this.#indents[depth] ?? '') + text
    if (this.#waiting.length > 0) this.#waiting.push({ line, owner: this.#owner })
    else this.#add(line, this.#owner)
  }

  #write({ block, depth, number, owner }: Waiting): void {
    this.#owner = owner
    this.owned(block, () => blockTypes[block.type].markdown.write(block, this, depth, number))
  }

  #add(line: string, owner: MarkdownBlock | undefined): void {
    this.#lines.push(line)
    if (owner) this.#owners.push(owner)
  }

  /** Takes the pending work, as a stack. */
  #takeWaiting(): (Waiting | WaitingLine)[] {
    const waiting = this.#waiting
    if (waiting.length > 0) this.#waiting = []
    return waiting.reverse()
  }
}
