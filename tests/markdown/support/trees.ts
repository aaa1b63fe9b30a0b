import * as fc from 'fast-check'
import type { BlockType, CodeLanguage, Color } from '../../../generated/types.ts'
import type { PageNode, ShowFacts } from '../../../server/domain/content/block_types/markdown_rules.ts'
import type { Resolved } from '../../../server/domain/content/markdown/parse/resolved.ts'
import type { StoredItem, StoredRichText } from '../../../server/domain/content/rich_text/stored.ts'
import type { StoredContent } from '../../../server/store/blocks.ts'

/** A stored block with only its content. */
export interface Tree {
  readonly type: BlockType
  readonly content: StoredContent
  readonly children: readonly Tree[]
}

export const BASE_URL = 'https://workspace.example'
export const PAGE = '5df6f817-b099-4bcf-a0ec-6db25097c040'
export const known = {
  page: '3af9f30c-5a66-4477-bda9-d8c096d38ff5',
  database: '670c5891-45d2-4c06-a206-02e0fc80fa6f',
  user: 'b61e6ba5-3682-4dd6-b804-69b84b2d451c',
  emoji: 'd4ae6af5-fb68-4b68-bda0-39233dde8fcb',
  original: '7ead13ff-d66b-4b4d-b47a-e101068189f4',
} as const

/** All records that the trees refer to exist. */
export const facts: ShowFacts = {
  baseUrl: BASE_URL,
  users: new Map([
    [known.user, { object: 'user', id: known.user, name: 'Ines *Varga*', avatar_url: null, type: 'person', person: {} }],
  ]),
  titles: new Map([
    [known.page, 'Launch [plan] </mention-page>'],
    [known.database, 'Repair <log>'],
  ]),
  emojis: new Map([[known.emoji, { id: known.emoji, name: 'rope_coil', url: 'https://workspace.example/emoji/rope.png' }]]),
  originals: new Map([[known.original, { id: known.original, pageId: known.page }]]),
  databases: new Map(),
  files: new Map(),
}

export const resolved: Resolved = {
  records: new Map([
    [known.page, 'page'],
    [known.database, 'database'],
    [known.original, 'original'],
  ]),
  users: new Set([known.user]),
  sources: new Map(),
  emojis: new Map([
    ['rope_coil', known.emoji],
    ['30', known.emoji],
  ]),
}

const colors: readonly Color[] = ['default', 'gray', 'red', 'blue', 'yellow_background', 'default_background', 'pink_background']
const languages: readonly CodeLanguage[] = ['plain text', 'javascript', 'c++', 'java/c/c++/c#', 'service formula', 'visual basic']

/** Texts that could be mistaken for Markdown. */
const snippets = [
  '*',
  '**',
  '***',
  '_',
  '__',
  '~~',
  '~',
  '`',
  '``',
  '```',
  '$',
  '$$',
  '[',
  ']',
  '](',
  '(',
  ')',
  '<',
  '>',
  '{',
  '}',
  '|',
  '^',
  '[^',
  '\\',
  '#',
  '# ',
  '-',
  '- ',
  '+ ',
  '1. ',
  '12.',
  '> ',
  '---',
  '***',
  ':::',
  '- [ ] ',
  '[x]',
  '![',
  '!',
  '<br>',
  '<span color="red">',
  '</span>',
  '</td>',
  '</callout>',
  '<callout>',
  '<empty-block/>',
  ' {color="red"}',
  '{toggle="true"}',
  'https://example.org/a',
  'https:',
  '://',
  ':rope_coil:',
  ':rope',
  '_coil:',
  '12:30:45',
  '&amp;',
  '&quot;',
  '@today',
  'snake_case_name',
  'a_b',
  ' ',
  '  ',
  '\t',
  '\n',
  '\r\n',
  'word',
  'Ärger',
  '日本',
  '👩‍🚀',
  'é',
  '\u00a0',
  '\u200b',
  '\u2028',
  '.',
  '…',
  '"',
  "'",
  '0',
]
const plainText = fc
  .oneof(
    {
      weight: 3,
      arbitrary: fc.array(fc.constantFrom(...snippets), { minLength: 1, maxLength: 8 }).map((parts) => parts.join('')),
    },
    { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }) },
    { weight: 1, arbitrary: fc.constantFrom('Check the bilge pump', 'word', 'Two words') },
  )
  .filter((text) => text.isWellFormed())

const annotations = fc.option(
  fc.record(
    {
      bold: fc.boolean(),
      italic: fc.boolean(),
      strikethrough: fc.boolean(),
      underline: fc.boolean(),
      code: fc.boolean(),
      color: fc.constantFrom(...colors),
    },
    { requiredKeys: [] },
  ),
  { nil: undefined, freq: 2 },
)

const links = fc.constantFrom(
  'https://example.org',
  'https://example.org/a_(b)?c=1&amp;d=2#e',
  'http://x.example/(',
  'https://x.example/a)b',
  'mailto:a@b.example',
  'tel:+123',
  '/path',
  'https://x.example/*_~`[]{}|^',
  'https://x.example/\\\\',
  'https://x.example/<>',
)

const textItem = fc
  .record({ text: plainText, link: fc.option(links, { nil: undefined, freq: 4 }) })
  .map(({ text, link }): StoredItem => ({
    type: 'text',
    text: { content: text, ...(link === undefined ? {} : { link: { url: link } }) },
  }))
const equationItem = fc
  .constantFrom('x', '5', 'a^2 + b^2', '\\frac{1}{2}', 'x_{1}*y_{2}', '\\$5', '[a](b)', '`q`')
  .map((expression): StoredItem => ({ type: 'equation', equation: { expression } }))
const dates = fc.constantFrom(
  { start: '2026-05-04', end: null, time_zone: null },
  { start: '2026-05-04', end: '2026-05-08', time_zone: null },
  { start: '2026-05-04T09:00:00.000+01:00', end: null, time_zone: null },
  { start: '2026-05-04T09:00:30.250+00:00', end: '2026-11-04T09:00:00.000-03:30', time_zone: null },
)
const mentionItem = fc.oneof(
  fc.constantFrom<StoredItem>(
    { type: 'mention', mention: { type: 'user', user: { id: known.user } } },
    { type: 'mention', mention: { type: 'page', page: { id: known.page } } },
    { type: 'mention', mention: { type: 'database', database: { id: known.database } } },
    { type: 'mention', mention: { type: 'custom_emoji', custom_emoji: { id: known.emoji } } },
  ),
  dates.map((date): StoredItem => ({ type: 'mention', mention: { type: 'date', date } })),
)

const item = fc
  .tuple(
    fc.oneof({ weight: 6, arbitrary: textItem }, { weight: 1, arbitrary: equationItem }, { weight: 2, arbitrary: mentionItem }),
    annotations,
  )
  .map(([base, look]): StoredItem => (look === undefined ? base : { ...base, annotations: look }))

export const richText: fc.Arbitrary<StoredRichText> = fc.array(item, { maxLength: 6 })

const icons = fc.constantFrom(
  null,
  { type: 'emoji', emoji: '🎯' },
  { type: 'emoji', emoji: '👩‍🚀' },
  { type: 'custom_emoji', custom_emoji: { id: known.emoji } },
  { type: 'icon', icon: { name: 'anchor', color: 'red' } },
  { type: 'external', external: { url: 'https://example.org/"i"&.png' } },
)
const color = fc.constantFrom(...colors)
const fileUrl = fc.constantFrom('https://example.org/a.png', 'http://example.org/a(b).mp4?x=1&y="2"', 'https://example.org/<>')
const codeText = fc
  .oneof(
    plainText,
    fc.constantFrom(
      '',
      '\n',
      'let a\n\n\tlet b\n',
      '```\ninner\n```',
      '````',
      '    four\n\ttab',
      '</callout>',
      '<details>\n$$',
      '  ',
    ),
  )
  .map((text) => text.replace(/\r\n?/g, '\n'))
const expression = fc.constantFrom('x', 'a\nb', '  indented\n\ttab', '\\frac{a}{b}', '</callout>', '$x$', '`', '{color="red"}')

const leaf: fc.Arbitrary<Tree> = fc.oneof(
  fc
    .record({ type: fc.constantFrom<BlockType>('heading_1', 'heading_2', 'heading_3', 'heading_4'), rich_text: richText, color })
    .map(({ type, ...content }): Tree => ({ type, content: { ...content, is_toggleable: false }, children: [] })),
  fc.record({ text: codeText, language: fc.constantFrom(...languages) }).map(({ text, language }): Tree => ({
    type: 'code',
    content: { rich_text: text === '' ? [] : [{ type: 'text', text: { content: text } }], language, caption: [] },
    children: [],
  })),
  expression.map((text): Tree => ({ type: 'equation', content: { expression: text }, children: [] })),
  fc.constant<Tree>({ type: 'divider', content: {}, children: [] }),
  color.map((shade): Tree => ({ type: 'table_of_contents', content: { color: shade }, children: [] })),
  fc
    .record({ type: fc.constantFrom<BlockType>('image', 'video', 'audio', 'file', 'pdf'), url: fileUrl, caption: richText })
    .map(({ type, url, caption }): Tree => ({ type, content: { external: { url }, caption }, children: [] })),
  fc.constantFrom<Tree>(
    { type: 'link_to_page', content: { type: 'page_id', page_id: known.page }, children: [] },
    { type: 'link_to_page', content: { type: 'database_id', database_id: known.database }, children: [] },
    { type: 'synced_block', content: { synced_from: { type: 'block_id', block_id: known.original } }, children: [] },
  ),
  fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 })).chain(([width, height]) =>
    fc
      .record({
        rows: fc.array(fc.array(richText, { minLength: width, maxLength: width }), { minLength: height, maxLength: height }),
        has_column_header: fc.boolean(),
        has_row_header: fc.boolean(),
      })
      .map(({ rows, ...heads }): Tree => ({
        type: 'table',
        content: { table_width: width, ...heads },
        children: rows.map((cells): Tree => ({ type: 'table_row', content: { cells }, children: [] })),
      })),
  ),
)

const { tree } = fc.letrec<{ tree: Tree; list: readonly Tree[]; branch: Tree }>((tie) => ({
  tree: fc.oneof({ maxDepth: 4, depthIdentifier: 'tree' }, leaf, tie('branch')),
  list: fc.array(tie('tree'), { maxLength: 3, depthIdentifier: 'tree' }),
  branch: fc.oneof(
    fc
      .record({
        type: fc.constantFrom<BlockType>('paragraph', 'bulleted_list_item', 'quote', 'toggle'),
        rich_text: richText,
        color,
        children: tie('list'),
      })
      .map(({ type, children, ...content }): Tree => ({
        type,
        content: type === 'paragraph' ? { ...content, icon: null } : content,
        children,
      })),
    fc
      .record({ rich_text: richText, color, checked: fc.boolean(), children: tie('list') })
      .map(({ children, ...content }): Tree => ({ type: 'to_do', content, children })),
    fc
      .record({
        rich_text: richText,
        color,
        start: fc.option(fc.integer({ min: 0, max: 99 }), { nil: undefined }),
        children: tie('list'),
      })
      .map(({ children, start, ...content }): Tree => ({
        type: 'numbered_list_item',
        content: { ...content, ...(start === undefined || start === 1 ? {} : { list_start_index: start }) },
        children,
      })),
    fc
      .record({ type: fc.constantFrom<BlockType>('heading_1', 'heading_4'), rich_text: richText, color, children: tie('list') })
      .map(({ type, children, ...content }): Tree => ({ type, content: { ...content, is_toggleable: true }, children })),
    fc
      .record({ rich_text: richText, color, icon: icons, children: tie('list') })
      .map(({ children, ...content }): Tree => ({ type: 'callout', content, children })),
    tie('list').map((children): Tree => ({ type: 'synced_block', content: { synced_from: null }, children })),
    fc
      .array(fc.record({ ratio: fc.option(fc.constantFrom(0.25, 0.333, 1), { nil: undefined }), children: tie('list') }), {
        minLength: 2,
        maxLength: 3,
      })
      .map((columns): Tree => ({
        type: 'column_list',
        content: {},
        children: columns.map(({ ratio, children }): Tree => ({
          type: 'column',
          content: ratio === undefined ? {} : { width_ratio: ratio },
          children,
        })),
      })),
    fc
      .array(fc.record({ rich_text: richText, color, icon: icons, children: tie('list') }), { minLength: 1, maxLength: 2 })
      .map((items): Tree => ({
        type: 'tab',
        content: {},
        children: items.map(({ children, ...content }): Tree => ({ type: 'paragraph', content, children })),
      })),
  ),
}))

/** The content of a page, with every type of block that has Markdown. */
export const pages: fc.Arbitrary<readonly Tree[]> = fc.array(tree, { maxLength: 4 })

/** A tree as it is read from the store. */
export interface Node extends PageNode<Node> {
  readonly isMissing: false
}

/** Trees as nodes, with ids that count up. */
export function nodesOf(trees: readonly Tree[], next = { id: 1 }): Node[] {
  return trees.map(({ type, content, children }) => {
    const id = `00000000-0000-4000-8000-${String((next.id += 1)).padStart(12, '0')}`
    return { block: { id, type, content, pageId: PAGE }, children: nodesOf(children, next), isMissing: false }
  })
}
