import { isOneEmoji } from '@workspace-service/server/kernel/emoji.ts'
import { markdownBlock, type Inline, type MarkdownBlock } from '@workspace-service/server/domain/content/index.ts'
import { labeled } from './labeled.ts'
import { mediaOf } from './media_elements.ts'
import type { PageConversion } from './page_conversion.ts'
import type { TextStyle } from './flow.ts'
import { classesOf, findElement, textIn, type HtmlElement, type HtmlNode } from './html_tree.ts'
import { shownAddress } from './shown_address.ts'

const ICONS: Readonly<Record<string, string>> = {
  note: 'ℹ️',
  info: 'ℹ️',
  tip: '💡',
  hint: '💡',
  important: '❗',
  warning: '⚠️',
  caution: '⚠️',
  danger: '⚠️',
  bug: '🐛',
  example: '📋',
  question: '❓',
  success: '✅',
  quote: '💬',
}

const ALERT = /^\[!([a-z]+)\][+-]?[ \t]*/i

/** A quotation, or the callout that begins with `[!note]`. */
export function quoteOf({ children }: HtmlElement, conversion: PageConversion, style: TextStyle): MarkdownBlock[] {
  const { text, children: below } = labeled(conversion.blocksOf(children, style))
  const [first, ...others] = text
  const [mark, word] = first?.type === 'text' ? (ALERT.exec(first.text) ?? []) : []
  if (first?.type !== 'text' || mark === undefined || word === undefined)
    return [markdownBlock('quote', { text, children: below })]
  const rest = first.text.slice(mark.length).replace(/^\n/, '')
  const own: readonly Inline[] = rest === '' ? withoutBreak(others) : [{ ...first, text: rest }, ...others]
  // Without a title, the callout begins with its text.
  const moved = own.length === 0 ? labeled(below) : { text: own, children: below }
  return [markdownBlock('callout', { ...moved, fields: { icon: ICONS[word.toLowerCase()] ?? '💡' } })]
}

function withoutBreak(text: readonly Inline[]): readonly Inline[] {
  const [first, ...others] = text
  if (first?.type !== 'text' || !first.text.startsWith('\n')) return text
  return first.text === '\n' ? others : [{ ...first, text: first.text.slice(1) }, ...others]
}

/** `<aside>` and exported callouts: their icon is a separate element, or the first character of the text. */
export function calloutOf(element: HtmlElement, conversion: PageConversion, style: TextStyle): MarkdownBlock[] {
  const icon = findElement(element, (inner) => classesOf(inner).includes('icon'))
  const written = element.attributes['icon']
  const { text, children } = labeled(conversion.blocksOf(icon ? without(element.children, icon) : element.children, style))
  const [first, ...others] = text
  const [start = '', ...rest] = first?.type === 'text' ? first.text.split(/(?<=^\S{1,30})[ \n]/) : []
  const own = (icon && iconIn(icon, conversion)) ?? (written !== undefined && isOneEmoji(written) ? written : undefined)
  if (own === undefined && first?.type === 'text' && isOneEmoji(start)) {
    const remainder = rest.join(' ').trimStart()
    const remaining: Inline[] = remainder === '' ? others : [{ ...first, text: remainder }, ...others]
    const moved = remaining.length === 0 ? labeled(children) : { text: remaining, children }
    return [markdownBlock('callout', { ...moved, fields: { icon: start } })]
  }
  return [markdownBlock('callout', { text, children, fields: own === undefined ? {} : { icon: own } })]
}

/** An emoji, or the address of a picture. */
function iconIn(element: HtmlElement, conversion: PageConversion): string | undefined {
  const emoji = textIn(element).trim()
  if (isOneEmoji(emoji)) return emoji
  const picture = element.name === 'img' ? element : findElement(element, ({ name }) => name === 'img')
  const src = picture?.attributes['src'] ?? ''
  const source = mediaOf(src, conversion)?.fields.source
  if (picture && source === undefined)
    conversion.reportLoss(`icon ${shownAddress(src)}`, 'It was found neither in the archive nor on the web.')
  return source
}

/** The nodes without an element, at any depth. */
function without(nodes: readonly HtmlNode[], unwanted: HtmlElement): HtmlNode[] {
  return nodes.flatMap((node) => {
    if (node === unwanted) return []
    return [typeof node === 'string' ? node : { ...node, children: without(node.children, unwanted) }]
  })
}
