import { bar } from '../progress.ts'
import { appendChildren, createPage, listChildren } from './api.ts'
import { BLOCKS_PER_PAGE, oneItem, pageOfBlocks } from './content.ts'

/** Ids to use in requests. */
export interface BlockSample {
  readonly pages: readonly string[]
  /** Paragraphs spread over the whole database, so that consecutive reads do not touch the same data. */
  readonly spread: readonly string[]
  /**
   * List items with children, page by page. Concurrent calls use the same page, so that writers wait for each other as often in a small
   * database as in a large one.
   */
  readonly items: readonly string[]
  readonly paragraphs: readonly string[]
  /** A block fifty levels below the root page of this database. */
  readonly deepBlock: string
  readonly topPage: string
}

export const DEPTH = 50
const SPREAD_ITEMS = 1_000
const PAGES_WRITTEN_MAX = 50
const ITEMS_WRITTEN_PER_PAGE = 20
const CALLS_AT_A_TIME = 4

/** Fills an empty service through its own API. @returns some of the ids */
export async function fill(url: string, blocks: number, label: string): Promise<BlockSample> {
  const topPage = await createPage(url, { properties: { title: { title: [{ text: { content: 'Boatyard' } }] } } })
  const pages: string[] = []
  const wanted = Math.ceil(blocks / BLOCKS_PER_PAGE)
  let started = 0
  const work = async (): Promise<void> => {
    while (started < wanted) {
      started += 1
      pages.push(await createPage(url, pageOfBlocks(started, topPage)))
      bar(`filling ${label}`, pages.length / wanted)
    }
  }
  await Promise.all(Array.from({ length: CALLS_AT_A_TIME }, work))
  const deepBlock = await dig(url, topPage)
  return { pages, ...(await takeSample(url, pages)), deepBlock, topPage }
}

/** @returns the block at the end of a chain of nested blocks below the page */
async function dig(url: string, page: string): Promise<string> {
  let id = page
  for (let level = 0; level < DEPTH; level += 1) [id = ''] = await appendChildren(url, id, oneItem())
  return id
}

async function takeSample(url: string, pages: readonly string[]): Promise<Pick<BlockSample, 'spread' | 'items' | 'paragraphs'>> {
  const written =
    pages.length < PAGES_WRITTEN_MAX
      ? pages
      : pages.filter((_page, index) => index % Math.floor(pages.length / PAGES_WRITTEN_MAX) === 0)
  const items = await itemsOf(url, written, pages.length < PAGES_WRITTEN_MAX ? Infinity : ITEMS_WRITTEN_PER_PAGE)
  const far = await itemsOf(url, pages, Math.ceil(SPREAD_ITEMS / pages.length))
  return { items, paragraphs: await childrenOf(url, items), spread: shuffled(await childrenOf(url, far)) }
}

/** List items of each page, evenly spaced. */
async function itemsOf(url: string, pages: readonly string[], perPage: number): Promise<string[]> {
  const items: string[] = []
  for (const page of pages) {
    const all = await listChildren(url, page)
    const stride = Math.max(1, Math.floor(all.length / perPage))
    items.push(...all.filter((_item, index) => index % stride === 0).slice(0, perPage))
  }
  return items
}

async function childrenOf(url: string, parents: readonly string[]): Promise<string[]> {
  const children: string[] = []
  for (const parent of parents) children.push(...(await listChildren(url, parent)))
  return children
}

/** A fixed permutation: a step coprime to the length visits every index once. */
function shuffled(values: readonly string[]): string[] {
  const step = 7919 // prime, and larger than any common factor
  return values.map((_value, index) => values[(index * step) % values.length] ?? '')
}
