import fc from 'fast-check'
import { isObject, type Json, type JsonObject } from '../harness/json.ts'

/** Block types whose text was called `text` before 2022-02-22. */
export const TEXT_TYPES = [
  'paragraph',
  'heading_1',
  'heading_2',
  'heading_3',
  'heading_4',
  'callout',
  'quote',
  'bulleted_list_item',
  'numbered_list_item',
  'to_do',
  'toggle',
  'code',
  'template',
]

const words = fc.constantFrom('Order crates', 'Grease the rollers', 'café ☕', 'a.b[0]', 'archived', 'transcription')
const richText = fc.array(
  words.map((content): Json => ({ text: { content } })),
  { maxLength: 3 },
)
const caption = richText.map((items): JsonObject => ({ caption: items }))
const url = fc.constantFrom('https://example.org/a', 'https://example.org/b.png')

/** A block of every type that callers may write and that needs nothing else to exist. */
const leaves: Readonly<Record<string, fc.Arbitrary<JsonObject>>> = {
  ...Object.fromEntries(
    TEXT_TYPES.filter((type) => type !== 'code').map((type) => [
      type,
      richText.map((items): JsonObject => ({ rich_text: items })),
    ]),
  ),
  to_do: fc.record({ rich_text: richText, checked: fc.boolean() }).map((content): JsonObject => content),
  code: fc
    .record({ rich_text: richText, caption: richText, language: fc.constantFrom('bash', 'plain text') })
    .map((content): JsonObject => content),
  equation: words.map((expression): JsonObject => ({ expression })),
  divider: fc.constant({}),
  breadcrumb: fc.constant({}),
  table_of_contents: fc.constant({ color: 'gray' }),
  bookmark: fc.tuple(url, caption).map(([target, more]): JsonObject => ({ url: target, ...more })),
  embed: url.map((target): JsonObject => ({ url: target })),
  image: fc.tuple(url, caption).map(([target, more]): JsonObject => ({ external: { url: target }, ...more })),
  video: url.map((target): JsonObject => ({ external: { url: target } })),
  pdf: url.map((target): JsonObject => ({ external: { url: target } })),
  audio: url.map((target): JsonObject => ({ external: { url: target } })),
  file: fc.tuple(url, caption).map(([target, more]): JsonObject => ({ external: { url: target }, name: 'plan.txt', ...more })),
  synced_block: fc.constant({ synced_from: null }),
  tab: fc.constant({ children: [{ paragraph: { rich_text: [{ text: { content: 'First tab' } }] } }] }),
  table: fc.constant({ table_width: 1, children: [{ table_row: { cells: [[{ text: { content: 'cell' } }]] } }] }),
  column_list: richText.map((items): JsonObject => ({
    children: [{ column: { children: [{ paragraph: { rich_text: items } }] } }, { column: { children: [] } }],
  })),
}

export const BLOCK_TYPES = Object.keys(leaves)

/** A new block of one type, in the newest form. */
export function blockOf(type: string): fc.Arbitrary<JsonObject> {
  return (leaves[type] ?? fc.constant({})).map((content) => ({ [type]: content }))
}

const anyLeaf = fc.constantFrom(...BLOCK_TYPES).chain(blockOf)

/** Any block, in the newest form, some with children below. */
export const anyBlock: fc.Arbitrary<JsonObject> = fc.oneof(
  { weight: 4, arbitrary: anyLeaf },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom('toggle', 'quote', 'bulleted_list_item', 'callout'),
        richText,
        fc.array(fc.constantFrom('to_do', 'code', 'divider').chain(blockOf), { minLength: 1, maxLength: 2 }),
      )
      .map(([type, items, children]): JsonObject => ({ [type]: { rich_text: items, children } })),
  },
)

/** The request as a caller of an older version writes it: an independent implementation of the contract's differences for older blocks. */
export function writtenAt(version: string, value: Json): Json {
  if (version >= '2022-02-22') return value
  return renameText(value)
}

function renameText(value: Json): Json {
  if (Array.isArray(value)) return value.map(renameText)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      TEXT_TYPES.includes(key) && isObject(inner) ? withOldText(inner) : renameText(inner),
    ]),
  )
}

function withOldText(content: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(content).map(([key, inner]) => (key === 'rich_text' ? ['text', inner] : [key, renameText(inner)])),
  )
}

/** A response of the newest version in an older form, by the contract's differences for blocks, pages and lists. */
export function readAt(version: string, newest: JsonObject): JsonObject {
  if (newest['object'] !== 'list') return recordAt(version, newest)
  const { type, results, ...envelope } = newest
  const named = version < '2022-02-22' ? without(envelope, String(type)) : { ...envelope, type: type ?? null }
  return {
    ...named,
    results: Array.isArray(results) ? results.map((result) => (isObject(result) ? recordAt(version, result) : result)) : null,
  }
}

function recordAt(version: string, record: JsonObject): JsonObject {
  const older: JsonObject = { ...record }
  const type = String(record['type'])
  const content = record[type]
  if (version < '2026-03-11' && (record['object'] === 'block' || record['object'] === 'page') && 'in_trash' in record)
    older['archived'] = record['in_trash'] ?? null
  if (version < '2022-02-22' && record['object'] === 'block' && TEXT_TYPES.includes(type) && isObject(content)) {
    const { rich_text, ...others } = content
    older[type] = { ...others, text: rich_text ?? null }
  }
  return older
}

export function without(object: JsonObject, ...keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)))
}
