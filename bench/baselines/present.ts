/** The service's responses for the blocks of the bench, built by hand from rows. */

import type { Author, BlockRow, NewRow, PageRow } from './rows.ts'

interface StoredText {
  readonly type?: 'text'
  readonly text: { readonly content: string; readonly link?: { readonly url: string } | null }
  readonly annotations?: object
}

const PLAIN = { bold: false, italic: false, strikethrough: false, underline: false, code: false, color: 'default' }

function presentText({ text: { content, link }, annotations }: StoredText): object {
  return {
    type: 'text',
    text: { content, link: link ?? null },
    annotations: { ...PLAIN, ...annotations },
    plain_text: content,
    href: link?.url ?? null,
  }
}

const person = (id: string): object => ({ object: 'user', id })
const timestamp = (time: number | string): string => new Date(Number(time)).toISOString()

function presentEdits(row: BlockRow): object {
  return {
    created_time: timestamp(row.created_time),
    created_by: person(row.created_by),
    last_edited_time: timestamp(row.last_edited_time),
    last_edited_by: person(row.last_edited_by),
  }
}

export function presentBlock(row: BlockRow): object {
  const { rich_text: texts, ...others } = JSON.parse(row.content) as { rich_text: StoredText[] }
  return {
    object: 'block',
    id: row.id,
    parent: { type: row.parent_type, [row.parent_type]: row.parent_id },
    ...presentEdits(row),
    has_children: row.has_children === 1,
    in_trash: row.in_trash === 1,
    type: row.type,
    [row.type]: { rich_text: texts.map(presentText), ...others },
  }
}

export function presentPage(row: PageRow, baseUrl: string): object {
  const { title } = JSON.parse(row.content) as { title: StoredText[] }
  const words = title
    .map(({ text }) => text.content)
    .join('')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
  return {
    object: 'page',
    id: row.id,
    ...presentEdits(row),
    in_trash: row.in_trash === 1,
    is_archived: row.is_archived === 1,
    is_locked: row.is_locked === 1,
    url: `${baseUrl}/${words}-${row.id.replaceAll('-', '')}`,
    public_url: null,
    parent: { type: row.parent_type, [row.parent_type]: row.parent_id },
    icon: null,
    cover: null,
    properties: { title: { id: 'title', type: 'title', title: title.map(presentText) } },
  }
}

export function listOf(blocks: readonly object[]): object {
  return { object: 'list', type: 'block', block: {}, results: blocks, has_more: false, next_cursor: null }
}

/** An inserted row in the form in which the database returns it. */
export function writtenRow(
  { id, type, parentType, parentId, pageId, rank, content }: NewRow,
  { userId }: Author,
  time: number,
): BlockRow {
  const edits = { created_time: time, created_by: userId, last_edited_time: time, last_edited_by: userId }
  return {
    id,
    type,
    parent_type: parentType,
    parent_id: parentId,
    page_id: pageId,
    rank,
    content,
    in_trash: 0,
    ...edits,
    has_children: null,
  }
}
