import { splitFrontMatter } from '../front_matter.ts'
import { isHtml, nameOfFile } from '../import/archive_paths.ts'
import { classesOf, elementsIn, findElement, parseHtml, textIn, type HtmlElement, type HtmlNode } from './html_tree.ts'
import { htmlOfMarkdown } from './markdown_html.ts'

/** The cells of a row, by the headings of its table. */
export type CellsByHeading = ReadonlyMap<string, string>

/** A page that another program wrote. */
export interface ForeignPage {
  readonly title: string | undefined
  /** Content that is written before the text: icon, cover, and others. */
  readonly values: Readonly<Record<string, unknown>>
  readonly content: readonly HtmlNode[]
  /** The values of a row, by name. */
  readonly properties: ReadonlyMap<string, string>
  /** Whether its text could be read completely. */
  readonly isComplete: boolean
}

/** Known facts about a page before it is read. */
export interface PageFacts {
  /** The values of a row in its table, by heading: its page repeats them. */
  readonly row?: CellsByHeading | undefined
  /** Whether its file name is its title, even if its text begins with a heading. */
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

/** A table of properties without those that the row's record has; undefined if none is left. */
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

/** The value of an exported property, in the form of a CSV file. */
function propertyText(cell: HtmlElement): string {
  const box = findElement(cell, (element) => classesOf(element).includes('checkbox'))
  if (box) return classesOf(box).includes('checkbox-on') ? 'Yes' : 'No'
  const parts = cell.children.filter((node) => typeof node !== 'string' && classesOf(node).includes('selected-value'))
  const text = parts.length > 0 ? parts.map(textIn).join(', ') : textIn(cell)
  return text.trim().replace(/^@/, '')
}
