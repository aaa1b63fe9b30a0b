import {
  joinTexts,
  markdownBlock,
  PIECES_MAX,
  splitText,
  type Inline,
  type MarkdownBlock,
} from '@workspace-service/server/domain/content/index.ts'
import type { PageConversion } from './page_conversion.ts'
import type { TextStyle } from './flow.ts'
import type { HtmlElement, HtmlNode } from './html_tree.ts'

/** The most columns that a table of the dialect has. */
const COLUMNS_MAX = 100

interface Row {
  readonly cells: readonly (readonly MarkdownBlock[])[]
  readonly isHeader: boolean
}

/** A table. Its pictures follow it. A table that only arranges blocks becomes these blocks. */
export function tableOf(element: HtmlElement, conversion: PageConversion, style: TextStyle): MarkdownBlock[] {
  const rows = [...rowsIn(element, false)].map(({ row, isHead }) => rowOf(row, isHead, conversion, style))
  const captions = conversion.blocksOf([...misplacedIn(element)], style)
  const all = rows.flatMap(({ cells }) => cells.flat())
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0)
  const isLayout = width > COLUMNS_MAX || !all.every(fits) || rows.some(({ cells }) => cells.some(isLong))
  const hasText = all.some(({ type }) => TEXTS.has(type))
  if (isLayout || !hasText) return [...captions, ...all]
  const children = rows.map(({ cells }) => {
    const texts = Array.from({ length: width }, (_cell, index) => textOf(cells[index] ?? []))
    return markdownBlock('table_row', { fields: { cells: texts } })
  })
  const fields = rows[0]?.isHeader ? { columnHeader: true } : {}
  return [...captions, markdownBlock('table', { fields, children }), ...all.flatMap(mediaIn)]
}

/** Whether a cell has more text than a cell of the service may have. */
function isLong(cell: readonly MarkdownBlock[]): boolean {
  let pieces = 0
  for (const inline of joinTexts(textOf(cell))) pieces += inline.type === 'text' ? splitText(inline.text).length : 1
  return pieces > PIECES_MAX
}

const TEXTS: ReadonlySet<string> = new Set(['paragraph', 'bulleted_list_item', 'numbered_list_item', 'to_do', 'quote'])
const MEDIA: ReadonlySet<string> = new Set(['image', 'video', 'audio', 'pdf', 'file'])
/** Blocks that can be in a cell: texts, and media, which follow the table. */
const IN_CELLS: ReadonlySet<string> = new Set([...TEXTS, ...MEDIA])

function fits({ type, children }: MarkdownBlock): boolean {
  return IN_CELLS.has(type) && children.every(fits)
}

function* rowsIn({ children }: HtmlElement, isHead: boolean): Generator<{ readonly row: HtmlElement; readonly isHead: boolean }> {
  for (const child of children) {
    if (typeof child === 'string') continue
    if (child.name === 'tr') yield { row: child, isHead }
    else if (['thead', 'tbody', 'tfoot'].includes(child.name)) yield* rowsIn(child, child.name === 'thead')
  }
}

/** The content of a table outside its cells: its caption, and misplaced elements. */
function* misplacedIn({ children }: HtmlElement): Generator<HtmlNode> {
  for (const child of children) {
    if (typeof child === 'string') {
      if (child.trim() !== '') yield child
    } else if (PARTS.has(child.name)) yield* misplacedIn(child)
    else if (child.name === 'caption') yield* child.children
    else if (child.name !== 'td' && child.name !== 'th') yield child
  }
}

const PARTS: ReadonlySet<string> = new Set(['thead', 'tbody', 'tfoot', 'tr'])

function rowOf({ children }: HtmlElement, isHead: boolean, conversion: PageConversion, style: TextStyle): Row {
  const isCell = (node: HtmlNode): node is HtmlElement => typeof node !== 'string' && (node.name === 'td' || node.name === 'th')
  const cells = children.filter(isCell)
  return {
    cells: cells.map((cell) => conversion.blocksOf(cell.children, style)),
    isHeader: isHead || (cells.length > 0 && cells.every(({ name }) => name === 'th')),
  }
}

/** The texts of blocks, one line each. */
function textOf(blocks: readonly MarkdownBlock[]): Inline[] {
  const lines = blocks.flatMap((block): (readonly Inline[])[] => {
    if (!TEXTS.has(block.type)) return []
    const below = textOf(block.children)
    return below.length === 0 ? [block.text] : [block.text, below]
  })
  return lines.flatMap((line, index) => (index === 0 ? line : [{ type: 'text', text: '\n', outcomes: {} } as const, ...line]))
}

function mediaIn(block: MarkdownBlock): MarkdownBlock[] {
  return MEDIA.has(block.type) ? [block] : block.children.flatMap(mediaIn)
}
