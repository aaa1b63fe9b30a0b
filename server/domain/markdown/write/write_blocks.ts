import { blockTypes } from '../../block_types/index.ts'
import type { BlockWriter } from '../../block_types/markdown_rules.ts'
import type { MarkdownBlock } from '../shared/markdown_block.ts'

/** A text, and the block that owns each of its lines. */
export interface Written {
  readonly text: string
  readonly owners: readonly MarkdownBlock[]
}

/** Blocks in the dialect: one per line, children one tab deeper, no newline at the end. */
export function writeBlocks(blocks: readonly MarkdownBlock[]): Written {
  const writer = new Writer()
  writer.list(blocks, 0)
  return { text: writer.lines.join('\n'), owners: writer.owners }
}

/** Like `writeBlocks`, for the blocks of one level one at a time. @returns a function that writes the next block */
export function writerOfLevel(): (block: MarkdownBlock) => Written {
  const numberOf = numbering()
  return (block) => {
    const writer = new Writer()
    writer.block(block, 0, numberOf(block))
    return { text: writer.lines.join('\n'), owners: writer.owners }
  }
}

/** Numbers the blocks of one level. Consecutive numbered items count up. */
function numbering(): (block: MarkdownBlock) => number {
  let number: number | undefined
  return ({ type, fields }) => {
    if (!blockTypes[type].isNumbered) number = undefined
    else number = number === undefined ? (fields.start ?? 1) : number + 1
    return number ?? 1
  }
}

class Writer implements BlockWriter {
  readonly lines: string[] = []
  readonly owners: MarkdownBlock[] = []
  #owner: MarkdownBlock | undefined
  readonly #indents: string[] = ['']

  list(blocks: readonly MarkdownBlock[], depth: number): void {
    const numberOf = numbering()
    for (const block of blocks) this.block(block, depth, numberOf(block))
  }

  block(block: MarkdownBlock, depth: number, number: number): void {
    this.owned(block, () => blockTypes[block.type].markdown.write(block, this, depth, number))
  }

  /** Lines below meeting notes and synced copies belong to those blocks. */
  owned(block: MarkdownBlock, write: () => void): void {
    const outer = this.#owner
    if (!outer || !blockTypes[outer.type].markdown.compare.isOpaque(outer.fields)) this.#owner = block
    write()
    this.#owner = outer
  }

  line(depth: number, text: string): void {
    while (this.#indents.length <= depth) this.#indents.push(`${this.#indents.at(-1) ?? ''}\t`)
    this.lines.push((this.#indents[depth] ?? '') + text)
    if (this.#owner) this.owners.push(this.#owner)
  }
}
