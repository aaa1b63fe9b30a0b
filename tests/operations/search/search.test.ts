import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { createPersonalToken } from '../../../server/domain/administration/tokens.ts'
import { memberOf } from '../../../server/domain/shared/actor.ts'
import { setMemberAccess } from '../../../server/domain/people/sharing.ts'
import { addTitles } from '../../../server/store/titles.ts'
import { makeConnection } from '../../harness/connections.ts'
import { appendOne, makePage, paragraph, text } from '../../harness/content.ts'
import { expectError, expectInvalid } from '../../harness/expectations.ts'
import { idOf, textAt } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'
import { findAll, search, searchAs, titlesOf } from './support.ts'

const workspaceId = exampleWorkspace.workspace.id
const tomas = exampleWorkspace.people[1]

const server = await serverOfFile()
const owner = server.owner
const PAGE = { startCursor: undefined, pageSize: 2 }
const made = await server.service.database.write((db) =>
  createPersonalToken(db, { workspaceId, personId: tomas.id }, server.clock.now()),
)
const member = server.caller(made.token)

/** Makes pages one second apart, the first one the oldest. */
async function makePages(titles: readonly string[], parent?: string): Promise<string[]> {
  const ids: string[] = []
  for (const title of titles) {
    server.clock.advance(1000)
    ids.push(await makePage(owner, title, parent))
  }
  return ids
}

describe('search: matches', () => {
  it('200 with titles that have a word starting with a word of the query, last edited first', async () => {
    const parent = await makePage(owner, 'Zephyr folder')
    const [tests, , both] = await makePages(['Marlin Tests', 'Attestation', 'old MARLINS and testing'], parent)
    server.clock.advance(1000)
    const response = await search(owner, { query: 'Marlin Test' })
    const full = (await owner.call('retrievePage', { path: { page_id: both ?? '' } })).body
    expect(response.body).toStrictEqual({
      object: 'list',
      type: 'page_or_data_source',
      page_or_data_source: {},
      results: [
        { ...full, request_id: undefined },
        { ...(await owner.call('retrievePage', { path: { page_id: tests ?? '' } })).body, request_id: undefined },
      ].map(({ request_id: _id, ...page }) => page),
      has_more: false,
      next_cursor: null,
      request_id: response.body['request_id'],
    })
    expect(await titlesOf(owner, { query: 'arlin' })).toStrictEqual([])
  })

  it('200 without matches in text or blocks', async () => {
    const page = await makePage(owner, 'Plain', undefined, [paragraph('Quixotic')])
    await appendOne(owner, page, paragraph('Quixotic'))
    expect(await titlesOf(owner, { query: 'quixotic' })).toStrictEqual([])
  })

  it('200 without matches in the pages and users that a title mentions, but with matches in its dates and equations', async () => {
    const named = await makePage(owner, 'Umbrellabird')
    const title = [
      { mention: { page: { id: named } } },
      { mention: { user: { id: tomas.id } } },
      { mention: { date: { start: '2031-05-06' } } },
      { equation: { expression: 'qqsum' } },
    ]
    const id = idOf((await owner.call('createPage', { body: { properties: { title: { title } } } })).body)
    expect(await findAll(owner, { query: 'umbrellabird' })).toStrictEqual([named])
    expect(await findAll(owner, { query: 'qqsum' })).toStrictEqual([id])
    expect(await findAll(owner, { query: '2031-05' })).toStrictEqual([id])
  })

  it('200 for a request without a query, with everything that the connection can see', async () => {
    const all = await findAll(owner, {})
    expect(all).toContain(exampleWorkspace.pages.handbook)
    expect(new Set(all).size).toBe(all.length)
    for (const body of [undefined, { query: '' }, { query: ' \t' }, { filter: { in_trash: false } }, { start_cursor: null }]) {
      expect((await search(owner, body)).body['results']).toStrictEqual((await search(owner, {})).body['results'])
    }
  })

  it('200 with a long title found by its last word, in every order', async () => {
    const id = await makePage(owner, `${'жук '.repeat(480)}Whimbrel`)
    const other = await makePage(owner, `${'жук '.repeat(480)}Godwits`)
    for (const sort of [undefined, { property: 'relevance' }, { timestamp: 'last_edited_time', direction: 'ascending' }]) {
      expect(await findAll(owner, { query: 'whimbrel', sort })).toStrictEqual([id])
      expect((await findAll(owner, { query: 'жук', sort }, 1)).sort()).toStrictEqual([id, other].sort())
      expect(await findAll(owner, { query: 'whimbrels', sort })).toStrictEqual([])
    }
  })

  it('200 without results for punctuation alone', async () => {
    expect((await search(owner, { query: '?!' })).body).toMatchObject({ results: [], has_more: false })
  })
})

describe('search: current state', () => {
  it('200 with a changed title', async () => {
    const id = await makePage(owner, 'Kestrel one')
    await owner.call('updatePage', { path: { page_id: id }, body: { properties: { title: [text('Osprey one')] } } })
    expect(await findAll(owner, { query: 'kestrel' })).toStrictEqual([])
    expect(await findAll(owner, { query: 'osprey' })).toStrictEqual([id])
    await owner.call('updatePage', { path: { page_id: id }, body: { properties: { title: [] } } })
    expect(await findAll(owner, { query: 'osprey' })).toStrictEqual([])
    expect(await findAll(owner, {})).toContain(id)
  })

  it('404 from createPage, after which search does not find the refused page', async () => {
    const body = {
      properties: { title: [text('Cassowary')] },
      children: [{ paragraph: { rich_text: [{ mention: { page: { id: exampleWorkspace.bot.id } } }] } }],
    }
    expect((await owner.call('createPage', { body })).status).toBe(404)
    expect(await findAll(owner, { query: 'cassowary' })).toStrictEqual([])
  })

  it('200 with a page first after one of its blocks was edited', async () => {
    const [first, second] = await makePages(['Gannet a', 'Gannet b'])
    expect(await findAll(owner, { query: 'gannet' })).toStrictEqual([second, first])
    server.clock.advance(1000)
    await appendOne(owner, first ?? '', paragraph('news'))
    expect(await findAll(owner, { query: 'gannet' })).toStrictEqual([first, second])
  })

  it('200 with the trash as a list of its own, and pages below trashed ones in neither list', async () => {
    const top = await makePage(owner, 'Ibis top')
    const toggle = await appendOne(owner, top, { toggle: { rich_text: [text('fold')] } })
    const below = idOf(
      (await owner.call('createPage', { body: { parent: { page_id: top }, properties: { title: [text('Ibis below')] } } })).body,
    )
    const deep = await makePage(owner, 'Ibis deep', below)
    const live = (): Promise<string[]> => findAll(owner, { query: 'ibis' })
    const trashed = (): Promise<string[]> => findAll(owner, { query: 'ibis', filter: { in_trash: true } })
    expect((await live()).sort()).toStrictEqual([top, below, deep].sort())
    await owner.call('updatePage', { path: { page_id: below }, body: { in_trash: true } })
    expect([await live(), await trashed()]).toStrictEqual([[top], [below]])
    await owner.call('deleteBlock', { path: { block_id: top } })
    expect([await live(), (await trashed()).sort()]).toStrictEqual([[], [top, below].sort()])
    await owner.call('updateBlock', { path: { block_id: top }, body: { in_trash: false } })
    await owner.call('updatePage', { path: { page_id: below }, body: { in_trash: false } })
    expect([(await live()).length, await trashed()]).toStrictEqual([3, []])
    await server.service.database.write((db) =>
      db.run(
        `update blocks set parent_id = ?, parent_type = 'block_id' where workspace_id = ? and id = ?`,
        toggle,
        workspaceId,
        below,
      ),
    )
    await owner.call('deleteBlock', { path: { block_id: toggle } })
    expect([await live(), await trashed()]).toStrictEqual([[top], []])
  })
})

describe('search: order', () => {
  it('200 sorted by the last edit in either direction, with equal times sorted by id', async () => {
    const ids = await makePages(['Plover 1', 'Plover 2', 'Plover 3'])
    const same = [await makePage(owner, 'Plover 4'), await makePage(owner, 'Plover 5')].sort()
    const ascending = [ids[0], ids[1], ...[ids[2] ?? '', ...same].sort()]
    const by = (direction: string): object => ({ query: 'plover', sort: { timestamp: 'last_edited_time', direction } })
    expect(await findAll(owner, by('ascending'), 1)).toStrictEqual(ascending)
    expect(await findAll(owner, by('descending'), 2)).toStrictEqual(ascending.toReversed())
    expect(await findAll(owner, { query: 'plover' })).toStrictEqual(ascending.toReversed())
  })

  it('200 by relevance: exact, prefix, all words, some words, then newest', async () => {
    const titles = ['Osprey Egret', 'osprey egrets', 'OSPREY EGRET', 'Egret and osprey', 'Old osprey egret', 'Egret', 'Ospreys']
    const [exact, prefix, exactNewer, all, allNewer, some, someNewer] = await makePages(titles)
    const body = { query: 'osprey egret', sort: { property: 'relevance' } }
    const order = [exactNewer, exact, prefix, allNewer, all, someNewer, some]
    for (const size of [100, 3, 1]) expect(await findAll(owner, body, size)).toStrictEqual(order)
  })

  it('200 sorted by the last edit when relevance is requested without a query', async () => {
    expect(await findAll(owner, { sort: { property: 'relevance' } })).toStrictEqual(await findAll(owner, {}))
  })
})

describe('search: visibility', () => {
  it('200 for a connection with the pages shared with it and all pages below them, immediately after the grant', async () => {
    const top = await makePage(owner, 'Quail top')
    const [inside = '', outside = ''] = [await makePage(owner, 'Quail inside', top), await makePage(owner, 'Quail outside')]
    const { caller, botId } = await makeConnection(server, { capabilities: ['read_content'], grants: [] })
    const found = async (): Promise<string[]> => (await findAll(caller, { query: 'quail' })).sort()
    expect([await found(), await findAll(caller, {})]).toStrictEqual([[], []])
    const grant = (id: string): Promise<unknown> =>
      server.service.database.write((db) =>
        db.run('insert into grants (workspace_id, bot_id, item_id, created_time) values (?, ?, ?, 1)', workspaceId, botId, id),
      )
    await grant(top)
    expect(await found()).toStrictEqual([top, inside].sort())
    expect((await findAll(caller, { query: 'quail', sort: { property: 'relevance' } })).sort()).toStrictEqual(
      [top, inside].sort(),
    )
    await grant(inside)
    await grant(outside)
    expect(await found()).toStrictEqual([top, inside, outside].sort())
  })

  it('200 for a member with the pages to which the nearest access rule gives access', async () => {
    const top = await makePage(owner, 'Rail top')
    const [middle, low] = [await makePage(owner, 'Rail middle', top), '']
    const leaf = await makePage(owner, `Rail leaf${low}`, middle)
    const allow = (item: string, subject: string, level: 'none' | 'read' | null): Promise<void> =>
      server.service.database.write((db) => setMemberAccess(db, workspaceId, item, subject, level, server.clock.now()))
    const found = async (): Promise<string[]> => (await findAll(member, { query: 'rail' })).sort()
    expect(await found()).toStrictEqual([top, middle, leaf].sort())
    await allow(top, 'everybody', 'none')
    expect(await found()).toStrictEqual([])
    await allow(middle, tomas.id, 'read')
    expect(await found()).toStrictEqual([middle, leaf].sort())
    await allow(middle, 'everybody', 'none')
    await allow(leaf, 'everybody', 'none')
    expect(await found()).toStrictEqual([middle])
  })

  it('200 for a guest with only the pages to which an access rule gives access', async () => {
    const top = await makePage(owner, 'Stork top')
    const below = await makePage(owner, 'Stork below', top)
    await makePage(owner, 'Stork elsewhere')
    await server.service.database.write((db) => setMemberAccess(db, workspaceId, top, tomas.id, 'read', server.clock.now()))
    expect(
      (await searchAs(server, memberOf(workspaceId, tomas.id, 'guest'), { query: 'stork' }, PAGE)).results
        .map(({ id }) => id)
        .sort(),
    ).toStrictEqual([top, below].sort())
  })

  it('200 without anything of another workspace', async () => {
    const stranger = '7d9f21b3-0c55-4a8f-8e0b-16f0a3c9d201'
    await server.service.database.write(async (db) => {
      await db.run('insert into workspaces (id, name, created_time) values (?, ?, 1)', stranger, 'Elsewhere')
      const id = 'a2c05b9e-1f7d-4c3a-b6e8-90d4f1725c33'
      const title = [{ type: 'text', text: { content: 'Toucan' } }]
      const location = { parentId: stranger, aboveId: stranger, lastEditedTime: 1, inTrash: false }
      await addTitles(db, stranger, [{ id, kind: 'page', title, ...location }])
    })
    expect(await findAll(owner, { query: 'toucan' })).toStrictEqual([])
  })

  it('403 without the capability to read content, whatever the body contains', async () => {
    const { caller } = await makeConnection(server, { capabilities: ['insert_content'], grants: [workspaceId] })
    expectError(await search(caller, { query: 'quail' }), 403, 'restricted_resource')
    expectError(await search(caller, { queries: 1 }), 403, 'restricted_resource')
  })

  it('401 without a token', async () => {
    expectError(await search(server.caller(undefined), {}), 401, 'unauthorized')
  })
})

describe('search: limits of the search depth', () => {
  it('200 with request_status incomplete when a limit is reached before any result is found', async () => {
    const top = await makePage(owner, 'Vulture top')
    const ids = [
      top,
      ...(await makePages(
        Array.from({ length: 9 }, (_, index) => `Vulture ${index}`),
        top,
      )),
    ]
    await server.service.database.write((db) => setMemberAccess(db, workspaceId, top, 'everybody', 'none', server.clock.now()))
    const actor = memberOf(workspaceId, tomas.id, 'member')
    const limits = { scanned: 1_000_000, checked: 100_000, batch: 2, hits: 1_600, sorted: 0, beforeWords: 0, withWords: 0 }
    expect((await searchAs(server, actor, { query: 'vulture' }, PAGE, limits)).request_status).toBeUndefined()
    for (const narrow of [{ scanned: 4 }, { checked: 4 }]) {
      expect(await searchAs(server, actor, { query: 'vulture' }, PAGE, { ...limits, ...narrow })).toMatchObject({
        results: [],
        has_more: false,
        next_cursor: null,
        request_status: { type: 'incomplete', incomplete_reason: 'query_result_limit_reached' },
      })
    }
    expect(ids).toHaveLength(10)
  })
})

describe('search: paging', () => {
  it('400 for a cursor with another query, filter or sort', async () => {
    await makePages(['Wren 1', 'Wren 2', 'Wren 3'])
    const body = { query: 'wren', page_size: 1 }
    const cursor = textAt((await search(owner, body)).body, 'next_cursor')
    expect((await search(owner, { ...body, start_cursor: cursor, page_size: 2 })).body).toMatchObject({ has_more: false })
    for (const other of [{ query: 'wre' }, { filter: { in_trash: false } }, { sort: { property: 'relevance' } }]) {
      expectInvalid(await search(owner, { ...body, ...other, start_cursor: cursor }), 'body.start_cursor')
    }
  })
})

describe('search: bad input', () => {
  it.each([
    ['body.filter.value', { filter: { property: 'object', value: 'database' } }],
    ['body.filter.property', { filter: { property: 'title', value: 'page' } }],
    ['body.filter.value', { filter: { property: 'object' } }],
    ['body.filter', { filter: {} }],
    ['body.sort', { sort: { timestamp: 'last_edited_time' } }],
    ['body.sort', { sort: { timestamp: 'created_time', direction: 'ascending' } }],
    ['body.sort', { sort: { timestamp: 'last_edited_time', direction: 'up' } }],
    ['body.sort', { sort: { property: 'title' } }],
    ['body.page_size', { page_size: 101 }],
    ['body.page_size', { page_size: 0 }],
    ['body.queries', { queries: 'x' }],
    ['body.query', { query: 7 }],
    ['body.query.length', { query: 'x'.repeat(2001) }],
    ['body.start_cursor', { start_cursor: 'nothing' }],
  ])('400 at %s', async (location, body) => {
    const response = await search(owner, body)
    expectError(response, 400, 'validation_error')
    expect(response.body['message']).toContain(location)
  })

  it('200 for search operators and special characters', async () => {
    for (const query of [
      `a" OR "b`,
      `'; drop table titles; --`,
      `a & !b | (c`,
      `NEAR(a b)`,
      `x:*`,
      '%',
      '_',
      '\\',
      'AND',
      '\u0000a',
      '\ud800',
    ]) {
      expect((await search(owner, { query })).status, query).toBe(200)
    }
  })
})
