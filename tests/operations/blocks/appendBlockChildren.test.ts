import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { story } from '../../../server/bootstrap/story.ts'
import {
  append,
  appendOne,
  block,
  children,
  column,
  makePage,
  paragraph,
  plainTexts,
  row,
  snapshot,
} from '../../harness/content.ts'
import { makeConnection } from '../../harness/connections.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { at, idOf, resultsOf, textAt, type JsonObject } from '../../harness/json.ts'
import { startTestServer, TOKEN, type TestServer } from '../../harness/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const appendTo = (id: string, body: unknown, caller = server.owner): ReturnType<typeof caller.call> =>
  caller.call('appendBlockChildren', { path: { block_id: id }, body })
const textsBelow = async (id: string): Promise<string[]> => plainTexts(await children(server.owner, id))

describe('appendBlockChildren', () => {
  it('200 the new blocks of the first level, in order, without their children', async () => {
    const page = await makePage(server.owner, 'Plan', undefined, [paragraph('already here')])
    const { status, body } = await appendTo(page, {
      children: [block('toggle', 'one', { children: [paragraph('inside')] }), paragraph('two')],
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ object: 'list', type: 'block', block: {}, has_more: false, next_cursor: null })
    expect(plainTexts(resultsOf(body))).toStrictEqual(['one', 'two'])
    expect(resultsOf(body).map((one) => one['has_children'])).toStrictEqual([true, false])
    expect(at(body, 'results', 0, 'toggle')).not.toHaveProperty('children')
    expect(await textsBelow(page)).toStrictEqual(['already here', 'one', 'two'])
  })

  it('200 stamps time and bot on the new blocks and on the page, however deep they stand', async () => {
    const page = await makePage(server.owner)
    server.clock.advance(5_000)
    const { caller, botId } = await makeConnection(server, { capabilities: ['insert_content', 'read_content'], grants: [page] })
    const [made] = await append(caller, page, [paragraph('stamped')])
    const now = new Date(server.clock.now()).toISOString()
    const bot = { object: 'user', id: botId }
    expect(made).toMatchObject({ created_time: now, last_edited_time: now, created_by: bot, last_edited_by: bot })
    const retrieved = async (): Promise<object> => (await server.owner.call('retrievePage', { path: { page_id: page } })).body
    const stamp = { last_edited_time: now, last_edited_by: bot, created_by: { object: 'user', id: story.bot.id } }
    expect(await retrieved()).toMatchObject(stamp)
    const toggle = await appendOne(server.owner, page, block('toggle', 'fold'))
    server.clock.advance(5_000)
    await append(caller, toggle, [paragraph('inside')])
    expect(await retrieved()).toMatchObject({ ...stamp, last_edited_time: new Date(server.clock.now()).toISOString() })
  })

  describe('position', () => {
    it('200 start, end and after_block put the blocks where they say', async () => {
      const page = await makePage(server.owner)
      const [first] = await append(server.owner, page, [paragraph('a'), paragraph('b')])
      await append(server.owner, page, [paragraph('z')], { position: { type: 'end' } })
      await append(server.owner, page, [paragraph('0'), paragraph('1')], { position: { type: 'start' } })
      await append(server.owner, page, [paragraph('a1'), paragraph('a2')], {
        position: { type: 'after_block', after_block: { id: idOf(first) } },
      })
      await append(server.owner, page, [paragraph('a0')], {
        position: { type: 'after_block', after_block: { id: idOf(first).replaceAll('-', '').toUpperCase() } },
      })
      expect(await textsBelow(page)).toStrictEqual(['0', '1', 'a', 'a0', 'a1', 'a2', 'b', 'z'])
    })

    it('200 order holds through many insertions at one place', async () => {
      const page = await makePage(server.owner)
      const [anchor] = await append(server.owner, page, [paragraph('anchor')])
      for (let count = 0; count < 60; count += 1) {
        await append(server.owner, page, [paragraph(String(count))], {
          position: { type: 'after_block', after_block: { id: idOf(anchor) } },
        })
      }
      expect(await textsBelow(page)).toStrictEqual([
        'anchor',
        ...Array.from({ length: 60 }, (_none, index) => String(59 - index)),
      ])
    })

    it('200 the whole list of 100 stays together behind a sibling', async () => {
      const page = await makePage(server.owner)
      const [before] = await append(server.owner, page, [paragraph('before'), paragraph('behind')])
      const many = Array.from({ length: 100 }, (_none, index) => paragraph(`line ${index}`))
      await append(server.owner, page, many, { position: { type: 'after_block', after_block: { id: idOf(before) } } })
      const texts = await textsBelow(page)
      expect(texts).toHaveLength(102)
      expect([texts[0], texts[1], texts[100], texts[101]]).toStrictEqual(['before', 'line 0', 'line 99', 'behind'])
    })

    it('200 before others the answer goes on with the siblings behind them, those in the trash left out', async () => {
      const page = await makePage(server.owner)
      const [first, gone, last] = await append(
        server.owner,
        page,
        ['a', 'gone', 'z'].map((name) => paragraph(name)),
      )
      await server.owner.call('deleteBlock', { path: { block_id: idOf(gone) } })
      const answered = async (position: object): Promise<unknown> => {
        const { body } = await appendTo(page, { children: [paragraph('new')], position })
        return [...plainTexts(resultsOf(body)), body['has_more'], body['next_cursor']]
      }
      const behind = (sibling: JsonObject | undefined): object => ({
        type: 'after_block',
        after_block: { id: idOf(sibling) },
      })
      expect(await answered(behind(first))).toStrictEqual(['new', 'z', false, null])
      expect(await answered({ type: 'start' })).toStrictEqual(['new', 'a', 'new', 'z', false, null])
      expect(await answered(behind(last))).toStrictEqual(['new', false, null])
      expect(await answered({ type: 'end' })).toStrictEqual(['new', false, null])
    })

    it('200 the answer is a page of 100 with the new ones, and the list of children goes on from its cursor', async () => {
      const page = await makePage(server.owner)
      const named = (count: number, name: string): object[] =>
        Array.from({ length: count }, (_none, index) => paragraph(`${name} ${index}`))
      const [first] = await append(server.owner, page, [paragraph('first'), ...named(98, 'old')])
      const position = { type: 'after_block', after_block: { id: idOf(first) } }
      for (const [count, shown, rest] of [
        [2, 98, 0],
        [1, 99, 1],
        [100, 0, 101],
      ] as const) {
        const { body } = await appendTo(page, { children: named(count, 'new'), position })
        expect([count, resultsOf(body).length, body['has_more']]).toStrictEqual([count, count + shown, rest > 0])
        const behind = await textsBelow(page)
        expect(plainTexts(resultsOf(body))).toStrictEqual(behind.slice(1, 1 + count + shown))
        if (rest === 0) continue
        const query = { start_cursor: textAt(body, 'next_cursor') }
        const next = await server.owner.call('listBlockChildren', { path: { block_id: page.replaceAll('-', '') }, query })
        expect(plainTexts(resultsOf(next.body))).toStrictEqual(behind.slice(1 + count + shown).slice(0, 100))
        expect(resultsOf(next.body)).toHaveLength(Math.min(rest, 100))
      }
    })

    it('200 before 2025-09-03 the answer has the new blocks alone, and a cursor for the siblings behind them', async () => {
      const page = await makePage(server.owner)
      const [first] = await append(
        server.owner,
        page,
        ['a', 'b', 'c'].map((name) => paragraph(name)),
      )
      const body = { children: [paragraph('1'), paragraph('2')], after: idOf(first) }
      const path = { block_id: page }
      const older = server.caller(TOKEN, '2022-06-28')
      const answer = (await older.call('appendBlockChildren', { path, body })).body
      expect([...plainTexts(resultsOf(answer)), answer['has_more']]).toStrictEqual(['1', '2', true])
      const next = await older.call('listBlockChildren', { path, query: { start_cursor: textAt(answer, 'next_cursor') } })
      expect(plainTexts(resultsOf(next.body))).toStrictEqual(['b', 'c'])
      const from2025 = (await server.caller(TOKEN, '2025-09-03').call('appendBlockChildren', { path, body })).body
      expect(plainTexts(resultsOf(from2025))).toStrictEqual(['1', '2', '1', '2', 'b', 'c'])
      const atEnd = (await older.call('appendBlockChildren', { path, body: { children: body.children } })).body
      expect([...plainTexts(resultsOf(atEnd)), atEnd['has_more'], atEnd['next_cursor']]).toStrictEqual(['1', '2', false, null])
    })

    it('400 validation_error for an id that is no live child of the parent', async () => {
      const page = await makePage(server.owner)
      const [sibling, nested] = await append(server.owner, page, [
        paragraph('gone soon'),
        block('toggle', 'holder', { children: [paragraph('deep')] }),
      ])
      const [deep] = await children(server.owner, idOf(nested))
      await server.owner.call('deleteBlock', { path: { block_id: idOf(sibling) } })
      const before = await snapshot(server.owner, page)
      for (const id of [randomUUID(), idOf(deep), idOf(sibling), page, story.pages.checklist]) {
        expectInvalid(
          await appendTo(page, { children: [paragraph('x')], position: { type: 'after_block', after_block: { id } } }),
          'body.position.after_block.id',
        )
      }
      expect(await snapshot(server.owner, page)).toBe(before)
    })
  })

  it('200 nothing happens for an empty list', async () => {
    const page = await makePage(server.owner)
    const before = await snapshot(server.owner, page)
    server.clock.advance(1000)
    const { status, body } = await appendTo(page, { children: [] })
    expect([status, body['results'], body['has_more'], body['next_cursor']]).toStrictEqual([200, [], false, null])
    expect(await snapshot(server.owner, page)).toBe(before)
  })

  it('200 a color of null is the default, on blocks and pieces of text, made or changed', async () => {
    const page = await makePage(server.owner)
    const rich_text = [{ text: { content: 'x' }, annotations: { bold: true, color: null } }]
    const id = await appendOne(server.owner, page, { paragraph: { rich_text, color: null } })
    const change = async (color: string | null): Promise<unknown> => {
      const { body } = await server.owner.call('updateBlock', { path: { block_id: id }, body: { paragraph: { color } } })
      return at(body, 'paragraph', 'color')
    }
    const [made] = await children(server.owner, page)
    expect(made).toMatchObject({
      paragraph: { color: 'default', rich_text: [{ annotations: { bold: true, color: 'default' } }] },
    })
    expect([await change('red'), await change(null)]).toStrictEqual(['red', 'default'])
  })

  it('200 repeating a request makes new blocks', async () => {
    const page = await makePage(server.owner)
    const ids = [await appendOne(server.owner, page, paragraph('again')), await appendOne(server.owner, page, paragraph('again'))]
    expect(new Set(ids).size).toBe(2)
    expect(await textsBelow(page)).toStrictEqual(['again', 'again'])
  })

  it('200 takes a block that was read, ignoring what only the service writes', async () => {
    const page = await makePage(server.owner)
    const [read] = await append(server.owner, page, [block('to_do', 'Grease the rollers', { checked: true, color: 'blue' })])
    const copy = await appendTo(page, { children: [read] })
    expect(copy.status).toBe(200)
    expect(at(copy.body, 'results', 0, 'to_do')).toStrictEqual(read?.['to_do'])
    expect(at(copy.body, 'results', 0, 'id')).not.toBe(idOf(read))
  })

  it('200 two nested levels below an entry, one more inside columns', async () => {
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

  it('200 containers at the levels that take them: tables and tabs with items at level 1, an empty tab at level 2', async () => {
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

  it('200 an empty list of children counts as none, at every level and on every type', async () => {
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

  it('200 every other type at every level', async () => {
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

  it('200 1000 block elements in one request', async () => {
    const page = await makePage(server.owner)
    const ten = { toggle: { rich_text: [], children: Array.from({ length: 9 }, () => paragraph('')) } }
    const { status, body } = await appendTo(page, { children: Array.from({ length: 100 }, () => ten) })
    expect([status, resultsOf(body).length]).toStrictEqual([200, 100])
  })

  describe('parents', () => {
    it('200 every type that may hold children takes them by a later request', async () => {
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

    it('200 columns, rows and tab items are added to their containers', async () => {
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

    it('400 validation_error for a parent that cannot hold blocks, naming its type', async () => {
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
        ...(await children(server.owner, story.pages.launchPlan)).filter((one) =>
          ['meeting_notes', 'link_preview', 'unsupported'].includes(String(one['type'])),
        ),
      ]
      for (const parent of parents) {
        expectInvalid(await appendTo(idOf(parent), { children: [paragraph('x')] }), String(parent['type']))
      }
      expectInvalid(await appendTo(story.repairLog, { children: [paragraph('x')] }), 'child_database')
    })

    it('400 validation_error for a child that its parent does not take', async () => {
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

  describe('trash', () => {
    it('400 validation_error below a block that is in the trash', async () => {
      const page = await makePage(server.owner)
      const id = await appendOne(server.owner, page, block('toggle', 'gone'))
      await server.owner.call('deleteBlock', { path: { block_id: id } })
      expectInvalid(await appendTo(id, { children: [paragraph('x')] }), 'trash')
      await server.owner.call('deleteBlock', { path: { block_id: page } })
      expectInvalid(await appendTo(page, { children: [paragraph('x')] }), 'trash')
    })

    it('400 validation_error below a trashed ancestor, however far above', async () => {
      const page = await makePage(server.owner)
      const sub = await makePage(server.owner, 'Sub-page', page)
      const id = await appendOne(server.owner, sub, block('toggle', 'deep'))
      await server.owner.call('deleteBlock', { path: { block_id: page } })
      expectInvalid(await appendTo(id, { children: [paragraph('x')] }), 'trash')
      await server.owner.call('updateBlock', { path: { block_id: page }, body: { in_trash: false } })
      expect((await appendTo(id, { children: [paragraph('x')] })).status).toBe(200)
    })
  })

  describe('references', () => {
    const rich = (mention: object): object => ({ paragraph: { rich_text: [{ mention }] } })

    it('404 object_not_found for whatever the caller cannot see, and nothing is written', async () => {
      const hidden = await makePage(server.owner, 'Hidden')
      const original = await appendOne(server.owner, hidden, { synced_block: { synced_from: null } })
      const page = await makePage(server.owner)
      const { caller } = await makeConnection(server, { capabilities: ['insert_content', 'read_content'], grants: [page] })
      const unknown = randomUUID()
      const before = await snapshot(server.owner, page)
      const rows: [string, object, string][] = [
        ['hidden page', rich({ page: { id: hidden } }), hidden],
        ['missing page', rich({ page: { id: unknown } }), unknown],
        ['hidden database', rich({ database: { id: story.repairLog } }), story.repairLog],
        ['missing database', rich({ database: { id: unknown } }), unknown],
        ['missing user', rich({ user: { id: unknown } }), unknown],
        ['missing emoji', rich({ custom_emoji: { id: unknown } }), unknown],
        ['missing emoji in an icon', { callout: { rich_text: [], icon: { custom_emoji: { id: unknown } } } }, unknown],
        ['link to a hidden page', { link_to_page: { page_id: hidden } }, hidden],
        ['link to a missing database', { link_to_page: { database_id: unknown } }, unknown],
        ['link to a missing comment', { link_to_page: { comment_id: unknown } }, unknown],
        ['hidden original', { synced_block: { synced_from: { block_id: original } } }, original],
        ['missing upload', { image: { file_upload: { id: unknown } } }, unknown],
        [
          'deep inside',
          block('toggle', 'a', { children: [block('quote', 'b', { children: [rich({ page: { id: hidden } })] })] }),
          hidden,
        ],
      ]
      for (const [name, child, id] of rows) {
        const answer = await appendTo(page, { children: [paragraph('first'), child] }, caller)
        expect(answer.status, name).toBe(404)
        expectNotFound(answer, id)
      }
      expect(await snapshot(server.owner, page)).toBe(before)
    })

    it('400 validation_error for a visible object of another kind, naming the kind', async () => {
      const page = await makePage(server.owner)
      const id = await appendOne(server.owner, page, paragraph('a block'))
      expectInvalid(
        await appendTo(page, { children: [rich({ page: { id } })] }),
        'body.children[0].paragraph.rich_text[0].mention.page.id',
      )
      expectInvalid(await appendTo(page, { children: [{ link_to_page: { page_id: story.repairLog } }] }), 'database')
      expectNotFound(await appendTo(page, { children: [rich({ database: { id: page } })] }), page)
    })

    it('400 validation_error for a mirror of anything but an original', async () => {
      const page = await makePage(server.owner)
      const [original, other] = await append(server.owner, page, [
        { synced_block: { synced_from: null } },
        paragraph('no original'),
      ])
      const [mirror] = await append(server.owner, page, [
        { synced_block: { synced_from: { type: 'block_id', block_id: idOf(original) } } },
      ])
      for (const id of [idOf(other), idOf(mirror), page]) {
        expectInvalid(
          await appendTo(page, { children: [{ synced_block: { synced_from: { block_id: id } } }] }),
          'body.children[0].synced_block.synced_from.block_id',
        )
      }
    })
  })

  it('403 restricted_resource without insert content, before the body is read', async () => {
    const page = await makePage(server.owner)
    const { caller } = await makeConnection(server, { capabilities: ['read_content', 'update_content'], grants: [page] })
    for (const id of [page, randomUUID()]) {
      const answer = await caller.call('appendBlockChildren', { path: { block_id: id }, body: 'no object' })
      expectError(answer, 403, 'restricted_resource')
      expect(answer.body['additional_data']).toStrictEqual({ required_capability: 'insert_content' })
    }
  })

  it('200 partial blocks without read content, and nothing of their siblings', async () => {
    const page = await makePage(server.owner)
    const { caller } = await makeConnection(server, { capabilities: ['insert_content'], grants: [page] })
    const { body } = await appendTo(page, { children: [paragraph('secret'), { divider: {} }] }, caller)
    expect(resultsOf(body).map((one) => Object.keys(one))).toStrictEqual([
      ['object', 'id'],
      ['object', 'id'],
    ])
    expect(plainTexts(await children(server.owner, page))).toStrictEqual(['secret', 'divider'])
    const ahead = await appendTo(page, { children: [paragraph('first')], position: { type: 'start' } }, caller)
    expect([resultsOf(ahead.body).length, ahead.body['has_more'], ahead.body['next_cursor']]).toStrictEqual([1, false, null])
  })

  it('404 object_not_found for a parent that is missing or not shared', async () => {
    const { caller } = await makeConnection(server, { capabilities: ['insert_content'] })
    for (const id of [randomUUID(), story.pages.checklist])
      expectNotFound(await appendTo(id, { children: [paragraph('x')] }, caller), id)
  })

  it('401 unauthorized without a token', async () => {
    expectError(await appendTo(story.pages.checklist, { children: [] }, server.caller(undefined)), 401, 'unauthorized')
  })

  it('200 two writers at once: every block is there, none overwrites another', async () => {
    const page = await makePage(server.owner)
    await Promise.all(
      Array.from({ length: 20 }, (_none, index) =>
        append(server.owner, page, [paragraph(String(index))], { position: { type: index % 2 ? 'start' : 'end' } }),
      ),
    )
    expect((await textsBelow(page)).toSorted((a, b) => Number(a) - Number(b))).toStrictEqual(
      Array.from({ length: 20 }, (_none, index) => String(index)),
    )
  })
})
