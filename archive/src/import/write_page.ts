import { addCounts, countsIn, noContent } from './content_counts.ts'
import type { StepContext } from './import_context.ts'
import { isTaken, sendOptional } from './send_optional.ts'

/** The most bytes and lines of a request. The API allows 512,000 bytes and 20,000 blocks. */
const REQUEST_BYTES_MAX = 480_000
const REQUEST_LINES_MAX = 15_000
/** The most blocks of a text that are left out one by one. */
const REFUSED_MAX = 100

/** Writes the text of a page in as many requests as necessary. */
export class PageWriter {
  /** The created contents, and the contents of refused blocks. */
  made = noContent
  refused = noContent
  readonly #context: StepContext
  readonly #path: string
  /** How many refused blocks may still be searched for by bisection. */
  #refusedLeft = REFUSED_MAX

  constructor(context: StepContext, path: string) {
    this.#context = context
    this.#path = path
  }

  /** Removes the content that an earlier process has written. */
  async clear(text: string): Promise<void> {
    await this.#send(replacement(text))
  }

  /**
   * Writes the text at once if it fits into a request, otherwise in parts. Refused blocks are left out, with as little else as possible.
   */
  async write(text: string): Promise<void> {
    const [first = [], ...others] = chunksOf(topBlocks(text))
    if (await isTaken(() => this.#send(replacement(first.join('\n'))))) await this.#count(first)
    else await this.#appendHalves(first)
    for (const chunk of others) await this.#append(chunk)
  }

  async #append(blocks: readonly string[]): Promise<void> {
    const shown = blocks.find((block) => block.trim() !== '')?.trim()
    if (shown === undefined) return
    const sends = (): Promise<unknown> => this.#send(insertion(blocks.join('\n')))
    if (blocks.length > 1 && this.#refusedLeft > 0) {
      if (await isTaken(sends)) await this.#count(blocks)
      else await this.#appendHalves(blocks)
      return
    }
    const start = `"${shown.split('\n', 1)[0]?.slice(0, 80) ?? ''}"`
    const label = blocks.length > 1 ? `${blocks.length} blocks from ${start}` : `block ${start}`
    if (await sendOptional(this.#context, label, this.#path, sends)) return this.#count(blocks)
    this.#refusedLeft -= 1
    this.refused = addCounts(this.refused, await countsIn(blocks.join('\n')))
  }

  async #appendHalves(blocks: readonly string[]): Promise<void> {
    const middle = Math.ceil(blocks.length / 2)
    for (const half of [blocks.slice(0, middle), blocks.slice(middle)]) await this.#append(half)
  }

  async #count(blocks: readonly string[]): Promise<void> {
    this.made = addCounts(this.made, await countsIn(blocks.join('\n')))
  }

  #send(body: object): Promise<unknown> {
    const { target, tree } = this.#context
    return target.send('updatePageMarkdown', { path: { page_id: tree.idOf(this.#path) }, body })
  }
}

const replacement = (text: string): object => ({ type: 'replace_content', replace_content: { new_str: text } })

const insertion = (content: string): object => ({
  type: 'insert_content',
  insert_content: { content, position: { type: 'end' } },
})

const FENCE = /^(`{3,}|~{3,})/
const OPENING = /^<(?!\/)([a-z][a-z_-]*)(?:\s[^>]*[^/])?>$/

/** The text of each top-level block of a page: lines indented below it belong to it. */
function topBlocks(text: string): string[] {
  const blocks: string[] = []
  let end: string | undefined
  for (const line of text.split('\n')) {
    const inside = end !== undefined || /^\s/.test(line) || line === ''
    if (inside && blocks.length > 0) blocks[blocks.length - 1] += `\n${line}`
    else blocks.push(line)
    if (end !== undefined) end = line === end ? undefined : end
    else if (!inside) end = FENCE.exec(line)?.[1] ?? (line === '$$' ? '$$' : closingOf(line))
  }
  return blocks
}

function closingOf(line: string): string | undefined {
  const tag = OPENING.exec(line)?.[1]
  return tag === undefined ? undefined : `</${tag}>`
}

/** Groups of blocks that fit into one request, or single blocks that are too large. */
function chunksOf(blocks: readonly string[]): string[][] {
  const chunks: string[][] = []
  let [bytesLeft, linesLeft] = [0, 0]
  for (const block of blocks) {
    const bytes = Buffer.byteLength(JSON.stringify(block))
    const lines = block.split('\n').length
    if (bytes > bytesLeft || lines > linesLeft) {
      chunks.push([])
      ;[bytesLeft, linesLeft] = [REQUEST_BYTES_MAX, REQUEST_LINES_MAX]
    }
    chunks.at(-1)?.push(block)
    bytesLeft -= bytes
    linesLeft -= lines
  }
  return chunks
}
