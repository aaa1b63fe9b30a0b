import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { append, appendOne, block, children, makePage, paragraph, plainTexts, readText, row } from '../../harness/content.ts'
import type { TestResponse } from '../../harness/responses.ts'
import { makeConnection } from '../../harness/connections.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { at, idOf, resultsOf, textAt } from '../../harness/json.ts'
import { makeMarkdownPage } from '../../harness/markdown.ts'
import { serverOfFile } from '../../harness/server.ts'

const UNKNOWN = '7d1a3a5e-6a0f-4c83-9c53-5a3f2b7f0a11'

const server = await serverOfFile()

const list = (
  id: string,
  query: Record<string, string | number> | string = {},
  caller = server.owner,
): ReturnType<typeof caller.call> => caller.call('listBlockChildren', { path: { block_id: id }, query })
const numbered = (count: number): object[] => Array.from({ length: count }, (_none, index) => paragraph(String(index)))

describe('listBlockChildren', () => {
  it('200 with the first level only, in display order, without the trash', async () => {
    const page = await makePage(server.owner, 'Plan', undefined, [
      block('toggle', 'a', { children: [paragraph('hidden below')] }),
      paragraph('b'),
      paragraph('c'),
    ])
    const [, second] = await children(server.owner, page)
    await server.owner.call('deleteBlock', { path: { block_id: idOf(second) } })
    const { status, body } = await list(page)
    expect(status).toBe(200)
    expect(body).toMatchObject({ object: 'list', type: 'block', block: {}, has_more: false, next_cursor: null })
    expect(plainTexts(resultsOf(body))).toStrictEqual(['a', 'c'])
  })

  it('200 with sub-pages and databases at their positions', async () => {
    const page = await makePage(server.owner, 'Index', undefined, [paragraph('top')])
    await makePage(server.owner, 'Sub-page', page)
    await append(server.owner, page, [paragraph('bottom')])
    expect(plainTexts(await children(server.owner, page))).toStrictEqual(['top', 'child_page', 'bottom'])
    expect(plainTexts(await children(server.owner, exampleWorkspace.pages.handbook))).toContain('child_database')
  })

  it('200 with an empty list for a block without children, and for a database', async () => {
    const divider = await appendOne(server.owner, await makePage(server.owner), { divider: {} })
    for (const id of [divider, exampleWorkspace.repairLog]) {
      expect((await list(id)).body).toMatchObject({ results: [], has_more: false, next_cursor: null })
    }
  })

  it('200 with the same list for dashed and undashed ids', async () => {
    const page = await makePage(server.owner, 'Plan', undefined, numbered(2))
    expect(resultsOf((await list(page.replaceAll('-', '').toUpperCase())).body)).toStrictEqual(resultsOf((await list(page)).body))
  })

  it('200 with rows, columns and tab items like any child', async () => {
    const page = await makePage(server.owner)
    const [table, layout, tab] = await append(server.owner, page, [
      { table: { table_width: 1, children: [row('a'), row('b')] } },
      { column_list: { children: [{ column: { children: [] } }, { column: { children: [] } }] } },
      { tab: { children: [paragraph('t')] } },
    ])
    const types = async (id: string): Promise<unknown[]> => (await children(server.owner, id)).map((one) => one['type'])
    expect(await types(idOf(table))).toStrictEqual(['table_row', 'table_row'])
    expect(await types(idOf(layout))).toStrictEqual(['column', 'column'])
    expect(await types(idOf(tab))).toStrictEqual(['paragraph'])
  })

  it('200 with the start number on the first item of a numbered list that does not start at 1', async () => {
    const page = await makeMarkdownPage(server.owner, '4. a\n5. b\nx\n1. c\n2. d\nx\n9. e\n\t3. f')
    const starts = async (id: string): Promise<unknown[]> =>
      (await children(server.owner, id)).map((one) => at(one, 'numbered_list_item', 'list_start_index'))
    expect(await starts(page)).toStrictEqual([4, undefined, undefined, undefined, undefined, undefined, 9])
    const [first, second, , , , , last] = await children(server.owner, page)
    expect(await starts(idOf(last))).toStrictEqual([3])
    const retrieve = async (id: string): Promise<unknown> =>
      (await server.owner.call('retrieveBlock', { path: { block_id: id } })).body['numbered_list_item']
    expect(await retrieve(idOf(first))).toMatchObject({ list_start_index: 4 })
    expect(await retrieve(idOf(second))).toStrictEqual({ rich_text: [readText('b')], color: 'default' })
    const [before] = await append(server.owner, page, [block('numbered_list_item', '0')], { position: { type: 'start' } })
    expect((await starts(page)).slice(0, 3)).toStrictEqual([undefined, undefined, undefined])
    expect(await retrieve(idOf(first))).not.toHaveProperty('list_start_index')
    await server.owner.call('deleteBlock', { path: { block_id: idOf(before) } })
    expect((await starts(page))[0]).toBe(4)
    const { body } = await server.owner.call('updateBlock', {
      path: { block_id: idOf(first) },
      body: { numbered_list_item: { color: 'red' } },
    })
    expect(body['numbered_list_item']).toMatchObject({ color: 'red', list_start_index: 4 })
  })

  describe('a synced copy', () => {
    it('200 with the children and has_children of the original', async () => {
      const page = await makePage(server.owner)
      const [original] = await append(server.owner, page, [
        { synced_block: { synced_from: null, children: [paragraph('shared')] } },
      ])
      const [mirror] = await append(server.owner, page, [
        { synced_block: { synced_from: { block_id: idOf(original) }, children: [] } },
      ])
      expect(mirror).toMatchObject({
        has_children: true,
        synced_block: { synced_from: { type: 'block_id', block_id: idOf(original) } },
      })
      const [shared] = await children(server.owner, idOf(mirror))
      expect(shared).toMatchObject({ parent: { type: 'block_id', block_id: idOf(original) } })
      await server.owner.call('deleteBlock', { path: { block_id: idOf(original) } })
      expect(await children(server.owner, idOf(mirror))).toStrictEqual([])
      expect((await server.owner.call('retrieveBlock', { path: { block_id: idOf(mirror) } })).body['has_children']).toBe(false)
      await server.owner.call('updateBlock', { path: { block_id: idOf(original) }, body: { in_trash: false } })
      expect(plainTexts(await children(server.owner, idOf(mirror)))).toStrictEqual(['shared'])
    })

    it('200 with an empty list when the caller cannot see the original', async () => {
      const hidden = await makePage(server.owner, 'Hidden')
      const original = await appendOne(server.owner, hidden, {
        synced_block: { synced_from: null, children: [paragraph('wages')] },
      })
      const shown = await makePage(server.owner, 'Shown')
      const mirror = await appendOne(server.owner, shown, { synced_block: { synced_from: { block_id: original } } })
      const { caller } = await makeConnection(server, { capabilities: ['read_content'], grants: [shown] })
      const response = await list(mirror, {}, caller)
      expect(response.body['results']).toStrictEqual([])
      expect((await list(shown, {}, caller)).body).toMatchObject({ results: [{ has_children: false }] })
    })
  })

  describe('paging', () => {
    it('200 with the whole list for any page size, and next_cursor null only at the end', async () => {
      const page = await makePage(server.owner, 'Long', undefined, numbered(25))
      const found: string[] = []
      let query: Record<string, string | number> = { page_size: 7 }
      for (let size = 7; ; size += 1) {
        const { body } = await list(page, query)
        found.push(...plainTexts(resultsOf(body)))
        expect(resultsOf(body).length).toBeLessThanOrEqual(Number(query['page_size']))
        expect(body['next_cursor'] === null).toBe(body['has_more'] === false)
        if (body['has_more'] === false) break
        query = { start_cursor: textAt(body, 'next_cursor'), page_size: size }
      }
      expect(found).toStrictEqual(Array.from({ length: 25 }, (_none, index) => String(index)))
    })

    it('200 with 100 items per page by default', async () => {
      const page = await makePage(server.owner, 'Long', undefined, numbered(100))
      await append(server.owner, page, numbered(2))
      expect(resultsOf((await list(page)).body)).toHaveLength(100)
      expect((await list(page)).body['has_more']).toBe(true)
      expect(resultsOf((await list(page, { page_size: 1 })).body)).toHaveLength(1)
    })

    it('200 with has_more false when a page ends exactly at the end of the list', async () => {
      const page = await makePage(server.owner, 'Even', undefined, numbered(4))
      const { body } = await list(page, { page_size: 2 })
      expect((await list(page, { page_size: 2, start_cursor: textAt(body, 'next_cursor') })).body).toMatchObject({
        has_more: false,
        next_cursor: null,
      })
    })

    it('200 during writes, with blocks added after the cursor, and without trashed or repeated ones', async () => {
      const page = await makePage(server.owner, 'Busy', undefined, numbered(6))
      const all = await children(server.owner, page)
      const { body } = await list(page, { page_size: 3 })
      const seen = plainTexts(resultsOf(body))
      await append(server.owner, page, [paragraph('before the cursor')], { position: { type: 'start' } })
      await append(server.owner, page, [paragraph('behind the cursor')], {
        position: { type: 'after_block', after_block: { id: idOf(all[3]) } },
      })
      for (const index of [2, 3])
        // First the last block that was read, then the block that the cursor names.
        await server.owner.call('deleteBlock', { path: { block_id: idOf(all[index]) } })
      seen.push(...plainTexts(resultsOf((await list(page, { start_cursor: textAt(body, 'next_cursor') })).body)))
      expect(seen).toStrictEqual(['0', '1', '2', 'behind the cursor', '4', '5'])
    })

    it('400 when the block that the cursor names has moved to another page, and 200 when the block before it has moved', async () => {
      const page = await makePage(server.owner, 'Left')
      const below: string[] = []
      for (const title of ['a', 'b', 'c', 'd']) below.push(await makePage(server.owner, title, page))
      const start_cursor = textAt((await list(page, { page_size: 2 })).body, 'next_cursor')
      expect(start_cursor).toBe(below[2])
      const elsewhere = await makePage(server.owner, 'Elsewhere', undefined, numbered(6))
      const move = (page_id = ''): Promise<TestResponse> =>
        server.owner.call('movePage', { path: { page_id }, body: { parent: { page_id: elsewhere } } })
      await move(below[1])
      expect(resultsOf((await list(page, { start_cursor })).body).map(idOf)).toStrictEqual(below.slice(2))
      await move(below[2])
      expectInvalid(await list(page, { start_cursor }), 'query.start_cursor')
      expect(resultsOf((await list(elsewhere, { start_cursor })).body).map(idOf)).toStrictEqual([below[2]])
    })

    it('400 validation_error when the cursor is malformed or belongs to another list', async () => {
      const page = await makePage(server.owner, 'Own', undefined, numbered(3))
      const other = await makePage(server.owner, 'Other', undefined, numbered(3))
      const cursor = textAt((await list(page, { page_size: 1 })).body, 'next_cursor')
      expect(cursor).toBe(idOf(resultsOf((await list(page, {})).body)[1]))
      for (const bad of ['x', 'null', `${cursor}x`, cursor.slice(0, -2), UNKNOWN, `${cursor.slice(1)}A`])
        expectInvalid(await list(page, { start_cursor: bad }), 'query.start_cursor')
      expectInvalid(await list(page, 'start_cursor='), 'query.start_cursor.length')
      expectInvalid(await list(other, { start_cursor: cursor }), 'query.start_cursor')
      expectInvalid(await server.owner.call('listUsers', { query: { start_cursor: cursor } }), 'query.start_cursor')
      expectInvalid(await list(page, { start_cursor: page }), 'query.start_cursor')
    })

    it('400 with the same message for a cursor with the id of a hidden block or an unknown id', async () => {
      const [shared, hidden] = [
        await makePage(server.owner, 'Shared', undefined, numbered(2)),
        await makePage(server.owner, 'Hidden', undefined, numbered(2)),
      ]
      const { caller } = await makeConnection(server, { capabilities: ['read_content'], grants: [shared] })
      const inside = idOf(resultsOf((await list(hidden, {})).body)[1])
      const [seen, unknown] = [
        await list(shared, { start_cursor: inside }, caller),
        await list(shared, { start_cursor: UNKNOWN }, caller),
      ]
      expectInvalid(seen, 'query.start_cursor')
      expect(seen.body['message']).toBe(unknown.body['message'])
    })

    it.each(['0', '-1', '101', '2.5', 'ten', '', 'null', 'true', '1e999'])(
      '400 validation_error for page_size=%s',
      async (size) => {
        expectInvalid(await list(exampleWorkspace.pages.checklist, `page_size=${size}`), 'query.page_size')
      },
    )

    it('400 validation_error for a repeated or unknown parameter', async () => {
      expectInvalid(await list(exampleWorkspace.pages.checklist, 'page_size=1&page_size=1'), 'query.page_size')
      expectInvalid(await list(exampleWorkspace.pages.checklist, 'limit=1'), 'query.limit')
      expectInvalid(await list(exampleWorkspace.pages.checklist, '__proto__=1'), 'query.__proto__')
      expectInvalid(await list(exampleWorkspace.pages.checklist, 'constructor=1'), 'query.constructor')
      expectInvalid(await list(exampleWorkspace.pages.checklist, 'page_size[]=1'), 'query.page_size[]')
    })
  })

  it('400 validation_error when the id is malformed', async () => {
    expectInvalid(await list('checklist'), 'path.block_id')
  })

  it('401 unauthorized without a token', async () => {
    expectError(await list(exampleWorkspace.pages.checklist, {}, server.caller(undefined)), 401, 'unauthorized')
  })

  it('403 restricted_resource without the capability to read content, even if the block is missing', async () => {
    const { caller } = await makeConnection(server, {
      capabilities: ['insert_content', 'update_content'],
      grants: [exampleWorkspace.workspace.id],
    })
    for (const id of [UNKNOWN, exampleWorkspace.pages.checklist])
      expectError(await list(id, {}, caller), 403, 'restricted_resource', 'read_content')
  })

  it('404 object_not_found when the block is missing or not shared', async () => {
    const { caller } = await makeConnection(server, {
      capabilities: ['read_content'],
      grants: [exampleWorkspace.pages.launchPlan],
    })
    for (const id of [UNKNOWN, exampleWorkspace.pages.checklist]) expectNotFound(await list(id, {}, caller), id)
    expect((await list(exampleWorkspace.pages.launchPlan, {}, caller)).status).toBe(200)
  })
})
