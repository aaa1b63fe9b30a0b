import type {
  BlockType,
  CalloutContent,
  CalloutContentRequest,
  CalloutIconRequest,
  CodeContent,
  CodeContentRequest,
  ColumnContent,
  ColumnContentRequest,
  EquationContent,
  EquationContentRequest,
  HeadingContent,
  HeadingContentRequest,
  IconRequest,
  LinkToPageContentRequest,
  ParagraphContent,
  ParagraphContentRequest,
  SyncedBlockContent,
  SyncedBlockContentRequest,
  TableContent,
  TableContentRequest,
  TableOfContentsContent,
  TableOfContentsContentRequest,
  TableRowContent,
  TableRowContentRequest,
  TemplateContent,
  TemplateContentRequest,
  TextContent,
  TextContentRequest,
  ToDoContent,
  ToDoContentRequest,
  UrlContent,
  UrlContentRequest,
} from '../../../generated/types.ts'
import { canonicalId } from '../../kernel/ids.ts'
import { plainText, presentRichText } from '../rich_text/present.ts'
import type { StoredRichText } from '../rich_text/stored.ts'
import { cells, color, contentOf, emptyContent, flag, icon, plain, richText, type ContentKind, type Field } from './fields.ts'
import { media, namedMedia } from './media.ts'

/**
 * What a block takes as children:
 * `any` what a page takes; `toggled` the same, for a heading that is toggleable; `original` the same, unless it mirrors another
 * block; the layout words name the only type they take.
 */
export type ChildRule = 'any' | 'toggled' | 'original' | 'columns' | 'rows' | 'tab_items' | 'none'

export interface BlockKind {
  readonly content: ContentKind
  readonly children: ChildRule
}

const text = contentOf<TextContentRequest, TextContent>({ rich_text: richText, color })
const heading = contentOf<HeadingContentRequest, HeadingContent>({ rich_text: richText, color, is_toggleable: flag })
const link = contentOf<UrlContentRequest, UrlContent>({ url: plain(), caption: richText })

const syncedFrom: Field<SyncedBlockContentRequest['synced_from'], SyncedBlockContent['synced_from']> = {
  store: (written, path, notes) =>
    written === null ? null : { type: 'block_id', block_id: notes.references.addOriginal(written.block_id, `${path}.block_id`) },
  read: (stored) => stored as SyncedBlockContent['synced_from'],
}

const linkToPage: ContentKind = {
  create(written, path, notes) {
    const target = written as LinkToPageContentRequest
    if ('page_id' in target) return { type: 'page_id', page_id: notes.references.add('page', target.page_id, `${path}.page_id`) }
    if ('database_id' in target)
      return { type: 'database_id', database_id: notes.references.add('database', target.database_id, `${path}.database_id`) }
    return { type: 'comment_id', comment_id: notes.references.add('comment', target.comment_id, `${path}.comment_id`) }
  },
  update: (stored, written, path, notes) =>
    Object.keys(written as object).length === 0 ? stored : linkToPage.create(written, path, notes),
  read: (stored) => stored,
}

/** Title of a page or database, as its block shows it. */
const title: ContentKind = {
  ...emptyContent,
  read: (stored, facts) => ({ title: plainText(stored['title'] as StoredRichText, facts) }),
}

/** Content that the service itself made and callers only read. */
const asStored: ContentKind = { ...emptyContent, read: (stored) => stored }

const meetingNotes: ContentKind = {
  ...emptyContent,
  read: (stored, facts) =>
    stored['title'] === undefined ? stored : { ...stored, title: presentRichText(stored['title'] as StoredRichText, facts) },
}

export const kinds: Record<BlockType, BlockKind> = {
  paragraph: {
    content: contentOf<ParagraphContentRequest, ParagraphContent>({ rich_text: richText, color, icon: icon<IconRequest>(null) }),
    children: 'any',
  },
  heading_1: { content: heading, children: 'toggled' },
  heading_2: { content: heading, children: 'toggled' },
  heading_3: { content: heading, children: 'toggled' },
  heading_4: { content: heading, children: 'toggled' },
  bulleted_list_item: { content: text, children: 'any' },
  numbered_list_item: { content: text, children: 'any' },
  quote: { content: text, children: 'any' },
  to_do: { content: contentOf<ToDoContentRequest, ToDoContent>({ rich_text: richText, color, checked: flag }), children: 'any' },
  toggle: { content: text, children: 'any' },
  template: { content: contentOf<TemplateContentRequest, TemplateContent>({ rich_text: richText }), children: 'any' },
  callout: {
    content: contentOf<CalloutContentRequest, CalloutContent>({
      rich_text: richText,
      color,
      icon: icon<CalloutIconRequest>({ type: 'emoji', emoji: '💡' }),
    }),
    children: 'any',
  },
  synced_block: {
    content: contentOf<SyncedBlockContentRequest, SyncedBlockContent>({ synced_from: syncedFrom }),
    children: 'original',
  },
  child_page: { content: title, children: 'any' },
  child_database: { content: title, children: 'none' },
  equation: { content: contentOf<EquationContentRequest, EquationContent>({ expression: plain() }), children: 'none' },
  code: {
    content: contentOf<CodeContentRequest, CodeContent>({ rich_text: richText, language: plain(), caption: richText }),
    children: 'none',
  },
  divider: { content: emptyContent, children: 'none' },
  breadcrumb: { content: emptyContent, children: 'none' },
  table_of_contents: { content: contentOf<TableOfContentsContentRequest, TableOfContentsContent>({ color }), children: 'none' },
  tab: { content: emptyContent, children: 'tab_items' },
  column_list: { content: emptyContent, children: 'columns' },
  column: { content: contentOf<ColumnContentRequest, ColumnContent>({ width_ratio: plain() }), children: 'any' },
  link_to_page: { content: linkToPage, children: 'none' },
  table: {
    content: contentOf<TableContentRequest, TableContent>({
      table_width: plain(),
      has_column_header: flag,
      has_row_header: flag,
    }),
    children: 'rows',
  },
  table_row: { content: contentOf<TableRowContentRequest, TableRowContent>({ cells }), children: 'none' },
  embed: { content: link, children: 'none' },
  bookmark: { content: link, children: 'none' },
  image: { content: media('image'), children: 'none' },
  video: { content: media('video'), children: 'none' },
  pdf: { content: media('pdf'), children: 'none' },
  audio: { content: media('audio'), children: 'none' },
  file: { content: namedMedia, children: 'none' },
  meeting_notes: { content: meetingNotes, children: 'none' },
  link_preview: { content: asStored, children: 'none' },
  unsupported: { content: asStored, children: 'none' },
}

export function isBlockType(text: string): text is BlockType {
  return Object.hasOwn(kinds, text)
}

/** The original that a synced block shows, or undefined when it is an original itself or another type of block. */
export function originalOf(block: {
  readonly type: string
  readonly content: Readonly<Record<string, unknown>>
}): string | undefined {
  const from = block.type === 'synced_block' ? block.content['synced_from'] : undefined
  return typeof from === 'object' && from !== null && 'block_id' in from && typeof from.block_id === 'string'
    ? canonicalId(from.block_id)
    : undefined
}
