import { at, textAt, type JsonObject } from '../../../harness/json.ts'
import type { Outline } from '../../../harness/markdown.ts'
import { textOfPieces, type Block, type Piece } from './html_blocks.ts'

const MARKS = { bold: 'b', italic: 'i', strikethrough: 's', code: 'c' } as const

/** A block of a response in the form used to compare it with the specification's HTML. */
export function comparable({ type, text, block, children }: Outline): Block {
  const below = children.map(comparable)
  const content = block[type] as JsonObject
  if (type === 'code') return [type, text, below]
  if (type === 'to_do') return [type, `${content['checked'] === true ? 'x' : ' '}${textOf(content['rich_text'])}`, below]
  if (type === 'image') return [type, `${textOf(content['caption'])} ${textAt(content, 'external', 'url')}`, below]
  if (type === 'table_row') return [type, (content['cells'] as unknown[]).map(textOf).join(' | '), below]
  return [type, textOf(content['rich_text'] ?? []), below]
}

function textOf(items: unknown): string {
  return textOfPieces((items as JsonObject[]).map(pieceOf))
}

function pieceOf(item: JsonObject): Piece {
  const marks = Object.entries(MARKS).flatMap(([name, mark]) => (at(item, 'annotations', name) === true ? [mark] : []))
  const text =
    item['type'] === 'text' ? textAt(item, 'text', 'content').replaceAll('\n', '\\') : JSON.stringify(item[textAt(item, 'type')])
  return [text, marks, item['href'] === null ? '' : textAt(item, 'href')]
}
