import type { BlockType } from '../../../generated/types.ts'
import { writeBlocks } from '../../../server/domain/content/markdown/write/write_blocks.ts'
import { Drafter } from '../../../server/domain/content/markdown/parse/drafter.ts'
import { atOnce } from '../../../server/kernel/yield_to_event_loop.ts'
import { parseBlocks } from '../../../server/domain/content/markdown/parse/parse_blocks.ts'
import { MarkdownPresenter } from '../../../server/domain/content/markdown/write/markdown_presenter.ts'
import { ReferenceList } from '../../../server/domain/content/references.ts'
import type { StoredItem, StoredRichText } from '../../../server/domain/content/rich_text/stored.ts'
import { contentOf } from './content.ts'
import { BASE_URL, facts, nodesOf, resolved, type Node, type Tree } from './trees.ts'

export function markdownOf(trees: readonly Tree[]): string {
  return writeBlocks(new MarkdownPresenter<Node>(facts).list(nodesOf(trees))).text
}

export function treesOf(markdown: string): Tree[] {
  const drafter = new Drafter(
    resolved,
    { references: new ReferenceList(), baseUrl: BASE_URL, files: { brand: 'Service' } },
    'body.markdown',
  )
  return atOnce(drafter.list(parseBlocks(markdown))).map(plain)
}

function plain({ type, content, children }: Tree): Tree {
  return { type, content, children: children.map(plain) }
}

/** The content of a text, however it is split. */
export function contentOfMarkdown(markdown: string): unknown[] {
  return contentOf(treesOf(markdown))
}

/** A piece of text, by default without annotations. */
export function text(
  content: string,
  annotations: StoredItem['annotations'] = undefined,
  url: string | undefined = undefined,
): StoredItem {
  return {
    type: 'text',
    text: { content, ...(url === undefined ? {} : { link: { url } }) },
    ...(annotations === undefined ? {} : { annotations }),
  }
}

export function rich(content: string | StoredRichText): StoredRichText {
  return typeof content === 'string' ? (content === '' ? [] : [text(content)]) : content
}

/** A block with text and color, and other members of its type. */
export function block(
  type: BlockType,
  content: string | StoredRichText,
  more: Record<string, unknown> = {},
  children: readonly Tree[] = [],
): Tree {
  return {
    type,
    content: { rich_text: rich(content), color: 'default', ...(type === 'paragraph' ? { icon: null } : {}), ...more },
    children,
  }
}

export function paragraph(content: string | StoredRichText, ...children: Tree[]): Tree {
  return block('paragraph', content, {}, children)
}

export function row(...cells: (string | StoredRichText)[]): Tree {
  return { type: 'table_row', content: { cells: cells.map(rich) }, children: [] }
}

export function table(rows: readonly Tree[], more: Record<string, unknown> = {}): Tree {
  const cells: unknown = rows[0]?.content['cells']
  return {
    type: 'table',
    children: rows,
    content: { table_width: Array.isArray(cells) ? cells.length : 1, has_column_header: false, has_row_header: false, ...more },
  }
}
