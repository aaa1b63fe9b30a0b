import type { WorkspaceClient } from './client.ts'
import { ApiError, LimitExceededError } from './errors.ts'
import type { CallOptions } from './options.ts'

export interface WholeMarkdownOptions extends CallOptions {
  /** The number of requests that are sent at the same time. Default: 4. */
  readonly concurrency?: number
  /** Limit of requests for the whole page. Default: 1,000. */
  readonly requestsMax?: number
  /** Limit of the length of the text. Default: 50,000,000. */
  readonly charactersMax?: number
}

export interface WholeMarkdown {
  readonly markdown: string
  /** Blocks that remain `<unknown>`: the token cannot read them, or they are pages or databases that the response left out. */
  readonly missingIds: readonly string[]
}

/**
 * Reads a page, or a block and everything below it, as Markdown. One response contains about 20,000 blocks. The blocks that it leaves out are
 * requested separately and put in their places.
 * @throws LimitExceededError for more requests or a longer text than the options allow
 */
export async function readWholeMarkdown(
  client: WorkspaceClient,
  page_id: string,
  options: WholeMarkdownOptions = {},
): Promise<WholeMarkdown> {
  const { concurrency = 4, requestsMax = 1_000, charactersMax = 50_000_000, ...call } = options
  const reader = new MarkdownReader(client, call, { requestsMax, charactersMax })
  const markdown = await reader.read(page_id, Math.max(1, concurrency))
  return { markdown, missingIds: [...reader.missingIds] }
}

type ReaderLimits = Required<Pick<WholeMarkdownOptions, 'requestsMax' | 'charactersMax'>>

/** A block for which a response has only an `<unknown>` tag. */
interface MissingBlock {
  readonly id: string
  readonly type: string
  readonly indent: string
  /** The URL of the page, as in the tag. */
  readonly address: string
  /** Index of the tag's line. */
  readonly at: number
}

/** A response lists at most so many ids. One that lists as many may leave out more blocks than it lists. */
const LISTED_MAX = 100
/** Types whose content is a page or database of its own, not text of this page. */
const PAGES: readonly string[] = ['child_page', 'child_database']
const TAG = /^(\t*)<unknown url="([^"#]*)#([0-9a-f]{32})" alt="([^"]*)"\/>$/

class MarkdownReader {
  readonly missingIds = new Set<string>()
  readonly #client: WorkspaceClient
  readonly #call: CallOptions
  readonly #limits: ReaderLimits
  #requests = 0
  #characters = 0

  constructor(client: WorkspaceClient, call: CallOptions, limits: ReaderLimits) {
    this.#client = client
    this.#call = call
    this.#limits = limits
  }

  async read(page_id: string, concurrency: number): Promise<string> {
    this.#count('requests', 1)
    const response = await this.#client.pages.markdown.retrieve({ page_id }, this.#call)
    const { id, markdown, truncated, unknown_block_ids } = response
    this.#count('characters', markdown.length)
    if (!truncated) return markdown
    const lines = markdown.split('\n')
    const isFull = unknown_block_ids.length >= LISTED_MAX
    if (isFull) await this.#addUnlisted(id, lines)
    const listed = new Set(unknown_block_ids)
    const missing = each(missingIn(lines).filter(({ id }) => isFull || listed.has(id)))
    // The readers share one iterator: each takes the next block when it is free, and an error ends all of them.
    const readSome = async (): Promise<void> => {
      for (const block of missing) lines[block.at] = (await this.#textOf(block)) ?? lines[block.at] ?? ''
    }
    await Promise.all(Array.from({ length: concurrency }, readSome))
    return lines.join('\n')
  }

  /** The text of a block, or undefined if it has to remain missing. */
  async #textOf({ id, type, indent }: MissingBlock): Promise<string | undefined> {
    try {
      if (!PAGES.includes(type)) return indented(await this.read(id, 1), indent)
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'object_not_found') throw error
    }
    this.missingIds.add(id)
    return undefined
  }

  /** Adds tags for the children after the last one in the text, if the response does not mention them. */
  async #addUnlisted(parent: string, lines: string[]): Promise<void> {
    const last = missingIn(lines).at(-1)
    if (!last) return
    const { indent, address, at, id: start_cursor } = last
    this.#count('requests', 1)
    const block = await this.#client.blocks.retrieve({ block_id: start_cursor }, this.#call)
    if (!('parent' in block) || !Object.values(block.parent).includes(parent)) return
    const further: string[] = []
    for await (const page of this.#client.blocks.children.list({ block_id: parent, start_cursor }, this.#call).pages()) {
      this.#count('requests', 1)
      for (const child of page.results)
        if (child.id !== start_cursor)
          further.push(`${indent}<unknown url="${address}#${bare(child.id)}" alt="${'type' in child ? child.type : ''}"/>`)
    }
    lines.splice(at + 1, 0, ...further)
  }

  #count(kind: 'requests' | 'characters', added: number): void {
    const [count, limit] =
      kind === 'requests'
        ? [(this.#requests += added), this.#limits.requestsMax]
        : [(this.#characters += added), this.#limits.charactersMax]
    if (count > limit) throw new LimitExceededError('readWholeMarkdown', `at most ${limit} ${kind}`)
  }
}

function missingIn(lines: readonly string[]): MissingBlock[] {
  return lines.flatMap((line, at) => {
    const [, indent = '', address = '', id = '', type = ''] = TAG.exec(line) ?? []
    return id === '' ? [] : [{ id: dashed(id), type, indent, address, at }]
  })
}

function indented(text: string, indent: string): string {
  return indent === '' ? text : text.replace(/^(?=.)/gm, indent)
}

/** An iterator to share: unlike an array's, it ends for all readers once one of them throws. */
function* each<Item>(items: readonly Item[]): Generator<Item, void, undefined> {
  yield* items
}

function bare(id: string): string {
  return id.replaceAll('-', '')
}

function dashed(id: string): string {
  return id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
