import type { MarkdownBlock } from '@workspace-service/server/domain/content/index.ts'
import { blockOf } from './block_elements.ts'
import { addEquation } from './equations.ts'
import { Flow, type TextStyle } from './flow.ts'
import { isHidden, isInline, marksOf } from './inline_elements.ts'
import { classesOf, findElement, isIcon, textIn, type HtmlElement, type HtmlNode } from './html_tree.ts'
import { addAnchor } from './add_anchor.ts'
import { addMedia } from './media_elements.ts'
import type { PageConversion } from './page_conversion.ts'

const PLAIN: TextStyle = { marks: {} }

export function blocksOfPage(
  nodes: readonly HtmlNode[],
  context: Omit<PageConversion, 'blocksOf' | 'addNodes'>,
): readonly MarkdownBlock[] {
  const conversion: PageConversion = {
    ...context,
    blocksOf(inner, style = PLAIN) {
      const flow = new Flow()
      addNodes(inner, flow, conversion, style)
      flow.end()
      return flow.blocks
    },
    addNodes(inner, flow, style) {
      addNodes(inner, flow, conversion, style)
    },
  }
  return conversion.blocksOf(nodes)
}

const DRAWINGS: ReadonlySet<string> = new Set(['svg', 'canvas'])

function addNodes(nodes: readonly HtmlNode[], flow: Flow, conversion: PageConversion, style: TextStyle): void {
  for (const node of nodes) {
    if (typeof node === 'string') flow.text(node, style)
    else if (isInline(node.name)) addInline(node, flow, conversion, style)
    else if (DRAWINGS.has(node.name)) conversion.reportLoss(`<${node.name}>`, 'The service does not support drawings.')
    else if (!isHidden(node.name)) addBlock(node, flow, conversion, style)
  }
}

function addInline(element: HtmlElement, flow: Flow, conversion: PageConversion, style: TextStyle): void {
  const { name, children } = element
  if (name === 'br') return flow.lineBreak(style)
  if (isIcon(element)) return
  if (name === 'img') return addMedia(element, flow, conversion, style)
  const equation = name === 'x-math' ? textIn(element) : annotationIn(element)
  if (equation !== undefined) return addEquation(equation, flow, conversion, style)
  const inner = { ...style, marks: { ...style.marks, ...marksOf(element) } }
  if (name === 'a' && element.attributes['href'] !== undefined) return addAnchor(element, flow, conversion, inner)
  addNodes(children, flow, conversion, inner)
}

/** The source of an equation that a program has rendered. */
function annotationIn(element: HtmlElement): string | undefined {
  if (!classesOf(element).includes('katex')) return undefined
  const annotation = findElement(element, ({ name }) => name === 'annotation')
  return annotation && textIn(annotation)
}

/** Elements without their own block are replaced by their content. */
function addBlock(element: HtmlElement, flow: Flow, conversion: PageConversion, style: TextStyle): void {
  flow.end()
  const blocks = blockOf(element, conversion, style)
  if (blocks) for (const block of blocks) flow.block(block)
  else addNodes(element.children, flow, conversion, style)
  if (element.name.includes('-') && element.children.length === 0 && !blocks)
    conversion.reportLoss(`<${element.name}>`, 'Tags of this kind are imported only from archives of this service.')
  flow.end()
}
