import type { Inline, MarkdownBlock } from '../../domain/markdown/shared/markdown_block.ts'
import { isHidden } from '../foreign/inline_elements.ts'
import type { HtmlNode } from '../foreign/html_tree.ts'

/** What a text holds besides words. */
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

/** What a reader of a page of HTML sees. */
export function htmlCounts(nodes: readonly HtmlNode[]): ContentCounts {
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
      if (/^h[1-6]$/.test(node.name)) counts.headings += 1
      if (node.name === 'img' && src) counts.pictures += 1
      // Two links side by side that lead to one place are one.
      const isLink = node.name === 'a' && href
      if (isLink && href !== lastLink) counts.links += 1
      visit(node.children)
      lastLink = isLink ? href : undefined
    }
  }
  visit(nodes)
  return counts
}

/** What blocks of the dialect hold. */
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

/** Blocks that stand for a link. */
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
