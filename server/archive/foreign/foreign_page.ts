import type { MarkdownBlock } from '../../domain/markdown/shared/markdown_block.ts'
import { writeBlocks } from '../../domain/markdown/write/write_blocks.ts'
import { splitFrontMatter } from '../front_matter.ts'
import { mediaKindOf } from '../../domain/file_uploads/types.ts'
import { isHtml, nameOfFile } from '../import/archive_paths.ts'
import { htmlCounts, type ContentCounts } from '../import/content_counts.ts'
import type { CellsByHeading, ImportParts } from '../import/import_parts.ts'
import { blocksOfPage } from './blocks_of_page.ts'
import { classesOf, elementsIn, findElement, parseHtml, textIn, type HtmlElement, type HtmlNode } from './html_tree.ts'
import { htmlOfMarkdown } from './markdown_html.ts'
import { targetsOf, type LinkTarget, type TargetParts } from './targets.ts'

/** A page that another program wrote. */
export interface ForeignPage {
  /** Undefined if the page names none. */
  readonly title: string | undefined
  /** What is written before the text: icon, cover, and whatever else. */
  readonly values: Readonly<Record<string, unknown>>
  readonly content: readonly HtmlNode[]
  /** The values of a row, by name. */
  readonly properties: ReadonlyMap<string, string>
  /** Whether its text could be read to its end. */
  readonly isComplete: boolean
}

/** What is known of a page before it is read. */
interface PageFacts {
  /** The values of a row in its table, by heading: its page repeats them. */
  readonly row?: CellsByHeading | undefined
  /** Whether the name of its file is its title, whatever it begins with. */
  readonly isNamedByFile?: boolean
}

/** Reads a page of Markdown or HTML, or the beginning of one. */
export function readForeignPage(path: string, written: string, { row, isNamedByFile }: PageFacts = {}): ForeignPage {
  return isHtml(path) ? readHtmlPage(written, row) : readMarkdownPage(written, isNamedByFile ? nameOfFile(path) : undefined)
}

function readMarkdownPage(written: string, name: string | undefined): ForeignPage {
  const { values, text } = splitFrontMatter(written)
  const { root, isComplete } = parseHtml(htmlOfMarkdown(text))
  const { title, ...others } = values
  const named = typeof title === 'string' || typeof title === 'number' ? String(title).trim() : ''
  const first = firstElement(root.children)
  const heading = first?.name === 'h1' ? plainText(first) : ''
  return {
    title: named || (name ?? heading) || undefined,
    values: named === '' ? values : others,
    content: root.children,
    properties: new Map(),
    isComplete,
  }
}

function readHtmlPage(written: string, row: CellsByHeading | undefined): ForeignPage {
  const { root, isComplete } = parseHtml(written)
  const withClass = (name: string): HtmlElement | undefined => findElement(root, (element) => classesOf(element).includes(name))
  const named =
    withClass('page-title') ?? findElement(root, ({ name }) => name === 'title') ?? findElement(root, ({ name }) => name === 'h1')
  const body = withClass('page-body') ?? findElement(root, ({ name }) => name === 'body') ?? root
  const [icon, cover] = [withClass('page-header-icon'), withClass('page-cover-image')?.attributes['src']]
  const picture = icon && findElement(icon, ({ name }) => name === 'img')?.attributes['src']
  const word = picture ?? (icon ? textIn(icon).trim() : '')
  const table = withClass('properties')
  const description = withClass('page-description')
  const before = [description, row && table ? withoutCells(table, row) : table].filter((element) => element !== undefined)
  const isBody = classesOf(body).includes('page-body')
  return {
    title: (named && plainText(named)) || undefined,
    values: { ...(word !== '' && { icon: word }), ...(cover !== undefined && { cover }) },
    content: isBody ? [...before, ...body.children] : body.children,
    properties: propertiesIn(table),
    isComplete,
  }
}

/** A table of properties without those that the record of the row has; undefined if it has all of them. */
function withoutCells(table: HtmlElement, row: CellsByHeading): HtmlElement | undefined {
  const isOther = (element: HtmlElement): boolean => {
    const [[name, value] = ['', '']] = propertiesIn(element)
    return value !== '' && (row.get(name) ?? '') === ''
  }
  const rows = [...elementsIn(table)].filter((element) => element.name === 'tr' && isOther(element))
  return rows.length === 0 ? undefined : { ...table, children: rows }
}

function firstElement(nodes: readonly HtmlNode[]): HtmlElement | undefined {
  const first = nodes.find((node) => typeof node !== 'string' || node.trim() !== '')
  return typeof first === 'string' ? undefined : first
}

function plainText(element: HtmlElement): string {
  return textIn(element).replace(/\s+/g, ' ').trim()
}

function propertiesIn(table: HtmlElement | undefined): ReadonlyMap<string, string> {
  const properties = new Map<string, string>()
  const visit = ({ children }: HtmlElement): void => {
    const cells = children.filter((node) => typeof node !== 'string')
    const [name, value] = cells
    if (name?.name === 'th' && value) properties.set(plainText(name), propertyText(value))
    else for (const cell of cells) visit(cell)
  }
  if (table) visit(table)
  return properties
}

/** The value of an exported property, as a CSV file has it. */
function propertyText(cell: HtmlElement): string {
  const box = findElement(cell, (element) => classesOf(element).includes('checkbox'))
  if (box) return classesOf(box).includes('checkbox-on') ? 'Yes' : 'No'
  const parts = cell.children.filter((node) => typeof node !== 'string' && classesOf(node).includes('selected-value'))
  const text = parts.length > 0 ? parts.map(textIn).join(', ') : textIn(cell)
  return text.trim().replace(/^@/, '')
}

/** The text of a page in the dialect of the API, and what it has a line for. */
export interface ConvertedPage {
  readonly text: string
  readonly placed: ReadonlySet<string>
  /** What the page holds as its readers see it. */
  readonly found: ContentCounts
  /** What of it is not in the text: the heading that is the title of the page. */
  readonly titles: number
}

type ConversionParts = TargetParts & Pick<ImportParts, 'leftOut'>

/** Writes a page in the dialect, with links to what its addresses lead to in the archive. */
export async function convertPage(
  parts: ConversionParts,
  path: string,
  { title, content, isComplete }: ForeignPage,
): Promise<ConvertedPage> {
  const { tree, leftOut } = parts
  const root: HtmlElement = { name: '', attributes: {}, children: [...content] }
  const targets = await targetsOf(parts, path, root)
  const lose = (what: string, reason: string): void => void leftOut.push({ what, where: path, reason })
  if (!isComplete) lose('the end of the text', 'It has more than 500,000 elements and texts.')
  const placed = new Set<string>()
  const blocks = blocksOfPage(content, { targets, placed, lose, databaseOf: (address) => databaseOf(tree, targets.get(address)) })
  const own = withoutTitle(blocks, title)
  const found = htmlCounts(content, (address) => isPicture(targets.get(address)))
  return { text: writeBlocks(own).text, placed, found, titles: blocks.length - own.length }
}

/** Whether an address leads to a picture of the archive; undefined if it leads out of the archive. */
function isPicture(target: LinkTarget | undefined): boolean | undefined {
  if (target?.kind === 'file') return mediaKindOf(target.upload.type) === 'image'
  return target?.kind === 'record' ? false : undefined
}

function databaseOf(tree: ImportParts['tree'], target: LinkTarget | undefined): { readonly id: string } | undefined {
  const table = target?.kind === 'record' ? tree.tableOf(target.path) : undefined
  return table === undefined ? undefined : { id: tree.idOf(table) }
}

/** The title of a page is not repeated in its text, unless that has links. */
function withoutTitle(blocks: readonly MarkdownBlock[], title: string | undefined): readonly MarkdownBlock[] {
  const [first, ...others] = blocks
  if (first?.type !== 'heading_1') return blocks
  const isPlain = first.text.every((inline) => inline.type === 'text' && inline.link === undefined)
  const text = first.text.map((inline) => (inline.type === 'text' ? inline.text : '')).join('')
  return isPlain && text.replace(/\s+/g, ' ').trim() === (title ?? '') ? others : blocks
}
