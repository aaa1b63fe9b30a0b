import { describe, expect, it } from 'vitest'
import { block, column, makePage, paragraph, row, snapshot, text } from '../../harness/content.ts'
import { expectInvalid } from '../../harness/expectations.ts'
import { serverOfFile } from '../../harness/server.ts'

/** Mistakes in bodies of this operation, with the path that the message must name. */

const server = await serverOfFile()
const page = await makePage(server.owner)
const before = await snapshot(server.owner, page)

const many = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item)
const long = (length: number): string => 'x'.repeat(length)
const rich = (item: object): object => ({ paragraph: { rich_text: [item] } })
const date = (value: object): object => rich({ mention: { date: value } })
const link = (url: unknown): object => rich({ text: { content: 'x', link: { url } } })
const bullet = (...children: object[]): object => block('bulleted_list_item', 'x', { children })
const callout = (icon: unknown): object => ({ callout: { rich_text: [], icon } })
const table = (more: object): object => ({ table: { table_width: 2, children: [row('a', 'b')], ...more } })
const media = (more: object): object => ({ image: more })
const url = 'https://example.org/a.png'
const anId = '7d1a3a5e-6a0f-4c83-9c53-5a3f2b7f0a11'
/** No record has an id like this. */
const VERSION_ONE = '2c5ea4c0-4067-11e9-8bad-9b1deb4d3b7d'

const FIRST = 'body.children[0]'
const ITEM = `${FIRST}.paragraph.rich_text[0]`
const DATE = `${ITEM}.mention.date`
const ICON = `${FIRST}.callout.icon`

/** One invalid block, the first and only entry of `children`. */
const badBlocks: [name: string, child: unknown, place: string][] = [
  ['an item without a type key', {}, `${FIRST}.paragraph`],
  ['an item with only its type', { type: 'paragraph' }, `${FIRST}.paragraph`],
  ['two type keys', { paragraph: { rich_text: [] }, quote: { rich_text: [] } }, `${FIRST}.quote`],
  ['a type that differs from the key', { type: 'quote', paragraph: { rich_text: [] } }, `${FIRST}.type`],
  ['an unknown block type', { poster: {} }, `${FIRST}.poster`],
  ['a misspelled block type, suggesting a valid one', { paragrph: { rich_text: [] } }, `${FIRST}.paragraph`],
  ['a sub-page', { child_page: { title: 'x' } }, `${FIRST}.child_page`],
  ['a database', { child_database: { title: 'x' } }, `${FIRST}.child_database`],
  ['meeting notes', { meeting_notes: {} }, `${FIRST}.meeting_notes`],
  ['a transcription', { transcription: {} }, `${FIRST}.transcription`],
  ['a link preview', { link_preview: { url } }, `${FIRST}.link_preview`],
  ['an unsupported block', { unsupported: { block_type: 'form' } }, `${FIRST}.unsupported`],
  ['an unknown key beside the type', { ...paragraph('x'), color: 'red' }, `${FIRST}.color`],
  ['an unknown key in the content', paragraph('x', { tint: 'red' }), `${FIRST}.paragraph.tint`],
  ['an object other than block', { ...paragraph('x'), object: 'page' }, `${FIRST}.object`],
  ['a text instead of an object', 'paragraph', FIRST],
  ['null', null, FIRST],
  ['content null', { paragraph: null }, `${FIRST}.paragraph`],
  ['content that is a list', { divider: ['x'] }, `${FIRST}.divider`],
  ['a divider with content', { divider: { style: 'dotted' } }, `${FIRST}.divider.style`],
  [
    'the start of a list, which is read-only',
    block('numbered_list_item', 'x', { list_start_index: 4 }),
    `${FIRST}.numbered_list_item.list_start_index`,
  ],
  [
    'the format of a list, which is read-only',
    block('numbered_list_item', 'x', { list_format: 'roman' }),
    `${FIRST}.numbered_list_item.list_format`,
  ],
  ['missing rich_text', { paragraph: {} }, `${FIRST}.paragraph.rich_text`],
  ['rich_text that is text', { paragraph: { rich_text: 'x' } }, `${FIRST}.paragraph.rich_text`],
  ['a missing language', { code: { rich_text: [] } }, `${FIRST}.code.language`],
  ['checked as a text', block('to_do', 'x', { checked: 'yes' }), `${FIRST}.to_do.checked`],
  ['101 items of rich_text', { paragraph: { rich_text: many(101, text('x')) } }, `${FIRST}.paragraph.rich_text.length`],
  ['101 items of a caption', { bookmark: { url, caption: many(101, text('x')) } }, `${FIRST}.bookmark.caption.length`],
  ['content of 2001 characters', paragraph(long(2001)), `${ITEM}.text.content.length`],
  ['content of 2001 emojis', paragraph('⛵'.repeat(2001)), `${ITEM}.text.content.length`],
  ['a link over 2000 characters', link(`https://example.org/${long(2000)}`), `${ITEM}.text.link.url.length`],
  ['a relative link', link('somewhere'), `${ITEM}.text.link.url`],
  ['a script link', link('javascript:alert(1)'), `${ITEM}.text.link.url`],
  ['a protocol-relative link', link('//example.org/x'), `${ITEM}.text.link.url`],
  ['a link without url', rich({ text: { content: 'x', link: {} } }), `${ITEM}.text.link.url`],
  ['a link that is text', rich({ text: { content: 'x', link: url } }), `${ITEM}.text.link`],
  ['an empty link', link(''), `${ITEM}.text.link.url`],
  ['missing content', rich({ text: {} }), `${ITEM}.text.content`],
  ['content null', rich({ text: { content: null } }), `${ITEM}.text.content`],
  [
    'an inline expression of 1001 characters',
    rich({ equation: { expression: long(1001) } }),
    `${ITEM}.equation.expression.length`,
  ],
  ['an empty inline expression', rich({ equation: { expression: '' } }), `${ITEM}.equation.expression.length`],
  ['a block expression of 1001 characters', { equation: { expression: long(1001) } }, `${FIRST}.equation.expression.length`],
  ['an empty block expression', { equation: { expression: '' } }, `${FIRST}.equation.expression.length`],
  ['a rich text item without a type key', rich({ annotations: { bold: true } }), ITEM + '.text'],
  ['a rich text item with two type keys', rich({ text: { content: 'x' }, equation: { expression: 'x' } }), `${ITEM}.equation`],
  ['a rich text item whose type differs from its key', rich({ type: 'equation', text: { content: 'x' } }), `${ITEM}.type`],
  ['a mention of a link preview', rich({ mention: { link_preview: { url } } }), `${ITEM}.mention.link_preview`],
  ['a mention of a link', rich({ mention: { link_mention: { href: url } } }), `${ITEM}.mention.link_mention`],
  ['a mention of a data source', rich({ mention: { data_source: { id: anId } } }), `${ITEM}.mention.data_source`],
  ['an empty mention', rich({ mention: {} }), `${ITEM}.mention.user`],
  ['a mention of two objects', rich({ mention: { page: { id: anId }, user: { id: anId } } }), `${ITEM}.mention.user`],
  ['a mention with a malformed id', rich({ mention: { page: { id: 'x' } } }), `${ITEM}.mention.page.id`],
  [
    'an unknown template mention',
    rich({ mention: { template_mention: { template_mention_date: 'tomorrow' } } }),
    `${ITEM}.mention.template_mention.template_mention_date`,
  ],
  ['an unknown color', paragraph('x', { color: 'crimson' }), `${FIRST}.paragraph.color`],
  ['an unknown annotation', rich(text('x', { annotations: { blink: true } })), `${ITEM}.annotations.blink`],
  ['an annotation that is not a boolean', rich(text('x', { annotations: { bold: 'yes' } })), `${ITEM}.annotations.bold`],
  ['an unknown annotation color', rich(text('x', { annotations: { color: 'crimson' } })), `${ITEM}.annotations.color`],
  ['an unknown language', { code: { rich_text: [], language: 'klingon' } }, `${FIRST}.code.language`],
  ['a language in the wrong case', { code: { rich_text: [], language: 'Python' } }, `${FIRST}.code.language`],
  ['a date in words', date({ start: 'tomorrow' }), `${DATE}.start`],
  ['a date that does not exist', date({ start: '2026-02-30' }), `${DATE}.start`],
  ['a time that does not exist', date({ start: '2026-05-16T24:30:00Z' }), `${DATE}.start`],
  ['a leap second', date({ start: '2026-05-16T23:59:60Z' }), `${DATE}.start`],
  ['an end before the start', date({ start: '2026-05-16', end: '2026-05-15' }), `${DATE}.end`],
  [
    'an end before the start, in another offset',
    date({ start: '2026-05-16T09:00:00Z', end: '2026-05-16T10:00:00+02:00' }),
    `${DATE}.end`,
  ],
  ['a date with a second time', date({ start: '2026-05-16', end: '2026-05-16T10:00:00Z' }), `${DATE}.end`],
  ['a missing start', date({ end: '2026-05-16' }), `${DATE}.start`],
  ['an offset beside a time zone', date({ start: '2026-05-16T10:00:00+02:00', time_zone: 'Europe/Berlin' }), `${DATE}.time_zone`],
  [
    'Z beside a time zone with another offset',
    date({ start: '2026-05-16T10:00:00Z', time_zone: 'Europe/Berlin' }),
    `${DATE}.time_zone`,
  ],
  ['an unknown time zone', date({ start: '2026-05-16T10:00:00', time_zone: 'Europe/Atlantis' }), `${DATE}.time_zone`],
  ['a time zone beside a date without a time', date({ start: '2026-05-16', time_zone: 'Europe/Berlin' }), `${DATE}.start`],
  ['an empty url', { embed: { url: '' } }, `${FIRST}.embed.url`],
  ['a url over 2000 characters', { embed: { url: `https://example.org/${long(2000)}` } }, `${FIRST}.embed.url.length`],
  ['a url that is not absolute', { bookmark: { url: '/docs' } }, `${FIRST}.bookmark.url`],
  ['a url of another scheme', { embed: { url: 'ftp://example.org/a' } }, `${FIRST}.embed.url`],
  ['a media url that is not absolute', media({ external: { url: 'a.png' } }), `${FIRST}.image.external.url`],
  ['media with both sources', media({ external: { url }, file_upload: { id: anId } }), `${FIRST}.image.file_upload`],
  ['media with no source', media({ caption: [] }), `${FIRST}.image.external`],
  ['media whose type differs from its key', media({ type: 'file_upload', external: { url } }), `${FIRST}.image.type`],
  ['a hosted file', { pdf: { file: { url, expiry_time: '2026-05-16T10:00:00.000Z' } } }, `${FIRST}.pdf.file`],
  ['a name of 101 characters', { file: { external: { url }, name: long(101) } }, `${FIRST}.file.name.length`],
  ['an empty name', { file: { external: { url }, name: '' } }, `${FIRST}.file.name.length`],
  ['a name on a picture', media({ external: { url }, name: 'x' }), `${FIRST}.image.name`],
  ['a hosted file as an icon', callout({ file: { url, expiry_time: '2026-05-16T10:00:00.000Z' } }), `${ICON}.file`],
  ['an upload as a callout icon', callout({ file_upload: { id: anId } }), `${ICON}.file_upload`],
  ['two emojis', callout({ emoji: '⛵⚓' }), `${ICON}.emoji`],
  ['a letter as an emoji', callout({ emoji: 'a' }), `${ICON}.emoji`],
  ['a letter with a skin tone', callout({ emoji: 'a🏽' }), `${ICON}.emoji`],
  ['an empty emoji', callout({ emoji: '' }), `${ICON}.emoji`],
  ['a native icon of an unknown name', callout({ icon: { name: 'Flux Capacitor' } }), `${ICON}.icon.name`],
  ['a native icon with a long name', callout({ icon: { name: 'x'.repeat(51) } }), `${ICON}.icon.name`],
  ['an unknown native icon color', callout({ icon: { name: 'anchor', color: 'default' } }), `${ICON}.icon.color`],
  ['two icons', callout({ emoji: '⚓', icon: { name: 'anchor' } }), `${ICON}.icon`],
  ['an empty icon', callout({}), `${ICON}.emoji`],
  ['an icon on a paragraph outside a tab', paragraph('x', { icon: { emoji: '⚓' } }), `${FIRST}.paragraph.icon`],
  [
    'an icon on a paragraph in a toggle',
    block('toggle', 'x', { children: [paragraph('x', { icon: { emoji: '⚓' } })] }),
    `${FIRST}.toggle.children[0].paragraph.icon`,
  ],
  [
    'an icon on a paragraph below a tab item',
    { tab: { children: [paragraph('x', { children: [paragraph('y', { icon: { emoji: '⚓' } })] })] } },
    `${FIRST}.tab.children[0].paragraph.children[0].paragraph.icon`,
  ],
  ['children of a divider', { divider: { children: [paragraph('x')] } }, `${FIRST}.divider.children`],
  ['101 nested children', block('toggle', 'x', { children: many(101, paragraph('')) }), `${FIRST}.toggle.children.length`],
  [
    'a third nested level',
    bullet(bullet(bullet(bullet()))),
    `${FIRST}.bulleted_list_item.children[0].bulleted_list_item.children[0].bulleted_list_item.children`,
  ],
  ['a column outside a list', column(), FIRST],
  ['a row outside a table', row('a'), FIRST],
  ['a column in a toggle', block('toggle', 'x', { children: [column()] }), `${FIRST}.toggle.children[0].column`],
  ['a row in a toggle', block('toggle', 'x', { children: [row('a')] }), `${FIRST}.toggle.children[0]`],
  [
    'a column list in a toggle',
    block('toggle', 'x', { children: [{ column_list: { children: [column(), column()] } }] }),
    `${FIRST}.toggle.children[0].column_list`,
  ],
  [
    'a column in a column',
    { column_list: { children: [column(column()), column()] } },
    `${FIRST}.column_list.children[0].column.children[0].column`,
  ],
  [
    'a block in a column list',
    { column_list: { children: [column(), paragraph('x')] } },
    `${FIRST}.column_list.children[1].column`,
  ],
  ['a column list with one column', { column_list: { children: [column()] } }, `${FIRST}.column_list.children.length`],
  ['a column list without children', { column_list: {} }, `${FIRST}.column_list.children`],
  [
    'a column without children',
    { column_list: { children: [{ column: {} }, column()] } },
    `${FIRST}.column_list.children[0].column.children`,
  ],
  [
    'a width ratio of 0',
    { column_list: { children: [{ column: { width_ratio: 0, children: [] } }, column()] } },
    `${FIRST}.column_list.children[0].column.width_ratio`,
  ],
  [
    'a width ratio over 1',
    { column_list: { children: [{ column: { width_ratio: 1.01, children: [] } }, column()] } },
    `${FIRST}.column_list.children[0].column.width_ratio`,
  ],
  ['a table without rows', table({ children: [] }), `${FIRST}.table.children.length`],
  ['a table without children', { table: { table_width: 1 } }, `${FIRST}.table.children`],
  ['a paragraph in a table', table({ children: [paragraph('x')] }), `${FIRST}.table.children[0].table_row`],
  ['a table width of 0', table({ table_width: 0 }), `${FIRST}.table.table_width`],
  ['a table width over 100', table({ table_width: 101 }), `${FIRST}.table.table_width`],
  ['a table width that is not an integer', table({ table_width: 1.5 }), `${FIRST}.table.table_width`],
  ['rows of another width', table({ children: [row('a', 'b'), row('a')] }), `${FIRST}.table.children[1].table_row.cells.length`],
  ['a tab without items', { tab: { children: [] } }, `${FIRST}.tab.children.length`],
  ['a tab without children', { tab: {} }, `${FIRST}.tab.children`],
  ['a quote in a tab', { tab: { children: [block('quote', 'x')] } }, `${FIRST}.tab.children[0].paragraph`],
  [
    'items with children in a tab at level 1',
    block('toggle', 'x', { children: [{ tab: { children: [paragraph('t', { children: [paragraph('x')] })] } }] }),
    `${FIRST}.toggle.children[0].tab.children[0].paragraph.children`,
  ],
  [
    'items in a tab at level 2',
    bullet(bullet({ tab: { children: [paragraph('t')] } })),
    `${FIRST}.bulleted_list_item.children[0].bulleted_list_item.children[0].tab.children`,
  ],
  [
    'a table at level 2',
    bullet(bullet(table({}))),
    `${FIRST}.bulleted_list_item.children[0].bulleted_list_item.children[0].table`,
  ],
  [
    'children beside a synced copy',
    { synced_block: { synced_from: { block_id: anId }, children: [paragraph('x')] } },
    `${FIRST}.synced_block.children`,
  ],
  ['a missing synced_from', { synced_block: {} }, `${FIRST}.synced_block.synced_from`],
  [
    'synced_from with a malformed id',
    { synced_block: { synced_from: { block_id: 'x' } } },
    `${FIRST}.synced_block.synced_from.block_id`,
  ],
  ['a link to two targets', { link_to_page: { page_id: anId, database_id: anId } }, `${FIRST}.link_to_page.database_id`],
  ['a link without a target', { link_to_page: {} }, `${FIRST}.link_to_page.page_id`],
  [
    'a key called __proto__',
    JSON.parse('{"paragraph":{"rich_text":[],"__proto__":{"color":"red"}}}'),
    `${FIRST}.paragraph.__proto__`,
  ],
  ['a key called constructor', { paragraph: { rich_text: [], constructor: {} } }, `${FIRST}.paragraph.constructor`],
  ['a type key called constructor', { constructor: {} }, `${FIRST}.constructor`],
  ['a type key called __proto__', JSON.parse('{"__proto__":{"rich_text":[]}}'), `${FIRST}.__proto__`],
]

const badBodies: [name: string, body: unknown, place: string][] = [
  ['missing children', {}, 'body.children'],
  ['children null', { children: null }, 'body.children'],
  ['children that are an object', { children: {} }, 'body.children'],
  ['101 children', { children: many(101, paragraph('')) }, 'body.children.length'],
  [
    'more than 1000 elements',
    { children: many(100, block('toggle', 'x', { children: many(10, paragraph('')) })) },
    'body.children',
  ],
  ['an unknown key', { children: [], childs: [] }, 'body.childs'],
  ['a body key called __proto__', JSON.parse('{"children":[],"__proto__":{"x":1}}'), 'body.__proto__'],
  ['after, which 2026-03-11 removed', { children: [], after: anId }, 'body.after'],
  ['position null', { children: [], position: null }, 'body.position'],
  ['a position without a type', { children: [], position: {} }, 'body.position.type'],
  ['a position of an unknown type', { children: [], position: { type: 'page_start' } }, 'body.position.type'],
  ['after_block without its object', { children: [], position: { type: 'after_block' } }, 'body.position.after_block'],
  [
    'after_block without its id',
    { children: [], position: { type: 'after_block', after_block: {} } },
    'body.position.after_block.id',
  ],
  [
    'after_block with a malformed id',
    { children: [], position: { type: 'after_block', after_block: { id: 'x' } } },
    'body.position.after_block.id',
  ],
  [
    'an after_block beside start',
    { children: [], position: { type: 'start', after_block: { id: anId } } },
    'body.position.after_block',
  ],
  [
    'an id of version 1 as a position',
    { children: [], position: { type: 'after_block', after_block: { id: VERSION_ONE } } },
    'body.position.after_block.id',
  ],
  [
    'an id of version 1 in a mention',
    { children: [rich({ mention: { page: { id: VERSION_ONE.replaceAll('-', '') } } })] },
    'body.children[0].paragraph.rich_text[0].mention.page.id',
  ],
  [
    'a fault in the third item',
    { children: [paragraph('a'), paragraph('b'), { child_page: {} }] },
    'body.children[2].child_page',
  ],
  [
    'two faults, naming the first in document order',
    { children: [paragraph('x', { color: 1 }), {}], childs: 1 },
    'body.children[0].paragraph.color',
  ],
]

describe('appendBlockChildren', () => {
  describe('400 validation_error in a block for', () => {
    it.each(badBlocks)('%s', async (_name, child, location) => {
      expectInvalid(
        await server.owner.call('appendBlockChildren', { path: { block_id: page }, body: { children: [child] } }),
        location,
      )
    })
  })

  describe('400 validation_error in a body for', () => {
    it.each(badBodies)('%s', async (_name, body, location) => {
      expectInvalid(await server.owner.call('appendBlockChildren', { path: { block_id: page }, body }), location)
    })
  })

  it('400 validation_error for more than 1000 elements, with the count', async () => {
    const children = many(100, block('toggle', 'x', { children: many(10, paragraph('')) }))
    expectInvalid(await server.owner.call('appendBlockChildren', { path: { block_id: page }, body: { children } }), '1100')
  })

  it('400 validation_error for several faults, with all of them in failed_paths', async () => {
    const { body } = await server.owner.call('appendBlockChildren', {
      path: { block_id: page },
      body: { children: [paragraph('x', { color: 1 }), { embed: {} }] },
    })
    expect(body['additional_data']).toStrictEqual({
      failed_paths: ['body.children[0].paragraph.color', 'body.children[1].embed'],
    })
  })

  it('400 validation_error in each case above without any change of the page', async () => {
    expect(await snapshot(server.owner, page)).toBe(before)
  })
})
