import { eachPlain } from '../markdown/parse/code_spans.ts'
import { trimTrailingBlanks } from '../markdown/shared/escapes.ts'
import type { Color } from '../../../../generated/types.ts'
import { parseTag, TAG_LENGTH_MAX, type Tag } from '../markdown/shared/tags.ts'
import { markdownBlock, type Inline, type MarkdownBlock } from '../markdown/shared/markdown_block.ts'
import { parseColor } from '../markdown/shared/color_words.ts'

/** The maximum number of columns of a table. */
const COLUMNS_MAX = 100

interface Row {
  readonly line: number
  readonly color: Color | undefined
  readonly cells: { readonly text: string; readonly color: Color | undefined }[]
}

/** The rows of a table, which may be many: their blocks are created in steps. */
export interface TableRows {
  readonly rows: readonly Row[]
  readonly width: number
  readonly columns: readonly (Color | undefined)[]
}

/**
 * Scans the content between `<table>` and `</table>`.
 * @param firstLine the line it begins on
 * @returns undefined if it is not a table
 */
export function scanTableRows(source: string, firstLine: number): TableRows | undefined {
  const [rows, columns]: [Row[], (Color | undefined)[]] = [[], []]
  const lineAt = lineCounter(source, firstLine)
  let cell: { readonly start: number; readonly color: Color | undefined } | undefined
  for (const { tag, start, end } of tableTags(source, () => cell !== undefined)) {
    const color = parseColor(tag.attributes.get('color') ?? '')
    const row = rows.at(-1)
    if (cell) {
      if ((tag.name !== 'td' && tag.name !== 'th') || tag.form !== 'close') continue
      row?.cells.push({ text: source.slice(cell.start, start), color: cell.color })
      cell = undefined
    } else if (tag.name === 'tr' && tag.form !== 'close') {
      rows.push({ line: lineAt(start), color, cells: [] })
    } else if ((tag.name === 'td' || tag.name === 'th') && tag.form === 'open') {
      if (!row) return undefined
      cell = { start: end, color }
    } else if ((tag.name === 'td' || tag.name === 'th') && tag.form === 'empty') {
      row?.cells.push({ text: '', color })
    } else if (tag.name === 'col') {
      columns.push(color)
    }
  }
  const isOther = rows.length === 0 && source.trim() !== '' && columns.length === 0
  return cell || isOther ? undefined : tableRows(rows, columns)
}

/** The first letters of the tags of a table: of cells and rows, and of columns. */
const LETTERS: ReadonlySet<string> = new Set('tc')

/** The tags of a table, in order. @param isInCell whether only closing tags matter */
function* tableTags(
  source: string,
  isInCell: () => boolean,
): Generator<{ readonly tag: Tag; readonly start: number; readonly end: number }> {
  const starts: number[] = []
  eachPlain(source, (code, position) => void (code === 60 && starts.push(position)))
  // Most tables repeat a few tags.
  const known = new Map<string, Tag | undefined>()
  let last = -1
  for (const start of starts) {
    const isClosing = source[start + 1] === '/'
    if (isInCell() ? !isClosing : !LETTERS.has(source[start + (isClosing ? 2 : 1)] ?? '')) continue
    if (last < start) last = source.indexOf('>', start)
    if (last === -1) return
    if (last - start >= TAG_LENGTH_MAX) continue
    const text = source.slice(start, last + 1)
    if (!known.has(text)) known.set(text, parseTag(text))
    const tag = known.get(text)
    if (tag) yield { tag, start, end: last + 1 }
  }
}

/** Maps positions to lines. Look-ups at increasing positions count each line once. */
function lineCounter(source: string, firstLine: number): (position: number) => number {
  let [line, next] = [firstLine, source.indexOf('\n')]
  return (position) => {
    for (; next !== -1 && next < position; next = source.indexOf('\n', next + 1)) line += 1
    return line
  }
}

function tableRows(rows: readonly Row[], columns: readonly (Color | undefined)[]): TableRows | undefined {
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), rows.length > 0 ? 1 : 0)
  return width > COLUMNS_MAX ? undefined : { rows, width, columns }
}

/** Creates the blocks of rows, padded to equal width, in one step each. */
export function* rowBlocks(
  { rows, width, columns }: TableRows,
  parseText: (text: string, color: Color | undefined) => readonly Inline[],
): Generator<MarkdownBlock> {
  for (const row of rows) {
    const cells = Array.from({ length: width }, (_column, index) => {
      const { text = '', color } = row.cells[index] ?? {}
      return parseText(cellText(text), color ?? row.color ?? columns[index])
    })
    yield markdownBlock('table_row', { fields: { cells }, line: row.line })
  }
}

/** Line ends inside a cell become breaks. */
function cellText(text: string): string {
  if (!text.includes('\n')) return text
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('<br>')
}

/** A piece of text in the color of its cell. */
export function colored(inline: Inline, color: Color | undefined): Inline {
  if (color === undefined || color === 'default' || inline.outcomes.color !== undefined) return inline
  return { ...inline, outcomes: { ...inline.outcomes, color } }
}

/** Whether a line is the delimiter row below the header of a pipe table: `|---|:--:|`. */
export function isDelimiterRow(text: string): boolean {
  return text.startsWith('|') && text.includes('-') && pipeCells(text).every((cell) => /^:?-+:?$/.test(cell.trim()))
}

/** Scans `| a | b |` lines. @returns undefined if they are not a table */
export function scanPipeRows(lines: readonly { readonly text: string; readonly line: number }[]): TableRows | undefined {
  const rows = lines.map(({ text, line }) => ({
    line,
    color: undefined,
    cells: pipeCells(text).map((cell) => ({ text: withPipes(cell), color: undefined })),
  }))
  return tableRows(rows, [])
}

/** Unescapes `\|`: in a table, a backslash before `|` is syntax, even inside code. */
function withPipes(cell: string): string {
  return cell.replace(/\\([^])/g, (found, escaped: string) => (escaped === '|' ? '|' : found))
}

function pipeCells(text: string): string[] {
  const inner = trimTrailingBlanks(text.slice(1))
  const cells: string[] = []
  let start = 0
  for (let position = 0; position < inner.length; position += 1) {
    if (inner[position] === '\\') position += 1
    else if (inner[position] === '|') {
      cells.push(inner.slice(start, position))
      start = position + 1
    }
  }
  return start < inner.length || cells.length === 0 ? [...cells, inner.slice(start)] : cells
}
