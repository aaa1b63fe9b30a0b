import { escapeLineStart } from '../shared/escapes.ts'
import { escapeAddress, writeText } from './write_text.ts'
import { writeAttributes } from '../shared/tags.ts'
import type { MarkdownBlock } from '../shared/markdown_block.ts'
import { colorWord } from '../shared/color_words.ts'

/** A text, and for each of its lines the block that it belongs to. */
export interface Written {
  readonly text: string
  readonly owners: readonly MarkdownBlock[]
}

/** Blocks in the dialect: one per line, children one tab deeper, no newline at the end. */
export function writeBlocks(blocks: readonly MarkdownBlock[]): Written {
  const writer = new Writer()
  writer.list(blocks, 0)
  return { text: writer.lines.join('\n'), owners: writer.owners }
}

/** As `writeBlocks`, for blocks of one level one after the other. @returns what writes the next one */
export function writerOfLevel(): (block: MarkdownBlock) => Written {
  const numberOf = numbering()
  return (block) => {
    const writer = new Writer()
    writer.block(block, 0, numberOf(block))
    return { text: writer.lines.join('\n'), owners: writer.owners }
  }
}

/** Gives the blocks of one level their numbers: runs of numbered items count up. */
function numbering(): (block: MarkdownBlock) => number {
  let number: number | undefined
  return ({ type, fields }) => {
    if (type !== 'numbered_list_item') number = undefined
    else number = number === undefined ? (fields.start ?? 1) : number + 1
    return number ?? 1
  }
}

class Writer {
  readonly lines: string[] = []
  readonly owners: MarkdownBlock[] = []
  #owner: MarkdownBlock | undefined
  readonly #indents: string[] = ['']

  list(blocks: readonly MarkdownBlock[], depth: number): void {
    const numberOf = numbering()
    for (const block of blocks) this.block(block, depth, numberOf(block))
  }

  block(block: MarkdownBlock, depth: number, number: number): void {
    this.#owned(block, () => this.#block(block, depth, number))
  }

  /** What meeting notes and copies show is theirs. */
  #owned(block: MarkdownBlock, write: () => void): void {
    const outer = this.#owner
    if (outer?.type !== 'meeting_notes' && outer?.fields.alt !== 'copy') this.#owner = block
    write()
    this.#owner = outer
  }

  #block(block: MarkdownBlock, depth: number, number: number): void {
    const { fields, children } = block
    switch (block.type) {
      case 'paragraph':
        this.line(depth, escapeLineStart(textLine(block)) || '<empty-block/>')
        return this.list(children, depth + 1)
      case 'heading_1':
      case 'heading_2':
      case 'heading_3':
      case 'heading_4':
        this.line(depth, marked('#'.repeat(Number(block.type.at(-1))), textLine(block)))
        return this.list(children, depth + 1)
      case 'bulleted_list_item':
        return this.#item('-', block, depth)
      case 'numbered_list_item':
        return this.#item(`${number}.`, block, depth)
      case 'to_do':
        return this.#item(fields.checked ? '- [x]' : '- [ ]', block, depth)
      case 'quote':
        this.line(depth, marked('>', textLine(block)))
        return this.list(children, depth + 1)
      case 'code':
        return this.#code(block, depth)
      case 'equation':
        this.line(depth, '$$')
        for (const line of (fields.expression ?? '').split('\n')) this.line(depth, line)
        return this.line(depth, '$$')
      case 'divider':
        return this.line(depth, '---')
      case 'image':
        return this.line(depth, `![${writeText(block.text)}](${escapeAddress(fields.source ?? '')})`)
      default:
        return this.#tagged(block, depth)
    }
  }

  #item(marker: string, block: MarkdownBlock, depth: number): void {
    this.line(depth, marked(marker, escapeLineStart(textLine(block))))
    this.list(block.children, depth + 1)
  }

  #code({ fields }: MarkdownBlock, depth: number): void {
    const code = fields.code ?? ''
    const longest = (code.match(/`{3,}/g) ?? []).reduce((length, run) => Math.max(length, run.length), 2)
    const fence = '`'.repeat(longest + 1)
    this.line(depth, fence + (fields.language ?? 'plain text'))
    if (code !== '') for (const line of code.split(/\r\n?|\n/)) this.line(line === '' ? 0 : depth, line)
    this.line(depth, fence)
  }

  #tagged(block: MarkdownBlock, depth: number): void {
    const { type, fields } = block
    const [color, url] = [colorWord(fields.color), fields.url]
    switch (type) {
      case 'toggle':
        this.line(depth, `<details${writeAttributes({ color })}>`)
        this.line(depth, `<summary>${writeText(block.text)}</summary>`)
        this.list(block.children, depth + 1)
        return this.line(depth, '</details>')
      case 'callout':
        return this.#enclosed('callout', writeAttributes({ icon: fields.icon, color }), block, depth)
      case 'table':
        return this.#table(block, depth)
      case 'table_row':
        return this.#row(block, depth)
      case 'column_list':
        return this.#container('columns', '', block, depth)
      case 'column':
        return this.#container('column', writeAttributes({ width_ratio: fields.widthRatio?.toString() }), block, depth)
      case 'tab':
        return this.#tabList(block, depth)
      case 'video':
      case 'audio':
      case 'file':
      case 'pdf':
        return this.line(depth, `<${type}${writeAttributes({ src: fields.source })}>${writeText(block.text)}</${type}>`)
      case 'child_page':
        return this.line(depth, `<page${writeAttributes({ url })}>${writeText(block.text)}</page>`)
      case 'child_database':
        return this.line(
          depth,
          `<database${writeAttributes({ url, inline: String(fields.inline ?? false), icon: fields.icon })}>${writeText(block.text)}</database>`,
        )
      case 'table_of_contents':
        return this.line(depth, `<table_of_contents${writeAttributes({ color })}/>`)
      case 'synced_block':
        return this.#container(
          fields.alt === 'copy' ? 'synced_block_reference' : 'synced_block',
          writeAttributes({ url }),
          block,
          depth,
        )
      case 'meeting_notes':
        return this.#meetingNotes(block, depth)
      default:
        return this.line(depth, `<unknown${writeAttributes({ url, alt: fields.alt })}/>`)
    }
  }

  #container(name: string, attributes: string, block: MarkdownBlock, depth: number): void {
    this.line(depth, `<${name}${attributes}>`)
    this.list(block.children, depth + 1)
    this.line(depth, `</${name}>`)
  }

  /** A tag whose first line is the block's own text, and the rest its children. */
  #enclosed(name: string, attributes: string, block: MarkdownBlock, depth: number): void {
    this.line(depth, `<${name}${attributes}>`)
    const text = escapeLineStart(writeText(block.text))
    if (text !== '' || block.children.length > 0) this.line(depth + 1, text || '<empty-block/>')
    this.list(block.children, depth + 1)
    this.line(depth, `</${name}>`)
  }

  #table(block: MarkdownBlock, depth: number): void {
    const { columnHeader, rowHeader } = block.fields
    const attributes = writeAttributes({
      'header-row': columnHeader ? 'true' : undefined,
      'header-column': rowHeader ? 'true' : undefined,
    })
    this.#container('table', attributes, block, depth)
  }

  #row({ fields }: MarkdownBlock, depth: number): void {
    this.line(depth, '<tr>')
    for (const cell of fields.cells ?? []) this.line(depth + 1, `<td>${writeText(cell)}</td>`)
    this.line(depth, '</tr>')
  }

  #tabList(block: MarkdownBlock, depth: number): void {
    this.line(depth, '<tabs>')
    for (const item of block.children) {
      const attributes = writeAttributes({ icon: item.fields.icon, color: colorWord(item.fields.color) })
      this.#owned(item, () => this.#enclosed('tab', attributes, item, depth + 1))
    }
    this.line(depth, '</tabs>')
  }

  #meetingNotes(block: MarkdownBlock, depth: number): void {
    this.line(depth, '<meeting-notes>')
    if (block.text.length > 0) this.line(depth + 1, escapeLineStart(writeText(block.text)))
    for (const part of block.children) this.#container(part.fields.alt ?? 'notes', '', part, depth + 1)
    if (block.fields.transcript !== undefined)
      this.line(depth + 1, `<transcript${writeAttributes({ url: block.fields.transcript })}/>`)
    this.line(depth, '</meeting-notes>')
  }

  line(depth: number, text: string): void {
    while (this.#indents.length <= depth) this.#indents.push(`${this.#indents.at(-1) ?? ''}\t`)
    this.lines.push((this.#indents[depth] ?? '') + text)
    if (this.#owner) this.owners.push(this.#owner)
  }
}

/** The text of a line with its attribute list. */
function textLine({ text, fields }: MarkdownBlock): string {
  if (fields.color === undefined && !fields.toggle) return writeText(text)
  const attributes = writeAttributes({ toggle: fields.toggle ? 'true' : undefined, color: colorWord(fields.color) })
  return attributes === '' ? writeText(text) : `${writeText(text)} {${attributes.slice(1)}}`
}

function marked(marker: string, text: string): string {
  return text === '' ? marker : `${marker} ${text}`
}
