import type { BlockType, RichTextItemRequest } from '../../../../generated/types.ts'
import type { StoredContent } from '../../../store/blocks.ts'
import type { WriteNotes } from '../../blocks/fields.ts'
import { kinds } from '../../blocks/kinds.ts'
import type { Draft } from '../../blocks/plan.ts'
import { invalid } from '../../failures.ts'
import { uploadOf } from '../shared/addresses.ts'
import { noHostedFiles, type HostedFiles } from '../shared/hosted_files.ts'
import { iconOf, type Resolved } from './resolved.ts'
import { partsOf, PIECES_MAX, toRichText } from './to_rich_text.ts'
import type { MarkdownBlock } from '../shared/markdown_block.ts'

/** Turns blocks that were read from Markdown into blocks to be written. */
export class Drafter {
  readonly #resolved: Resolved
  readonly #notes: WriteNotes
  readonly #path: string
  readonly #hosted: HostedFiles

  /**
   * @param path where the Markdown stands in the request, for messages
   * @param hosted files that stay what they are when a block names them
   */
  constructor(resolved: Resolved, notes: WriteNotes, path: string, hosted = noHostedFiles) {
    this.#resolved = resolved
    this.#notes = notes
    this.#path = path
    this.#hosted = hosted
  }

  list(blocks: readonly MarkdownBlock[]): Draft[] {
    return blocks.flatMap((block) => this.block(block))
  }

  /** The drafts that one block becomes, several where the text is longer than one block can hold. Children belong to the last. */
  block(block: MarkdownBlock): Draft[] {
    const below = childrenOf(block)
    const form = this.formOf(block)
    if (form === 'nothing') return []
    if (form === 'inside') return this.list(below)
    const contents = this.contentsOf(block)
    const children = form === 'alone' ? [] : this.list(below)
    return contents.map(({ type, content }, index) => ({
      type,
      content,
      path: this.#path,
      children: index === contents.length - 1 ? children : [],
    }))
  }

  /**
   * What becomes of a block that is new: a block with its children or without, only what is inside (layout of one part is no
   * layout, a copy of nothing is what it shows), or nothing, for a tag that keeps a block which is not there.
   */
  formOf({ type, fields, children }: MarkdownBlock): 'block' | 'alone' | 'inside' | 'nothing' {
    switch (type) {
      case 'unsupported':
      case 'meeting_notes':
        return 'nothing'
      case 'table':
      case 'tab':
        return children.length === 0 ? 'nothing' : 'block'
      case 'column_list':
        return children.length < 2 ? 'inside' : 'block'
      case 'synced_block':
        if (fields.alt !== 'copy') return 'block'
        return this.#resolved.records.get(fields.id ?? '') === 'original' ? 'alone' : 'inside'
      default:
        return 'block'
    }
  }

  /** The content of a block, without its children: more than one where its text has to be parted. */
  contentsOf(block: MarkdownBlock): { readonly type: BlockType; readonly content: StoredContent }[] {
    const { fields, text } = block
    switch (block.type) {
      case 'child_page':
      case 'child_database':
        return [this.#link(block)]
      case 'code':
        return runs(partsOf(fields.code ?? '').map((content) => ({ text: { content } }))).map((rich_text) =>
          this.#made('code', { rich_text, language: fields.language ?? 'plain text' }),
        )
      case 'image':
      case 'video':
      case 'audio':
      case 'file':
      case 'pdf':
        return [this.#media(block.type, fields.source ?? '', this.#whole(text, 'caption'))]
      case 'table':
        return [
          this.#made('table', {
            table_width: block.children[0]?.fields.cells?.length ?? 1,
            has_column_header: fields.columnHeader ?? false,
            has_row_header: fields.rowHeader ?? false,
          }),
        ]
      case 'table_row':
        return [this.#made('table_row', { cells: (fields.cells ?? []).map((cell) => this.#whole(cell, 'cell')) })]
      case 'column':
        return [this.#made('column', fields.widthRatio === undefined ? {} : { width_ratio: fields.widthRatio })]
      case 'synced_block':
        return [this.#made('synced_block', { synced_from: fields.alt === 'copy' ? { block_id: fields.id } : null })]
      case 'equation':
        return [this.#made('equation', { expression: fields.expression })]
      case 'divider':
      case 'column_list':
      case 'tab':
      case 'table_of_contents':
        return [this.#made(block.type, { color: fields.color ?? 'default' })]
      default:
        return this.#textContents(block)
    }
  }

  #media(type: BlockType, source: string, caption: RichTextItemRequest[]): { type: BlockType; content: StoredContent } {
    const hosted = this.#hosted.media.get(source)
    if (!hosted) return this.#made(type, { ...fileOf(source), caption })
    return { type, content: kinds[type].content.update(hosted, { caption }, this.#path, this.#notes) }
  }

  #textContents({ type, text, fields }: MarkdownBlock): { type: BlockType; content: StoredContent }[] {
    const icon = iconOf(fields.icon, this.#resolved)
    const hosted = this.#hosted.icons.get(fields.icon ?? '')
    const written = {
      color: fields.color ?? 'default',
      ...(type.startsWith('heading') ? { is_toggleable: fields.toggle ?? false } : {}),
      ...(type === 'to_do' ? { checked: fields.checked ?? false } : {}),
      ...(type === 'callout' || icon !== undefined ? { icon: icon ?? null } : {}),
    }
    const start = fields.start === undefined ? {} : { list_start_index: fields.start }
    return runs(toRichText(text, this.#resolved)).map((rich_text, index) => {
      const { content } = this.#made(type, { ...written, rich_text })
      return { type, content: { ...content, ...(hosted === undefined ? {} : { icon: hosted }), ...(index === 0 ? start : {}) } }
    })
  }

  /** A page or database that is no child of this page becomes a link; one that cannot be seen its name. */
  #link({ text, fields }: MarkdownBlock): { type: BlockType; content: StoredContent } {
    const record = this.#resolved.records.get(fields.id ?? '')
    if (record === 'page') return this.#made('link_to_page', { page_id: fields.id })
    if (record === 'database') return this.#made('link_to_page', { database_id: fields.id })
    return this.#made('paragraph', { rich_text: this.#whole(text, 'name') })
  }

  #made(type: BlockType, written: object): { type: BlockType; content: StoredContent } {
    return { type, content: kinds[type].content.create(written, this.#path, this.#notes) }
  }

  /** @throws ServiceError `validation_error` for a text of too many pieces that cannot be parted */
  #whole(text: MarkdownBlock['text'], what: string): RichTextItemRequest[] {
    const pieces = toRichText(text, this.#resolved)
    if (pieces.length > PIECES_MAX) throw invalid(this.#path, `should hold no ${what} of more than ${PIECES_MAX} pieces of text`)
    return pieces
  }
}

/** What stands inside a block; the column in between does not count where a column list has only one. */
function childrenOf({ type, children }: MarkdownBlock): readonly MarkdownBlock[] {
  return type === 'column_list' && children.length < 2 ? children.flatMap((column) => column.children) : children
}

function fileOf(source: string): { external: { url: string } } | { file_upload: { id: string } } {
  const upload = uploadOf(source)
  return upload === undefined ? { external: { url: source } } : { file_upload: { id: upload } }
}

/** Rich text in runs that one block can hold; at least one, which may be empty. */
function runs(pieces: readonly RichTextItemRequest[]): RichTextItemRequest[][] {
  const parts: RichTextItemRequest[][] = []
  for (let start = 0; start === 0 || start < pieces.length; start += PIECES_MAX)
    parts.push(pieces.slice(start, start + PIECES_MAX))
  return parts
}
