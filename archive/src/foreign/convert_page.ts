import { writeBlocks, type MarkdownBlock } from '@workspace-service/server/domain/content/index.ts'
import { mediaKindOf } from '@workspace-service/server/domain/files/index.ts'
import { chunks } from '@workspace-service/server/kernel/yield_to_event_loop.ts'
import { htmlCounts, type ContentCounts } from '../import/content_counts.ts'
import { blocksOfPage } from './blocks_of_page.ts'
import { readForeignPage, type ForeignPage, type PageFacts } from './foreign_page.ts'
import { elementsIn, type HtmlElement } from './html_tree.ts'
import type { LinkTarget } from './link_target.ts'

/** A page as its file contains it. */
export interface PageToConvert extends PageFacts {
  readonly path: string
  readonly written: string
}

/** The text of a page in the dialect of the API, and the records that have a line in it. */
export interface ConvertedPage extends Pick<ForeignPage, 'title' | 'values'> {
  readonly text: string
  readonly placed: ReadonlySet<string>
  /** The content of the page as its readers see it. */
  readonly found: ContentCounts
  /** How many headings the text lacks, because they became the page's title. */
  readonly titles: number
  readonly losses: readonly Loss[]
}

interface Loss {
  readonly what: string
  readonly reason: string
}

/** Resolves addresses to records and files of the archive. */
export type FindTargets = (addresses: readonly string[]) => Promise<ReadonlyMap<string, LinkTarget>>

/** How many addresses of a page are resolved at a time. */
const ADDRESSES_AT_ONCE = 1_000

/** Converts a page to the dialect, and resolves its addresses to links within the archive. */
export async function convertPage(page: PageToConvert, findTargets: FindTargets): Promise<ConvertedPage> {
  const read = readForeignPage(page.path, page.written, page)
  const targets = new Map<string, LinkTarget>()
  for (const addresses of chunks(addressesIn(read), ADDRESSES_AT_ONCE))
    for (const [address, target] of await findTargets(addresses)) targets.set(address, target)
  return converted(read, targets)
}

function addressesIn({ content }: ForeignPage): readonly string[] {
  const root: HtmlElement = { name: '', attributes: {}, children: [...content] }
  const addresses = new Set<string>()
  for (const { attributes } of elementsIn(root))
    for (const address of [attributes['href'], attributes['src']]) if (address !== undefined) addresses.add(address)
  return [...addresses]
}

function converted({ title, values, content, isComplete }: ForeignPage, targets: ReadonlyMap<string, LinkTarget>): ConvertedPage {
  const losses: Loss[] = []
  const reportLoss = (what: string, reason: string): void => void losses.push({ what, reason })
  if (!isComplete) reportLoss('the end of the text', 'The page has more than 500,000 elements and texts.')
  const placed = new Set<string>()
  const blocks = blocksOfPage(content, { targets, placed, reportLoss })
  const own = withoutTitle(blocks, title)
  const found = htmlCounts(content, (address) => isPicture(targets.get(address)))
  return { title, values, text: writeBlocks(own).text, placed, found, titles: blocks.length - own.length, losses }
}

/** Whether an address leads to a picture of the archive; undefined if it leads out of the archive. */
function isPicture(target: LinkTarget | undefined): boolean | undefined {
  if (target?.kind === 'file') return mediaKindOf(target.upload.type) === 'image'
  return target?.kind === 'record' ? false : undefined
}

/** The text does not repeat the title of a page, unless the title has links. */
function withoutTitle(blocks: readonly MarkdownBlock[], title: string | undefined): readonly MarkdownBlock[] {
  const [first, ...others] = blocks
  if (first?.type !== 'heading_1') return blocks
  const isPlain = first.text.every((inline) => inline.type === 'text' && inline.link === undefined)
  const text = first.text.map((inline) => (inline.type === 'text' ? inline.text : '')).join('')
  return isPlain && text.replace(/\s+/g, ' ').trim() === (title ?? '') ? others : blocks
}
