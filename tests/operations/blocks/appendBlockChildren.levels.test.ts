import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { append, block, children, column, makePage, paragraph, plainTexts, row } from '../../harness/content.ts'
import { expectInvalid } from '../../harness/expectations.ts'
import { idOf, resultsOf } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

const server = await serverOfFile()

const appendTo = (id: string, body: unknown, caller = server.owner): ReturnType<typeof caller.call> =>
  caller.call('appendBlockChildren', { path: { block_id: id }, body })
const textsBelow = async (id: string): Promise<string[]> => plainTexts(await children(server.owner, id))

describe('appendBlockChildren: levels of children', () => {
  it('200 for two levels below a top-level block, and three below a column list', async () => {
    const page = await makePage(server.owner)
    const deep = (label: string): object =>
      block('bulleted_list_item', label, {
        children: [block('bulleted_list_item', `${label}1`, { children: [paragraph(`${label}2`)] })],
      })
    const [item, list] = await append(server.owner, page, [
      deep('a'),
      { column_list: { children: [column(block('quote', 'c', { children: [paragraph('c1')] })), column()] } },
    ])
    const below = async (id: string): Promise<string> => idOf((await children(server.owner, id))[0])
    expect(await textsBelow(await below(idOf(item)))).toStrictEqual(['a2'])
    const firstColumn = await below(idOf(list))
    expect(await textsBelow(await below(firstColumn))).toStrictEqual(['c1'])
  })

  it('200 at level 1 for tables and tabs with their items, and at level 2 for an empty tab', async () => {
    const page = await makePage(server.owner)
    const nested = (child: object): object => block('toggle', 'x', { children: [child] })
    const tab = { tab: { children: [paragraph('Harbour')] } }
    await append(server.owner, page, [
      nested({ table: { table_width: 1, children: [row('a')] } }),
      nested(tab),
      nested(nested({ tab: {} })),
      { column_list: { children: [column(tab, nested({ tab: {} })), column()] } },
    ])
    const emptyTab = idOf(
      (await children(server.owner, idOf((await children(server.owner, idOf((await children(server.owner, page))[2])))[0])))[0],
    )
    expect(await append(server.owner, emptyTab, [paragraph('later')])).toHaveLength(1)
  })

  it('200 for an empty list of children, as for an omitted one, at every level and for every type', async () => {
    const page = await makePage(server.owner)
    const none = { children: [] }
    const inside = [paragraph('', none), { divider: none }]
    const made = await append(server.owner, page, [
      paragraph('', none),
      { divider: none },
      { code: { rich_text: [], language: 'c', ...none } },
      { image: { external: { url: 'https://example.org/a.png' }, ...none } },
      { table: { table_width: 1, children: [{ table_row: { cells: [[]], ...none } }] } },
      block('toggle', 'x', { children: [block('quote', 'y', { children: inside }), ...inside] }),
    ])
    expect(made.map((one) => one['has_children'])).toStrictEqual([false, false, false, false, true, true])
  })

  it('200 for every other type at every level', async () => {
    const page = await makePage(server.owner)
    const url = 'https://example.org/a.png'
    const holders = ['paragraph', 'bulleted_list_item', 'numbered_list_item', 'quote', 'to_do', 'toggle', 'callout', 'template']
    const texts = [...holders, 'heading_1', 'heading_2', 'heading_3', 'heading_4']
    const leaves: object[] = [
      ...texts.map((type) => block(type, type)),
      ...['embed', 'bookmark'].map((type) => ({ [type]: { url } })),
      ...['image', 'video', 'pdf', 'file', 'audio'].map((type) => ({ [type]: { external: { url } } })),
      ...['divider', 'breadcrumb', 'table_of_contents'].map((type) => ({ [type]: {} })),
      { code: { rich_text: [], language: 'c' } },
      { equation: { expression: 'x' } },
      { link_to_page: { page_id: page } },
      { synced_block: { synced_from: null } },
    ]
    const types = leaves.map((leaf) => Object.keys(leaf)[0])
    const below = async (id: string): Promise<unknown[]> => (await children(server.owner, id)).map((one) => one['type'])
    for (const holder of [...texts, 'synced_block']) {
      const holding = (inside: object[]): object =>
        holder === 'synced_block'
          ? { synced_block: { synced_from: null, children: inside } }
          : block(holder, holder, { children: inside })
      const [one, two] = await append(server.owner, page, [
        holding(leaves),
        block('toggle', 'x', { children: [holding(leaves)] }),
      ])
      expect(await below(idOf(one)), holder).toStrictEqual(types)
      const [inner] = await children(server.owner, idOf(two))
      expect(await below(idOf(inner)), holder).toStrictEqual(types)
    }
  })

  it('200 for 1000 blocks in one request', async () => {
    const page = await makePage(server.owner)
    const ten = { toggle: { rich_text: [], children: Array.from({ length: 9 }, () => paragraph('')) } }
    const { status, body } = await appendTo(page, { children: Array.from({ length: 100 }, () => ten) })
    expect([status, resultsOf(body).length]).toStrictEqual([200, 100])
  })

  describe('with a parent', () => {
    it("200 for children in a later request, if the parent's type can have children", async () => {
      const page = await makePage(server.owner)
      const holders = ['paragraph', 'bulleted_list_item', 'numbered_list_item', 'quote', 'to_do', 'toggle', 'callout', 'template']
      const blocks = [
        ...holders.map((type) => block(type, type)),
        block('heading_2', 'toggleable', { is_toggleable: true }),
        { synced_block: { synced_from: null } },
      ]
      for (const made of await append(server.owner, page, blocks)) {
        const inside = [
          paragraph('in'),
          { column_list: { children: [column(), column()] } },
          { table: { table_width: 1, children: [row('x')] } },
        ]
        expect(await append(server.owner, idOf(made), inside), String(made['type'])).toHaveLength(3)
      }
    })

    it('200 for columns, rows and tab items in their containers', async () => {
      const page = await makePage(server.owner)
      const [list, table, tab] = await append(server.owner, page, [
        { column_list: { children: [column(), column()] } },
        { table: { table_width: 2, children: [row('a', 'b')] } },
        { tab: { children: [paragraph('Harbour', { icon: { emoji: '⚓' } })] } },
      ])
      const [added] = await append(server.owner, idOf(list), [column()])
      expect(added).toMatchObject({ type: 'column', column: {}, has_children: false })
      expect(added?.['column']).toStrictEqual({})
      expect(await append(server.owner, idOf(added), [{ column_list: { children: [column(), column()] } }])).toHaveLength(1)
      expect(await append(server.owner, idOf(table), [row('c', '')])).toMatchObject([
        { table_row: { cells: [[{ plain_text: 'c' }], []] } },
      ])
      expect(
        await append(server.owner, idOf(tab), [paragraph('Weather', { icon: { icon: { name: 'sun', color: 'yellow' } } })]),
      ).toMatchObject([{ paragraph: { icon: { type: 'icon', icon: { name: 'sun', color: 'yellow' } } } }])
    })

    it('400 validation_error naming the type when the parent cannot have children', async () => {
      const page = await makePage(server.owner)
      const [original] = await append(server.owner, page, [{ synced_block: { synced_from: null } }])
      const made = await append(server.owner, page, [
        { divider: {} },
        { breadcrumb: {} },
        { table_of_contents: {} },
        { equation: { expression: 'x' } },
        { code: { rich_text: [], language: 'c' } },
        { embed: { url: 'https://example.org/a' } },
        { bookmark: { url: 'https://example.org/a' } },
        { image: { external: { url: 'https://example.org/a.png' } } },
        { link_to_page: { page_id: page } },
        block('heading_1', 'closed'),
        { synced_block: { synced_from: { block_id: idOf(original) } } },
        { table: { table_width: 1, children: [row('x')] } },
      ])
      const [tableRow] = await children(server.owner, idOf(made.at(-1)))
      const parents = [
        ...made.slice(0, -1),
        ...(tableRow ? [tableRow] : []),
        ...(await children(server.owner, exampleWorkspace.pages.launchPlan)).filter((one) =>
          ['meeting_notes', 'link_preview', 'unsupported'].includes(String(one['type'])),
        ),
      ]
      for (const parent of parents) {
        expectInvalid(await appendTo(idOf(parent), { children: [paragraph('x')] }), String(parent['type']))
      }
      expectInvalid(await appendTo(exampleWorkspace.repairLog, { children: [paragraph('x')] }), 'child_database')
    })

    it('400 validation_error when the parent does not accept the type of the child', async () => {
      const page = await makePage(server.owner)
      const [list, table, tab, toggle] = await append(server.owner, page, [
        { column_list: { children: [column(), column()] } },
        { table: { table_width: 2, children: [row('a', 'b')] } },
        { tab: { children: [paragraph('t')] } },
        block('toggle', 'x'),
      ])
      const [firstColumn] = await children(server.owner, idOf(list))
      const rows: [string, object][] = [
        [page, column()],
        [page, row('a')],
        [idOf(toggle), column()],
        [idOf(toggle), row('a')],
        [idOf(firstColumn), column()],
        [idOf(list), paragraph('x')],
        [idOf(table), paragraph('x')],
        [idOf(tab), block('quote', 'x')],
      ]
      for (const [parent, child] of rows) expectInvalid(await appendTo(parent, { children: [child] }), 'body.children[0]')
      expectInvalid(
        await appendTo(idOf(table), { children: [row('a', 'b'), row('only one')] }),
        'body.children[1].table_row.cells.length',
      )
      expectInvalid(
        await appendTo(idOf(toggle), { children: [paragraph('x', { icon: { emoji: '⚓' } })] }),
        'body.children[0].paragraph.icon',
      )
    })
  })
})
