import {
  parseLanguage,
  markdownBlock,
  type BlockFields,
  type Inline,
  type MarkdownBlock,
} from '@workspace-service/server/domain/content/index.ts'
import { undashed } from '@workspace-service/server/kernel/ids.ts'
import { calloutOf, quoteOf } from './callouts.ts'
import { equationOf } from './equations.ts'
import { labeled } from './labeled.ts'
import type { PageConversion } from './page_conversion.ts'
import { Flow, type TextStyle } from './flow.ts'
import { classesOf, elementsIn, findElement, isTableOfContents, textIn, type HtmlElement, type HtmlNode } from './html_tree.ts'
import { colorOf } from './inline_elements.ts'
import { listItemsOf } from './lists.ts'
import { addMedia, withCaption } from './media_elements.ts'
import { tableOf } from './tables.ts'

type BlockReader = (element: HtmlElement, conversion: PageConversion, style: TextStyle) => MarkdownBlock[] | undefined

/** Elements with their own blocks. If a reader returns no block, the element's content is used. */
const READERS: Readonly<Record<string, BlockReader>> = {
  h1: headingOf,
  h2: headingOf,
  h3: headingOf,
  h4: headingOf,
  h5: headingOf,
  h6: headingOf,
  hr: () => [markdownBlock('divider')],
  ul: listItemsOf,
  ol: listItemsOf,
  menu: listItemsOf,
  blockquote: quoteOf,
  aside: calloutOf,
  callout: calloutOf,
  pre: codeOf,
  details: toggleOf,
  table: tableOf,
  figure: figureOf,
  nav: (element) => (isTableOfContents(element) ? [markdownBlock('table_of_contents')] : undefined),
  div: divisionOf,
  video: mediaOf,
  audio: mediaOf,
  iframe: embedOf,
  embed: embedOf,
  object: objectOf,
  'x-equation': (element, conversion) => equationOf(textIn(element), conversion),
}

export function blockOf(element: HtmlElement, conversion: PageConversion, style: TextStyle): MarkdownBlock[] | undefined {
  const reader = Object.hasOwn(READERS, element.name) ? READERS[element.name] : undefined
  const blocks = reader ? reader(element, conversion, style) : paragraphsOf(element, conversion, style)
  const color = colorOf(element)
  return color === undefined
    ? blocks
    : blocks?.map((block) => (COLORED.has(block.type) ? { ...block, fields: { color, ...block.fields } } : block))
}

const COLORED: ReadonlySet<string> = new Set([
  'paragraph',
  'heading_1',
  'heading_2',
  'heading_3',
  'heading_4',
  'quote',
  'toggle',
  'callout',
])

/** A paragraph that consists of a link to a child page becomes the line of that page. */
function paragraphsOf(element: HtmlElement, conversion: PageConversion, style: TextStyle): MarkdownBlock[] | undefined {
  return childLineOf(element, conversion) ?? (element.name === 'p' ? conversion.blocksOf(element.children, style) : undefined)
}

function childLineOf(element: HtmlElement, { targets, placed }: PageConversion): MarkdownBlock[] | undefined {
  const links = element.children.filter((node) => typeof node !== 'string' || node.trim() !== '')
  const [link] = links
  if (links.length !== 1 || link === undefined || typeof link === 'string' || link.name !== 'a') return undefined
  const target = targets.get(link.attributes['href'] ?? '')
  if (target?.kind !== 'record' || !target.isChild || placed.has(target.id)) return undefined
  placed.add(target.id)
  const text: Inline[] = [{ type: 'text', text: textIn(link).trim(), outcomes: {} }]
  const type = target.record === 'page' ? 'child_page' : 'child_database'
  return [markdownBlock(type, { text, fields: { id: target.id, url: `/${undashed(target.id)}` } })]
}

const HEADINGS = ['heading_1', 'heading_2', 'heading_3', 'heading_4'] as const

function headingType(name: string): (typeof HEADINGS)[number] {
  return HEADINGS[Number(name.slice(1)) - 1] ?? 'heading_4'
}

/** A heading; content that does not fit into a heading follows it. Without text, it shows the descriptions of its pictures. */
function headingOf(element: HtmlElement, conversion: PageConversion, style: TextStyle): MarkdownBlock[] {
  const { text, children } = labeled(conversion.blocksOf(element.children, style))
  const described: readonly Inline[] =
    text.length > 0
      ? text
      : children
          .flatMap(({ type, text: caption }) => (type === 'image' ? caption : []))
          .slice(0, 1)
          .map(withoutLink)
  return [markdownBlock(headingType(element.name), { text: described.map(withoutBreaks) }), ...children]
}

function withoutBreaks(inline: Inline): Inline {
  return inline.type === 'text' ? { ...inline, text: inline.text.replaceAll('\n', ' ') } : inline
}

function withoutLink(inline: Inline): Inline {
  return inline.type === 'text' ? { type: 'text', text: inline.text, outcomes: inline.outcomes } : inline
}

function codeOf(element: HtmlElement, conversion: PageConversion, style: TextStyle): MarkdownBlock[] {
  // Only text fits into a block of code.
  const hasMore = findElement(
    element,
    ({ name, attributes }) => name === 'img' || (name === 'a' && attributes['href'] !== undefined),
  )
  if (hasMore) return conversion.blocksOf(element.children, { ...style, isVerbatim: true })
  const code = findElement(element, ({ name }) => name === 'code') ?? element
  const languages = [...classesOf(code), ...classesOf(element)].flatMap((name) => /^lang(?:uage)?-(.+)$/.exec(name)?.[1] ?? [])
  const text = textIn(element).replace(/^\n/, '').replace(/\n$/, '')
  if (languages[0] === 'math') return equationOf(text, conversion)
  return [markdownBlock('code', { fields: { language: parseLanguage(languages[0] ?? ''), code: text } })]
}

/** Font sizes that make an exported toggle a heading. */
const SUMMARY_SIZES: Readonly<Record<string, string>> = { '1.875em': 'h1', '1.5em': 'h2', '1.25em': 'h3' }

function toggleOf({ children }: HtmlElement, conversion: PageConversion, style: TextStyle): MarkdownBlock[] {
  const isSummary = (node: HtmlNode): node is HtmlElement => typeof node !== 'string' && node.name === 'summary'
  const summary = children.find(isSummary)
  const [title, ...moved] = summary ? conversion.blocksOf(summary.children, style) : []
  const below = [
    ...moved,
    ...conversion.blocksOf(
      children.filter((node) => node !== summary),
      style,
    ),
  ]
  if (title?.type.startsWith('heading_')) return [{ ...title, fields: { ...title.fields, toggle: true }, children: below }]
  const size = /font-size:([\d.]+em)/.exec(summary?.attributes['style'] ?? '')?.[1]
  const level = size === undefined ? undefined : SUMMARY_SIZES[size]
  const own = title?.type === 'paragraph' ? title.text : []
  const all = title === undefined || title.type === 'paragraph' ? below : [title, ...below]
  if (level !== undefined) return [markdownBlock(headingType(level), { text: own, fields: { toggle: true }, children: all })]
  return [markdownBlock('toggle', { text: own, children: all })]
}

function figureOf(element: HtmlElement, conversion: PageConversion, style: TextStyle): MarkdownBlock[] {
  const classes = classesOf(element)
  if (classes.includes('callout')) return calloutOf(element, conversion, style)
  const annotation = findElement(element, ({ name }) => name === 'annotation')
  if (annotation) return equationOf(textIn(annotation), conversion)
  if (classes.includes('link-to-page')) {
    const line = childLineOf(element, conversion)
    if (line) return line
  }
  const caption = element.children.find((node) => typeof node !== 'string' && node.name === 'figcaption')
  const blocks = conversion.blocksOf(
    element.children.filter((node) => node !== caption),
    style,
  )
  const text = caption && typeof caption !== 'string' ? labeled(conversion.blocksOf(caption.children, style)).text : []
  return withCaption(blocks, text)
}

function divisionOf(element: HtmlElement, conversion: PageConversion, style: TextStyle): MarkdownBlock[] | undefined {
  const classes = classesOf(element)
  if (classes.includes('collection-content')) return databaseLineOf(element, conversion)
  if (!classes.includes('column-list')) return childLineOf(element, conversion)
  const columns = element.children.flatMap((node) => {
    if (typeof node === 'string') return []
    const share = Number(/width:([\d.]+)%/.exec(node.attributes['style'] ?? '')?.[1])
    const fields: BlockFields = share > 0 && share <= 100 ? { widthRatio: Math.round(share) / 100 } : {}
    return [markdownBlock('column', { fields, children: conversion.blocksOf(node.children, style) })]
  })
  return columns.length > 1 ? [markdownBlock('column_list', { children: columns })] : columns.flatMap(({ children }) => children)
}

/** An exported table whose rows are pages becomes the line of its database. */
function databaseLineOf(element: HtmlElement, { placed, targets }: PageConversion): MarkdownBlock[] | undefined {
  for (const { name, attributes } of elementsIn(element)) {
    const target = name === 'a' ? targets.get(attributes['href'] ?? '') : undefined
    const id = target?.kind === 'record' ? target.databaseId : undefined
    if (id === undefined) continue
    const isPlaced = placed.has(id)
    placed.add(id)
    return isPlaced ? [] : [markdownBlock('child_database', { text: [], fields: { id, url: `/${undashed(id)}`, inline: true } })]
  }
  return undefined
}

function mediaOf(element: HtmlElement, conversion: PageConversion, style: TextStyle): MarkdownBlock[] {
  const flow = new Flow()
  const source = findElement(element, ({ name }) => name === 'source')
  const src = element.attributes['src'] ?? source?.attributes['src']
  const type = element.name === 'audio' ? 'audio' : 'video'
  if (src !== undefined) addMedia(element, flow, conversion, style, type, src)
  flow.end()
  return flow.blocks
}

/** An `<object>` with content is replaced by that content, which is for readers who cannot see the object. */
function objectOf(element: HtmlElement, conversion: PageConversion, style: TextStyle): MarkdownBlock[] | undefined {
  if (element.children.length > 0) return undefined
  return embedOf({ ...element, attributes: { ...element.attributes, src: element.attributes['data'] ?? '' } }, conversion, style)
}

function embedOf({ attributes }: HtmlElement, { targets, reportLoss }: PageConversion, { marks }: TextStyle): MarkdownBlock[] {
  const { src = '' } = attributes
  const target = targets.get(src)
  if (target?.kind === 'address')
    return [
      markdownBlock('paragraph', {
        text: [{ type: 'text', text: attributes['title'] || src, outcomes: marks, link: target.url }],
      }),
    ]
  reportLoss(`embedded page ${src.slice(0, 100)}`, 'The page has no web address.')
  return []
}
