import { eachPlain } from '../markdown/parse/code_spans.ts'
import { trimTrailingBlanks } from '../markdown/shared/escapes.ts'
import type { Color } from '../../../generated/types.ts'
import { parseTag, TAG_LENGTH_MAX, type Tag } from '../markdown/shared/tags.ts'
import { markdownBlock, type Inline, type MarkdownBlock } from '../markdown/shared/markdown_block.ts'
import { parseColor } from '../markdown/shared/color_words.ts'

/** The widest table. */
const COLUMNS_MAX = 100

type ParseText = (text: string, color: Color | undefined) => readonly Inline[]

interface Row {
  readonly line: number
  readonly color: Color | undefined
  readonly cells: { readonly text: string; readonly color: Color | undefined }[]
}

/**
 * Parses the content between `<table>` and `</table>`.
 * @param firstLine the line it begins on
 * @returns the rows as blocks of equal width; undefined if it is not a table
 */
export function parseTableRows(source: string, firstLine: number, parseText: ParseText): MarkdownBlock[] | undefined {
  const [rows, columns]: [Row[], (Color | undefined)[]] = [[], []]
  const lineAt = lineCounter(source, firstLine)
  let cell: { readonly start: number; readonly color: Color | undefined } | undefined
  for (const { tag, start, end } of tableTags(source)) {
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
  return cell || isOther ? undefined : rowBlocks(rows, columns, parseText)
}

function* tableTags(source: string): Generator<{ readonly tag: Tag; readonly start: number; readonly end: number }> {
  const starts: number[] = []
  eachPlain(source, (code, position) => void (code === 60 && starts.push(position)))
  for (const start of starts) {
    const end = source.slice(start, start + TAG_LENGTH_MAX).indexOf('>') + 1
    const tag = end === 0 ? undefined : parseTag(source.slice(start, start + end))
    if (tag) yield { tag, start, end: start + end }
  }
}

/** Maps positions to lines. Lookups at increasing positions count each line once. */
function lineCounter(source: string, firstLine: number): (position: number) => number {
  let [line, next] = [firstLine, source.indexOf('\n')]
  return (position) => {
    for (; next !== -1 && next < position; next = source.indexOf('\n', next + 1)) line += 1
    return line
  }
}

function rowBlocks(
  rows: readonly Row[],
  columns: readonly (Color | undefined)[],
  parseText: ParseText,
): MarkdownBlock[] | undefined {
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), rows.length > 0 ? 1 : 0)
  if (width > COLUMNS_MAX) return undefined
  return rows.map((row) => {
    const cells = Array.from({ length: width }, (_column, index) => {
      const { text = '', color } = row.cells[index] ?? {}
      return parseText(cellText(text), color ?? row.color ?? columns[index])
    })
    return markdownBlock('table_row', { fields: { cells }, line: row.line })
  })
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
  if (color === undefined || color === 'default' || inline.marks.color !== undefined) return inline
  return { ...inline, marks: { ...inline.marks, color } }
}

/** Whether a line is the delimiter row below the header of a pipe table: `|---|:--:|`. */
export function isDelimiterRow(text: string): boolean {
  return text.startsWith('|') && text.includes('-') && pipeCells(text).every((cell) => /^:?-+:?$/.test(cell.trim()))
}

/** Parses `| a | b |` lines. */
export function parsePipeRows(
  lines: readonly { readonly text: string; readonly line: number }[],
  parseText: ParseText,
): MarkdownBlock[] | undefined {
  const rows = lines.map(({ text, line }) => ({
    line,
    color: undefined,
    cells: pipeCells(text).map((cell) => ({ text: cell, color: undefined })),
  }))
  return rowBlocks(rows, [], parseText)
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
