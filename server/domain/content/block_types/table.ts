import type { StateBlock } from 'markdown-it'
import type { TableContent, TableContentRequest, TableRowContent, TableRowContentRequest } from '../../../../generated/types.ts'
import { validationError } from '../../../kernel/errors.ts'
import { invalid } from '../../shared/index.ts'
import { addBlock, lineText, parseBlockText, parseStateOf, type BlockRule } from '../markdown/parse/parse_state.ts'
import { markdownBlock, type BlockFields, type MarkdownBlock } from '../markdown/shared/markdown_block.ts'
import { writeAttributes } from '../markdown/shared/tags.ts'
import { writeText } from '../markdown/write/write_text.ts'
import { anyChildren, noChildren, plainBlock, type BlockTypeDefinition } from './block_type.ts'
import { cells, contentOf, flag, plain } from './content.ts'
import { comparedByText, drafted, enclosingTag, loadsNothing, loadsWhole, ownForm, writeContainer } from './markdown_forms.ts'
import type { EnclosingTag } from './markdown_rules.ts'
import { colored, isDelimiterRow, rowBlocks, scanPipeRows, scanTableRows, type TableRows } from './parse_table_rows.ts'

const parsePipeTable: BlockRule = (state, line, endLine, silent) => {
  const { failedTables } = parseStateOf(state)
  if (line + 1 >= endLine || line < failedTables.pipes || !isDelimiterRow(lineText(state, line + 1))) return false
  if (silent) return true
  const lines = [{ text: lineText(state, line), line }]
  let next = line + 2
  for (; next < endLine; next += 1) {
    const text = lineText(state, next)
    if (!text.startsWith('|') || (state.sCount[next] ?? 0) < state.blkIndent) break
    lines.push({ text, line: next })
  }
  const scanned = scanPipeRows(lines)
  if (scanned) return addBlock(state, tableBlock(state, scanned, line, { columnHeader: true }), next)
  failedTables.pipes = next
  return false
}

const tableTag: EnclosingTag = enclosingTag(
  (state, { tag, rest, line }, end) => {
    const { failedTables } = parseStateOf(state)
    if (line < failedTables.tags) return undefined
    const source = end === line ? rest : `${rest}\n${state.getLines(line + 1, end + 1, 0, false)}`
    const scanned = scanTableRows(source.replace(/<\/table>\s*$/, ''), line)
    if (!scanned) {
      failedTables.tags = end
      return undefined
    }
    const [columnHeader, rowHeader] = ['header-row', 'header-column'].map((name) => tag.attributes.get(name) === 'true')
    return tableBlock(state, scanned, line, {
      ...(columnHeader ? { columnHeader } : {}),
      ...(rowHeader ? { rowHeader } : {}),
    })
  },
  { trailing: 'anything' },
)

/** A table whose row blocks are created later, in steps. */
function tableBlock(state: StateBlock, scanned: TableRows, line: number, fields: BlockFields): MarkdownBlock {
  const own = parseStateOf(state)
  own.count(scanned.rows.length)
  const children: MarkdownBlock[] = []
  own.later(function* () {
    for (const row of rowBlocks(scanned, (text, color) => parseBlockText(state, text, (inline) => colored(inline, color)))) {
      children.push(row)
      yield
    }
  })
  return markdownBlock('table', { fields, children, line })
}

export const table: BlockTypeDefinition<'table'> = {
  ...plainBlock,
  content: contentOf<TableContentRequest, TableContent>({
    table_width: plain(),
    has_column_header: flag,
    has_row_header: flag,
  }),
  requireChange({ from, to, path }) {
    const [before, after]: unknown[] = [from['table_width'], to['table_width']]
    if (before !== after) throw validationError(`${path}.table_width`, `\`${String(before)}\``, after)
  },
  children: { ...anyChildren, only: 'table_row' },
  markdown: {
    ...ownForm('table', loadsWhole),
    present({ block: { content }, children }, view) {
      const fields = {
        ...(content['has_column_header'] === true ? { columnHeader: true } : {}),
        ...(content['has_row_header'] === true ? { rowHeader: true } : {}),
      }
      return markdownBlock('table', { fields, children: view.list(children) })
    },
    write(block, writer, depth) {
      const { columnHeader, rowHeader } = block.fields
      const [row, column] = [columnHeader, rowHeader].map((isSet) => (isSet ? 'true' : undefined))
      writeContainer('table', writeAttributes({ 'header-row': row, 'header-column': column }), block, writer, depth)
    },
    line: { first: '|', parse: parsePipeTable },
    tags: { table: tableTag },
    compare: { ...comparedByText, shape: ({ children }) => children[0]?.fields.cells?.length ?? 0 },
    draft: drafted(
      ({ fields, children }, maker) => [
        maker.create('table', {
          table_width: children[0]?.fields.cells?.length ?? 1,
          has_column_header: fields.columnHeader ?? false,
          has_row_header: fields.rowHeader ?? false,
        }),
      ],
      ({ children }) => (children.length === 0 ? 'nothing' : 'block'),
    ),
  },
}

export const tableRow: BlockTypeDefinition<'table_row'> = {
  ...plainBlock,
  content: contentOf<TableRowContentRequest, TableRowContent>({ cells }),
  children: noChildren,
  placement: {
    partOf: 'table',
    requireFit(content, parent, path) {
      const [row, width]: unknown[] = [content['cells'], parent?.content['table_width']]
      if (Array.isArray(row) && row.length !== width)
        throw invalid(`${path}.cells.length`, `should be \`${String(width)}\`, instead was \`${row.length}\``)
    },
  },
  markdown: {
    ...ownForm('table_row', loadsNothing),
    present({ block }, view) {
      const cells = (block.content['cells'] as unknown[]).map((cell) => view.text(cell))
      return markdownBlock('table_row', { fields: { cells } })
    },
    write({ fields }, writer, depth) {
      writer.line(depth, '<tr>')
      for (const cell of fields.cells ?? []) writer.line(depth + 1, `<td>${writeText(cell)}</td>`)
      writer.line(depth, '</tr>')
    },
    // Rows have no syntax of their own: the table parses them.
    draft: drafted(({ fields }, maker) => [
      maker.create('table_row', { cells: (fields.cells ?? []).map((cell) => maker.whole(cell, 'cell')) }),
    ]),
  },
}
