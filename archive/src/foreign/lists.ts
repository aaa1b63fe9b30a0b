import {
  markdownBlock,
  type BlockFields,
  type Inline,
  type MarkdownBlock,
} from '@workspace-service/server/domain/content/index.ts'
import { labeled } from './labeled.ts'
import type { PageConversion } from './page_conversion.ts'
import type { TextStyle } from './flow.ts'
import { classesOf, findElement, type HtmlElement, type HtmlNode } from './html_tree.ts'

const CHECKBOX = /^\[([ xX])\](?:\s+|$)/

/** The items of a list. Content between items belongs to the item before it. */
export function listItemsOf(element: HtmlElement, conversion: PageConversion, style: TextStyle): MarkdownBlock[] {
  const blocks: MarkdownBlock[] = []
  const type = element.name === 'ol' ? 'numbered_list_item' : 'bulleted_list_item'
  const start = Number(element.attributes['start'] ?? '1')
  for (const node of element.children) {
    if (typeof node === 'string' && node.trim() === '') continue
    const isItem = typeof node !== 'string' && node.name === 'li'
    const last = blocks.at(-1)
    if (isItem) blocks.push(...itemOf(node, type, conversion, style))
    else if (last) blocks.splice(-1, 1, { ...last, children: [...last.children, ...conversion.blocksOf([node], style)] })
    else blocks.push(...conversion.blocksOf([node], style))
  }
  const [first, ...others] = blocks
  if (first?.type !== 'numbered_list_item' || !Number.isInteger(start) || start < 2 || start > 999_999_999) return blocks
  return [{ ...first, fields: { ...first.fields, start } }, ...others]
}

function itemOf(
  item: HtmlElement,
  type: 'numbered_list_item' | 'bulleted_list_item',
  conversion: PageConversion,
  style: TextStyle,
): MarkdownBlock[] {
  const content = item.children.filter((node) => typeof node !== 'string' || node.trim() !== '')
  const [only] = content
  // Exported toggles are lists with one item each.
  if (content.length === 1 && only !== undefined && typeof only !== 'string' && only.name === 'details')
    return conversion.blocksOf(content, style)
  const { text, children } = labeled(conversion.blocksOf(item.children, style))
  const [checked, rest] = checkboxOf(item, text)
  if (checked === undefined) return [markdownBlock(type, { text, children })]
  const fields: BlockFields = { checked }
  return [markdownBlock('to_do', { text: rest, fields, children })]
}

/** Whether an item is checked, and its text without the box; undefined if it has no box. */
function checkboxOf(item: HtmlElement, text: readonly Inline[]): [boolean | undefined, readonly Inline[]] {
  const box = firstBox(item.children)
  if (box !== undefined) return [box, text]
  const [first, ...others] = text
  const [mark, state] =
    first?.type === 'text' && !first.outcomes.code && first.link === undefined ? (CHECKBOX.exec(first.text) ?? []) : []
  if (first?.type !== 'text' || mark === undefined) return [undefined, text]
  const rest = first.text.slice(mark.length)
  return [state !== ' ', rest === '' ? others : [{ ...first, text: rest }, ...others]]
}

function firstBox(nodes: readonly HtmlNode[]): boolean | undefined {
  const first = nodes.find((node) => typeof node !== 'string' || node.trim() !== '')
  if (first === undefined || typeof first === 'string') return undefined
  if (first.name === 'input' && first.attributes['type'] === 'checkbox') return 'checked' in first.attributes
  if (classesOf(first).includes('checkbox')) return classesOf(first).includes('checkbox-on')
  const isWrapper = ['p', 'label', 'span'].includes(first.name)
  return isWrapper && findElement(first, ({ name }) => name === 'input') ? firstBox(first.children) : undefined
}
