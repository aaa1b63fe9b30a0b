import { parsePart, type Inline, type MarkdownBlock } from '@workspace-service/server/domain/content/index.ts'
import { inSlices } from '@workspace-service/server/kernel/yield_to_event_loop.ts'
import { isHidden } from '../foreign/inline_elements.ts'
import {
  classesOf,
  elementsIn,
  findElement,
  isIcon,
  isOwnPicture,
  isTableOfContents,
  type HtmlElement,
  type HtmlNode,
} from '../foreign/html_tree.ts'

/** The contents of a text besides words. */
export interface ContentCounts {
  readonly headings: number
  readonly pictures: number
  readonly links: number
}

export const noContent: ContentCounts = { headings: 0, pictures: 0, links: 0 }

export function addCounts(one: ContentCounts, other: ContentCounts): ContentCounts {
  return {
    headings: one.headings + other.headings,
    pictures: one.pictures + other.pictures,
    links: one.links + other.links,
  }
}

export function hasContent(counts: ContentCounts): boolean {
  return Object.values(counts).some((count: number) => count > 0)
}

/**
 * Counts the contents of an HTML page that its readers see.
 * @param isPicture whether an address leads to a picture; undefined if unknown
 */
export function htmlCounts(
  nodes: readonly HtmlNode[],
  isPicture: (address: string) => boolean | undefined = () => undefined,
): ContentCounts {
  const counts = { headings: 0, pictures: 0, links: 0 }
  let lastLink: string | undefined
  const visit = (list: readonly HtmlNode[]): void => {
    for (const node of list) {
      if (typeof node === 'string') {
        if (node !== '') lastLink = undefined
        continue
      }
      if (isHidden(node.name)) continue
      const { href, src } = node.attributes
      if (isPlayer(node)) {
        counts.links += 1
        continue
      }
      if (/^h[1-6]$/.test(node.name)) counts.headings += 1
      if (node.name === 'img' && src && !isIcon(node)) counts[(isPicture(src) ?? true) ? 'pictures' : 'links'] += 1
      // Two adjacent links with the same target count as one.
      const isLink = node.name === 'a' && href && !isOwnPicture(node)
      if (isLink && href !== lastLink) counts[isPicture(href) ? 'pictures' : 'links'] += 1
      if (!isTableOfContents(node)) visit(isRowsOfDatabase(node) ? [firstLinkIn(node) ?? ''] : node.children)
      lastLink = isLink ? href : undefined
    }
  }
  visit(nodes)
  return counts
}

/** Videos, sounds and embedded pages. Their content is for readers who cannot see them. */
function isPlayer(node: HtmlElement): boolean {
  const { name, attributes } = node
  if (name === 'iframe' || name === 'embed') return attributes['src'] !== undefined
  if (name === 'object') return attributes['data'] !== undefined && node.children.length === 0
  const isMedia = name === 'video' || name === 'audio'
  return isMedia && [node, ...elementsIn(node)].some((element) => element.attributes['src'] !== undefined)
}

/** An exported database view counts as one link: its rows are in a separate table. */
function isRowsOfDatabase(node: HtmlElement): boolean {
  return node.name === 'div' && classesOf(node).includes('collection-content') && firstLinkIn(node) !== undefined
}

function firstLinkIn(node: HtmlElement): HtmlElement | undefined {
  return findElement(node, ({ name, attributes }) => name === 'a' && attributes['href'] !== undefined)
}

/** The contents that the service parses from a text of the dialect, which may be fewer than intended. */
export async function countsIn(text: string): Promise<ContentCounts> {
  const { blocks } = await inSlices(parsePart(text, Infinity))
  return blockCounts(blocks)
}

export function blockCounts(blocks: readonly MarkdownBlock[]): ContentCounts {
  const counts = { headings: 0, pictures: 0, links: 0 }
  const visit = ({ type, text, fields, children }: MarkdownBlock): void => {
    if (type.startsWith('heading_')) counts.headings += 1
    if (type === 'image') counts.pictures += 1
    if (RECORDS_AND_FILES.has(type)) counts.links += 1
    for (const inlines of [text, ...(fields.cells ?? [])]) counts.links += linksIn(inlines)
    children.forEach(visit)
  }
  blocks.forEach(visit)
  return counts
}

/** Blocks that count as a link. */
const RECORDS_AND_FILES: ReadonlySet<string> = new Set(['child_page', 'child_database', 'file', 'pdf', 'video', 'audio'])

function linksIn(inlines: readonly Inline[]): number {
  let [count, last] = [0, undefined as string | undefined]
  for (const inline of inlines) {
    const link = inline.type === 'mention' ? inline.id : inline.type === 'text' ? inline.link : undefined
    if (link !== undefined && link !== last) count += 1
    last = link
  }
  return count
}
