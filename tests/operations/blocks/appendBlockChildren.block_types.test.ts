import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import {
  append,
  appendOne,
  children,
  column,
  contentOf,
  makePage,
  paragraph,
  readText,
  row,
  text,
} from '../../harness/content.ts'
import { publicContract } from '../../harness/contract.ts'
import { expectNotFound } from '../../harness/expectations.ts'
import { idOf } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

/** For each type that can be created: accepted content, defaults and responses. */

const server = await serverOfFile()
const page = await makePage(server.owner)

const url = 'https://example.org/plans/dock%20plan.png'
const words = [text('Keel')]
const readWords = [readText('Keel')]
const caption = [text('A caption')]
const readCaption = [readText('A caption')]
const bulb = { type: 'emoji', emoji: '💡' }

const plainText = {
  least: [{ rich_text: [] }, { rich_text: [], color: 'default' }],
  most: [
    { rich_text: words, color: 'blue_background' },
    { rich_text: readWords, color: 'blue_background' },
  ],
} as const
const heading = {
  least: [{ rich_text: [] }, { rich_text: [], color: 'default', is_toggleable: false }],
  most: [
    { rich_text: words, color: 'red', is_toggleable: true },
    { rich_text: readWords, color: 'red', is_toggleable: true },
  ],
} as const
const link = {
  least: [{ url }, { url, caption: [] }],
  most: [
    { url, caption },
    { url, caption: readCaption },
  ],
} as const
const media = {
  least: [{ external: { url } }, { type: 'external', external: { url }, caption: [] }],
  most: [
    { type: 'external', external: { url }, caption },
    { type: 'external', external: { url }, caption: readCaption },
  ],
} as const
const empty = { least: [{}, {}], most: [{}, {}] } as const

/** For each type: the least and the most that a caller may write, with the response to either. */
const types: Record<string, { readonly least: readonly [object, object]; readonly most: readonly [object, object] }> = {
  paragraph: {
    least: [{ rich_text: [] }, { rich_text: [], color: 'default', icon: null }],
    most: [
      { rich_text: words, color: 'gray', icon: null, children: [] },
      { rich_text: readWords, color: 'gray', icon: null },
    ],
  },
  heading_1: heading,
  heading_2: heading,
  heading_3: heading,
  heading_4: heading,
  bulleted_list_item: plainText,
  numbered_list_item: plainText,
  quote: plainText,
  toggle: plainText,
  to_do: {
    least: [{ rich_text: [] }, { rich_text: [], color: 'default', checked: false }],
    most: [
      { rich_text: words, color: 'green', checked: true },
      { rich_text: readWords, color: 'green', checked: true },
    ],
  },
  template: {
    least: [{ rich_text: [] }, { rich_text: [] }],
    most: [{ rich_text: words, children: [paragraph('x')] }, { rich_text: readWords }],
  },
  callout: {
    least: [{ rich_text: [] }, { rich_text: [], color: 'default', icon: bulb }],
    most: [
      { rich_text: words, color: 'pink', icon: { custom_emoji: { id: exampleWorkspace.emojis[1].id } } },
      {
        rich_text: readWords,
        color: 'pink',
        icon: {
          type: 'custom_emoji',
          custom_emoji: { ...exampleWorkspace.emojis[1], url: 'https://workspace.example/emoji/bowline.png' },
        },
      },
    ],
  },
  code: {
    least: [
      { rich_text: [], language: 'plain text' },
      { rich_text: [], language: 'plain text', caption: [] },
    ],
    most: [
      { rich_text: words, language: 'java/c/c++/c#', caption },
      { rich_text: readWords, language: 'java/c/c++/c#', caption: readCaption },
    ],
  },
  equation: {
    least: [{ expression: 'x' }, { expression: 'x' }],
    most: [{ expression: 'x'.repeat(1000) }, { expression: 'x'.repeat(1000) }],
  },
  table_of_contents: {
    least: [{}, { color: 'default' }],
    most: [{ color: 'default_background' }, { color: 'default_background' }],
  },
  divider: empty,
  breadcrumb: empty,
  embed: link,
  bookmark: link,
  image: media,
  video: media,
  pdf: media,
  audio: media,
  file: {
    least: [{ external: { url } }, { type: 'external', external: { url }, caption: [], name: 'dock plan.png' }],
    most: [
      { external: { url }, caption, name: 'Plan of the dock' },
      { type: 'external', external: { url }, caption: readCaption, name: 'Plan of the dock.png' },
    ],
  },
  link_to_page: {
    least: [
      { page_id: exampleWorkspace.pages.checklist.replaceAll('-', '') },
      { type: 'page_id', page_id: exampleWorkspace.pages.checklist },
    ],
    most: [
      { type: 'database_id', database_id: exampleWorkspace.repairLog },
      { type: 'database_id', database_id: exampleWorkspace.repairLog },
    ],
  },
  column_list: {
    least: [{ children: [column(), column()] }, {}],
    most: [{ children: Array.from({ length: 100 }, () => column()) }, {}],
  },
  table: {
    least: [
      { table_width: 1, children: [row('a')] },
      { table_width: 1, has_column_header: false, has_row_header: false },
    ],
    most: [
      {
        table_width: 100,
        has_column_header: true,
        has_row_header: true,
        children: [{ table_row: { cells: Array.from({ length: 100 }, () => []) } }],
      },
      { table_width: 100, has_column_header: true, has_row_header: true },
    ],
  },
  tab: {
    least: [{ children: [paragraph('')] }, {}],
    most: [{ children: [paragraph('Harbour', { icon: { external: { url } }, children: [paragraph('Ask for berth 14.')] })] }, {}],
  },
  synced_block: {
    least: [{ synced_from: null }, { synced_from: null }],
    most: [{ synced_from: null, children: [paragraph('shared')] }, { synced_from: null }],
  },
}

describe('appendBlockChildren and retrieveBlock', () => {
  describe.each(Object.entries(types))('200 for a block of type %s,', (type, { least, most }) => {
    it.each([
      ['fewest', least],
      ['most', most],
    ])('with defaults for omitted members, sent with the %s members possible', async (_name, [written, read]) => {
      const [made] = await append(server.owner, page, [{ [type]: written }])
      expect(made?.['type']).toBe(type)
      expect(contentOf(made ?? {})).toStrictEqual(read)
      const again = await server.owner.call('retrieveBlock', { path: { block_id: idOf(made) } })
      expect({ ...again.body, request_id: null }).toStrictEqual({ ...made, request_id: null })
    })

    it('written in the form in which it was read', async () => {
      const [made] = await append(server.owner, page, [{ [type]: most[0] }])
      const copy = needsChildren(type) ? { ...made, [type]: { ...contentOf(made ?? {}), ...childrenOf(most[0]) } } : { ...made }
      const [copied] = await append(server.owner, page, [copy])
      expect(contentOf(copied ?? {})).toStrictEqual(contentOf(made ?? {}))
    })
  })

  // An update changes neither children nor the width of a table or the source of a synced block.
  const fixed = ['column_list', 'table', 'tab', 'synced_block']
  it.each(Object.entries(types).filter(([type]) => !fixed.includes(type)))(
    'updateBlock: 200 when the smallest %s is replaced by the largest',
    async (type, { least, most }) => {
      const [made] = await append(server.owner, page, [{ [type]: least[0] }])
      const path = { block_id: idOf(made) }
      const { children: _children, ...content } = most[0] as Record<string, unknown>
      const { body } = await server.owner.call('updateBlock', { path, body: { [type]: content } })
      expect(contentOf(body)).toStrictEqual(most[1])
    },
  )

  it('200 for column and table_row inside their containers, with or without width_ratio', async () => {
    const layout = await appendOne(server.owner, page, {
      column_list: { children: [{ column: { width_ratio: 0.3, children: [{ divider: {} }] } }, column()] },
    })
    expect((await children(server.owner, layout)).map((one) => [contentOf(one), one['has_children']])).toStrictEqual([
      [{ width_ratio: 0.3 }, true],
      [{}, false],
    ])
    const table = await appendOne(server.owner, page, {
      table: {
        table_width: 2,
        children: [row('Part', ''), { table_row: { cells: [words, [text('1'), text('2', { annotations: { bold: true } })]] } }],
      },
    })
    const rows = await children(server.owner, table)
    expect(contentOf(rows[0] ?? {})).toStrictEqual({ cells: [[readText('Part')], []] })
    expect(contentOf(rows[1] ?? {})).toMatchObject({
      cells: [readWords, [{ plain_text: '1' }, { plain_text: '2', annotations: { bold: true, italic: false } }]],
    })
  })

  it('the tests above cover every type that can be created', () => {
    // If you are here because a type is new: give it a row in `types` above.
    const { schemas } = publicContract().components
    const { oneOf } = schemas['BlockRequest'] as { oneOf: { $ref: string }[] }
    const forms = oneOf.map(({ $ref }) => schemas[$ref.split('/').at(-1) ?? ''] as { 'x-payload-key': string })
    const creatable = forms.map((form) => form['x-payload-key'])
    expect([...Object.keys(types), 'column', 'table_row'].toSorted()).toEqual(creatable.toSorted())
  })

  it('200 with is_toggleable true for a heading with children', async () => {
    for (const more of [{}, { is_toggleable: false }, { is_toggleable: true }]) {
      const [made] = await append(server.owner, page, [{ heading_3: { rich_text: [], ...more, children: [paragraph('x')] } }])
      expect(made).toMatchObject({ has_children: true, heading_3: { is_toggleable: true } })
    }
  })

  it('200 for a callout without an icon', async () => {
    expect(contentOf((await append(server.owner, page, [{ callout: { rich_text: [], icon: null } }]))[0] ?? {})).toMatchObject({
      icon: null,
    })
  })

  it.each([
    [
      'a native icon by its picker name',
      { icon: { name: 'Light Bulb' } },
      { type: 'icon', icon: { name: 'light-bulb', color: 'gray' } },
    ],
    [
      'a native icon with underscores and a color',
      { type: 'icon', icon: { name: 'magic_WAND', color: 'lightgray' } },
      { type: 'icon', icon: { name: 'magic-wand', color: 'lightgray' } },
    ],
    [
      'a custom emoji whose name and address are ignored',
      { custom_emoji: { id: exampleWorkspace.emojis[1].id, name: 'x', url: 'https://example.org/x.png' } },
      {
        type: 'custom_emoji',
        custom_emoji: { ...exampleWorkspace.emojis[1], url: 'https://workspace.example/emoji/bowline.png' },
      },
    ],
    ['a flag', { emoji: '🇵🇹' }, { type: 'emoji', emoji: '🇵🇹' }],
    ['a keycap', { emoji: '5️⃣' }, { type: 'emoji', emoji: '5️⃣' }],
    ['a family', { emoji: '👩‍👩‍👧' }, { type: 'emoji', emoji: '👩‍👩‍👧' }],
    ['a skin tone', { emoji: '👍🏽' }, { type: 'emoji', emoji: '👍🏽' }],
    ['an external picture', { external: { url } }, { type: 'external', external: { url } }],
  ])('200 for %s as an icon', async (_name, written, read) => {
    expect(
      contentOf((await append(server.owner, page, [{ callout: { rich_text: [], icon: written } }]))[0] ?? {})['icon'],
    ).toStrictEqual(read)
  })

  it.each([
    ['a page', { link_to_page: { page_id: exampleWorkspace.dataSources.boats } }, exampleWorkspace.dataSources.boats],
    ['a database', { link_to_page: { database_id: exampleWorkspace.dataSources.boats } }, exampleWorkspace.dataSources.boats],
    [
      'an original',
      { synced_block: { synced_from: { block_id: exampleWorkspace.dataSources.boats } } },
      exampleWorkspace.dataSources.boats,
    ],
    ['a database', { link_to_page: { database_id: exampleWorkspace.pages.handbook } }, exampleWorkspace.pages.handbook],
  ])('404 object_not_found where %s is expected, for %j with an id of another kind', async (_kind, child, id) => {
    const response = await server.owner.call('appendBlockChildren', { path: { block_id: page }, body: { children: [child] } })
    expectNotFound(response, id)
  })

  it("200 with the built-in icon for an external picture at that icon's address", async () => {
    const icon = { external: { url: `${server.url}/icons/anchor_blue.svg` } }
    expect(contentOf((await append(server.owner, page, [{ callout: { rich_text: [], icon } }]))[0] ?? {})['icon']).toStrictEqual({
      type: 'icon',
      icon: { name: 'anchor', color: 'blue' },
    })
  })

  it.each([
    ['https://example.org/tides.csv', undefined, 'tides.csv'],
    ['https://example.org/', undefined, 'file'],
    ['https://example.org/a%2Fb.txt?x=1#y', undefined, 'a/b.txt'],
    ['https://example.org/broken%zz.txt', undefined, 'broken%zz.txt'],
    ['https://example.org/notes.txt', 'plan', 'plan.txt'],
    ['https://example.org/notes.txt', 'plan.md', 'plan.md'],
    ['https://example.org/notes', 'plan', 'plan'],
  ])('200 for file %s with the name %s, read with the name %s', async (address, name, expected) => {
    const written = { external: { url: address }, ...(name === undefined ? {} : { name }) }
    expect(contentOf((await append(server.owner, page, [{ file: written }]))[0] ?? {})['name']).toBe(expected)
  })
})

function needsChildren(type: string): boolean {
  return type === 'column_list' || type === 'table' || type === 'tab'
}

function childrenOf(written: object): object {
  return 'children' in written ? { children: written.children } : {}
}
