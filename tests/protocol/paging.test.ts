import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { operations, type Operation } from '../../generated/operations.ts'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import type { TestResponse } from '../harness/responses.ts'
import { makeConnection } from '../harness/connections.ts'
import { engine } from '../harness/databases.ts'
import { expectError, expectInvalid } from '../harness/expectations.ts'
import { idOf } from '../harness/json.ts'
import { checksRules, isLongRun } from '../harness/long_runs.ts'
import { serverOfFile } from '../harness/server.ts'
import { requestPage, cursorOf, itemsOf, readAll, type PagedList, type PageOptions } from './support/paged_list.ts'
import { ITEMS, plantLongLists } from './support/long_lists.ts'

/** Every item is the end of a page on one engine, and every seventh on the other. */
const SIZES = engine === 'sqlite' ? [1, 7, 99] : [7, 99]

const WRONG_SIZES = ['0', '-1', '101', '2.5', 'ten', '', '1e1', '0x10', ' 5', '99999999999999999999']

const server = await serverOfFile()
const lists = await plantLongLists(server)

const request = (list: PagedList, query: PageOptions, caller = server.owner, parts = list.parts()): Promise<TestResponse> =>
  requestPage(caller, list, query, parts)

describe.each(lists)('$id', (list) => {
  const where = list.in ?? 'query'

  it('200 with 100 items by default, and the rest after the cursor', async () => {
    const first = await request(list, {})
    expect(itemsOf(list, first)).toHaveLength(100)
    expect(first.body['has_more']).toBe(true)
    const rest = await request(list, { start_cursor: cursorOf(first) })
    expect(rest.body).toMatchObject({ has_more: false, next_cursor: null })
    const ids = [...itemsOf(list, first), ...itemsOf(list, rest)].map(list.key ?? idOf)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBeGreaterThanOrEqual(ITEMS)
  })

  it('200 with the same items in the same order for every page_size, even if it changes between pages', async () => {
    const all = await readAll(server.owner, list, () => 100)
    for (const size of SIZES) expect(await readAll(server.owner, list, () => size)).toStrictEqual(all)
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.integer({ min: 1, max: 100 })), async (sizes) => {
        expect(await readAll(server.owner, list, () => sizes.next().value)).toStrictEqual(all)
      }),
      { numRuns: isLongRun ? 5 : 1 },
    )
  })

  it('200 without a cursor after the last item, even if the page is full', async () => {
    const count = (await readAll(server.owner, list, () => 100)).length
    const first = await request(list, { page_size: 100 })
    expect((await request(list, { page_size: count - 100, start_cursor: cursorOf(first) })).body).toMatchObject({
      has_more: false,
      next_cursor: null,
    })
    expect((await request(list, { page_size: count - 101, start_cursor: cursorOf(first) })).body['has_more']).toBe(true)
  })

  it('200 with short cursors that need no encoding in a URL', async () => {
    expect(cursorOf(await request(list, { page_size: 1 }))).toMatch(list.cursor)
  })

  it.each(checksRules ? WRONG_SIZES : [])('400 for page_size %j', async (size) => {
    expectInvalid(await request(list, { page_size: size }), `${where}.page_size`)
  })

  if (checksRules && where === 'query')
    it('400 when page_size or start_cursor is repeated', async () => {
      const { path, headers } = list.parts()
      expectInvalid(
        await server.owner.call(list.id, {
          ...(path ? { path } : {}),
          ...(headers ? { headers } : {}),
          query: 'page_size=1&page_size=2',
        }),
        `${where}.page_size`,
      )
      expectInvalid(
        await server.owner.call(list.id, {
          ...(path ? { path } : {}),
          ...(headers ? { headers } : {}),
          query: 'start_cursor=a&start_cursor=b',
        }),
        `${where}.start_cursor`,
      )
    })

  if (where === 'body')
    it('200 for a null cursor as for none', async () => {
      const { path, body } = list.parts()
      const first = await request(list, { page_size: 3 })
      const again = await server.owner.call(list.id, {
        ...(path ? { path } : {}),
        body: { ...(body as object), page_size: 3, start_cursor: null },
      })
      expect(itemsOf(list, again)).toStrictEqual(itemsOf(list, first))
    })

  if (checksRules && where === 'body')
    it('400 for page_size in the query since 2021-08-16, which earlier versions ignore', async () => {
      const inQuery = (version: string): Promise<TestResponse> =>
        server.owner.call(list.id, { ...list.parts(), query: { page_size: 2 }, headers: { 'Service-Version': version } })
      const response = await inQuery('2026-03-11')
      expectInvalid(response, 'query.page_size')
      expect(response.body['message']).toContain('query.page_size should be not present')
      const { available }: Operation = operations[list.id]
      if (available.from === undefined) expect((await inQuery('2021-05-13')).status).toBe(200)
    })

  const corrupted: [string, (good: string) => string][] = [
    ['empty', () => ''],
    ['the word null', () => 'null'],
    ['some text', () => 'a-b_c'],
    ['an id', () => randomUUID()],
    ['cut off', (good) => good.slice(0, -1)],
    ['with appended characters', (good) => `${good}A`],
    ['with a changed character', (good) => `${good.startsWith('a') ? 'b' : 'a'}${good.slice(1)}`],
    ['with a blank', (good) => ` ${good}`],
    ['of 1,001 characters', () => 'A'.repeat(1001)],
    ['with a zero byte', (good) => `${good}\0`],
    ['with an emoji', () => '🙂'],
  ]
  it.each(checksRules ? corrupted : [])('400 when the cursor is %s', async (_what, spoil) => {
    const good = cursorOf(await request(list, { page_size: 1 }))
    expectError(await request(list, { start_cursor: spoil(good) }), 400, 'validation_error')
    expect((await request(list, { start_cursor: spoil(good) })).body['message']).toContain(`${where}.start_cursor`)
  })

  it('400 for a cursor of another list', async () => {
    for (const stranger of lists) {
      if (stranger.id === list.id) continue
      expectInvalid(
        await request(list, { start_cursor: cursorOf(await request(stranger, { page_size: 1 })) }),
        `${where}.start_cursor`,
      )
    }
  })

  if (list.other)
    it('400 for a cursor of the same list with another target or parameter', async () => {
      expectInvalid(
        await request(list, { start_cursor: cursorOf(await request(list, { page_size: 1 })) }, server.owner, list.other?.()),
        `${where}.start_cursor`,
      )
    })

  const { byEntry } = list
  const isBound = byEntry?.isForEveryone !== true

  it(`${isBound ? '400' : '200'} for the cursor of another caller, and 200 for that of the same caller`, async () => {
    const { caller } = await makeConnection(server, {
      capabilities: ['read_content', 'read_comments', 'read_user_without_email'],
      grants: [exampleWorkspace.workspace.id],
    })
    const cursor = cursorOf(await request(list, { page_size: 1 }))
    expect((await request(list, { page_size: 1 }, caller)).status).toBe(200)
    const next = await request(list, { page_size: 3, start_cursor: cursor }, caller)
    const own = await request(list, { page_size: 3, start_cursor: cursor })
    expect(own.status).toBe(200)
    if (isBound) expectInvalid(next, `${where}.start_cursor`)
    else expect(itemsOf(list, next).map(idOf)).toStrictEqual(itemsOf(list, own).map(idOf))
  })

  if (byEntry) {
    it('200 with the id of the next item as cursor', async () => {
      const all = await readAll(server.owner, list, () => 100)
      for (const size of [1, 40, 100]) {
        const page = await request(list, { page_size: size })
        expect(cursorOf(page)).toBe(all[size])
        const next = await request(list, { page_size: size, start_cursor: cursorOf(page) })
        expect(itemsOf(list, next).map(idOf)).toStrictEqual(all.slice(size, 2 * size))
      }
    })

    it('200 for the id of any item as cursor, in each spelling, in every version and after more than a day', async () => {
      const all = await readAll(server.owner, list, () => 100)
      server.clock.advance(86_400_000 + 1)
      for (const index of [0, 3, all.length - 1]) {
        const id = all[index] ?? ''
        for (const version of ['2026-03-11', '2025-09-03', '2022-06-28'])
          for (const start_cursor of [id, id.toUpperCase(), id.replaceAll('-', '')]) {
            const parts = { ...list.parts(), headers: { 'Service-Version': version } }
            const page = await request(list, { page_size: 2, start_cursor }, server.owner, parts)
            expect(itemsOf(list, page).map(idOf)).toStrictEqual(all.slice(index, index + 2))
          }
      }
    })

    it('400 for an id that is not in the list, with the wording of the contract', async () => {
      const response = await request(list, { start_cursor: randomUUID() })
      expectInvalid(response, `${where}.start_cursor`)
      expect(response.body['message']).toContain('should be a `next_cursor` of this same list, or the id of one of its entries')
    })
  } else {
    it('400 for a cursor of another version', async () => {
      const cursor = cursorOf(await request(list, { page_size: 1 }))
      const parts = { ...list.parts(), headers: { 'Service-Version': list.versions?.[1] ?? '2025-09-03' } }
      expect((await request(list, { page_size: 1 }, server.owner, parts)).status).toBe(200)
      expectInvalid(await request(list, { start_cursor: cursor }, server.owner, parts), `${where}.start_cursor`)
    })

    it('200 for a cursor for 24 hours, and 400 afterwards', async () => {
      const cursor = cursorOf(await request(list, { page_size: 1 }))
      server.clock.advance(86_400_000 - 1000)
      expect((await request(list, { start_cursor: cursor })).status).toBe(200)
      server.clock.advance(2001)
      expectInvalid(await request(list, { start_cursor: cursor }), `${where}.start_cursor`)
    })
  }

  const { remove, removed } = byEntry ?? {}
  if (remove)
    it(`${removed} for an entry that was removed after its id was given as cursor`, async () => {
      const all = await readAll(server.owner, list, () => 100)
      const cursor = cursorOf(await request(list, { page_size: 2 }))
      await remove(cursor)
      const rest = await request(list, { page_size: 2, start_cursor: cursor })
      if (removed === 400) expectInvalid(rest, `${where}.start_cursor`)
      else expect(itemsOf(list, rest).map(idOf)).toStrictEqual(all.slice(3, 5))
      expect(await readAll(server.owner, list, () => 100)).toStrictEqual(all.toSpliced(2, 1))
    })
})
