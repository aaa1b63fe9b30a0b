import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { setMemberAccess } from '../../../server/domain/people/sharing.ts'
import { touch } from '../../../server/store/blocks.ts'
import type { Transaction } from '../../../server/store/database.ts'
import { makeConnection, makeMember } from '../../harness/connections.ts'
import { append, makePage, paragraph, text } from '../../harness/content.ts'
import { makeDatabase, makeRow, type MadeDatabase } from '../../harness/databases_content.ts'
import { expectInvalid } from '../../harness/expectations.ts'
import { at, idOf, resultsOf, textAt } from '../../harness/json.ts'
import { serverOfFile, TOKEN } from '../../harness/server.ts'
import { findAll, search } from './support.ts'

const workspaceId = exampleWorkspace.workspace.id

const server = await serverOfFile()
const owner = server.owner
const parent = await makePage(owner, 'Slipway')

const write = (work: (db: Transaction) => Promise<unknown>): Promise<unknown> => server.service.database.write(work)
const of = (value: string, more: object = {}): object => ({ filter: { property: 'object', value, ...more } })
const inTrash = { filter: { in_trash: true } }

/** A database with a title of one word, created a second later than the previous one. */
async function databaseOf(word: string, on = parent): Promise<MadeDatabase> {
  server.clock.advance(1000)
  return makeDatabase(owner, on, {}, { title: [text(word)] })
}

/** Another data source. @returns its id */
async function addSource(databaseId: string, word: string): Promise<string> {
  server.clock.advance(1000)
  const body = {
    parent: { type: 'database_id', database_id: databaseId },
    title: [text(word)],
    properties: { Name: { title: {} } },
  }
  const response = await owner.call('createDataSource', { body })
  if (response.status !== 200) throw new Error(response.text)
  return idOf(response.body)
}

async function change(id: string, body: object): Promise<void> {
  server.clock.advance(1000)
  const response = await owner.call('updateDataSource', { path: { data_source_id: id }, body })
  if (response.status !== 200) throw new Error(response.text)
}

async function rowOf(sourceId: string, word: string): Promise<string> {
  server.clock.advance(1000)
  return idOf(await makeRow(owner, sourceId, { Name: { title: [text(word)] } }))
}

describe('search for data sources: matches', () => {
  it('200 with rows and full data sources, but without databases', async () => {
    const made = await databaseOf('Albatross')
    const row = await rowOf(made.sourceId, 'Albatross mended')
    const other = await addSource(made.id, 'More albatrosses')
    const response = await search(owner, { query: 'albatross' })
    const read = async (id: string): Promise<object> => {
      const { request_id: _id, ...source } = (await owner.call('retrieveDataSource', { path: { data_source_id: id } })).body
      return source
    }
    const { request_id: _id, ...page } = (await owner.call('retrievePage', { path: { page_id: row } })).body
    // The row was edited after its own data source, and before the other one was added.
    expect(resultsOf(response.body)).toStrictEqual([await read(other), page, await read(made.sourceId)])
    expect(await findAll(owner, { query: 'albatross', ...of('data_source') })).toStrictEqual([other, made.sourceId])
    expect(await findAll(owner, { query: 'albatross', ...of('page') })).toStrictEqual([row])
    const everything = await findAll(owner, {})
    for (const id of [made.sourceId, other, row]) expect(everything).toContain(id)
    expect(everything).not.toContain(made.id)
  })

  it('200 in the requested order, page by page', async () => {
    const exact = (await databaseOf('Bittern')).sourceId
    const prefix = (await databaseOf('Bittern nests')).sourceId
    const row = await rowOf(prefix, 'A bittern')
    const by = (sort: object): object => ({ query: 'bittern', sort })
    const edited = (direction: string): object => by({ timestamp: 'last_edited_time', direction })
    for (const size of [1, 2, 100]) {
      expect(await findAll(owner, { query: 'bittern' }, size)).toStrictEqual([row, prefix, exact])
      expect(await findAll(owner, edited('ascending'), size)).toStrictEqual([exact, prefix, row])
      expect(await findAll(owner, by({ property: 'relevance' }), size)).toStrictEqual([exact, prefix, row])
    }
  })

  it('400 for a cursor of another filter', async () => {
    const cursor = textAt((await search(owner, { ...of('data_source'), page_size: 1 })).body, 'next_cursor')
    expectInvalid(await search(owner, { ...of('page'), page_size: 1, start_cursor: cursor }), 'body.start_cursor')
  })

  it.each([
    ['body.filter.value', of('database')],
    ['body.filter.property', { filter: { property: 'kind', value: 'data_source' } }],
    ['body.sort', { ...of('data_source'), sort: { timestamp: 'last_edited_time' } }],
    ['body.sort', { ...of('data_source'), sort: { timestamp: 'created_time', direction: 'ascending' } }],
    ['body.page_size', { ...of('data_source'), page_size: 101 }],
    ['body.data_source', { data_source: 'x' }],
  ])('400 at %s', async (location, body) => {
    const response = await search(owner, body)
    expect([response.status, response.body['code']]).toStrictEqual([400, 'validation_error'])
    expect(response.body['message']).toContain(location)
  })
})

describe('search for data sources: current state', () => {
  it('200 with the current state after new titles, edits, trash, restorations and moves', async () => {
    const [from, to] = [await databaseOf('Curlew'), await databaseOf('Dotterel')]
    const id = await addSource(from.id, 'Curlew second')
    const row = await rowOf(id, 'Curlew row')
    const found = (): Promise<string[]> => findAll(owner, { query: 'curlew' })
    expect(await found()).toStrictEqual([row, id, from.sourceId])
    await write((db) => touch(db, workspaceId, [from.sourceId], exampleWorkspace.bot.id, server.clock.now() + 1))
    expect(await found()).toStrictEqual([from.sourceId, row, id])
    await change(id, { title: [text('Dunnock')] })
    expect(await findAll(owner, { query: 'dunnock' })).toStrictEqual([id])
    await change(id, { in_trash: true })
    expect(await findAll(owner, { query: 'curlew dunnock' })).toStrictEqual([from.sourceId])
    expect(await findAll(owner, { query: 'curlew dunnock', ...inTrash })).toStrictEqual([id])
    await change(id, { in_trash: false })
    await change(id, { parent: { database_id: to.id } })
    await owner.call('deleteBlock', { path: { block_id: from.id } })
    expect(await findAll(owner, { query: 'curlew dunnock' })).toStrictEqual([id, row])
    const { body } = await owner.call('updateDatabase', { path: { database_id: to.id }, body: { in_trash: true } })
    expect(body['in_trash']).toBe(true)
    expect(await findAll(owner, { query: 'curlew dunnock' })).toStrictEqual([])
    expect(await findAll(owner, { query: 'curlew dunnock', ...inTrash })).toStrictEqual([id, from.sourceId])
  })

  it("200 with a renamed database's title on its only data source", async () => {
    const made = await databaseOf('Egret')
    const body = { title: [text('Flamingo')] }
    await owner.call('updateDatabase', { path: { database_id: made.id }, body })
    expect(await findAll(owner, { query: 'egret flamingo' })).toStrictEqual([made.sourceId])
    expect(await findAll(owner, { query: 'egret' })).toStrictEqual([])
  })

  it('200 without the data sources of a trashed database; a restoration returns those that were not trashed before', async () => {
    const made = await databaseOf('Eider')
    const before = await addSource(made.id, 'Eider second')
    const row = await rowOf(made.sourceId, 'Eider row')
    const [live, trashed] = [{ query: 'eider' }, { query: 'eider', ...inTrash }]
    await change(before, { in_trash: true })
    await owner.call('deleteBlock', { path: { block_id: made.id } })
    expect(await findAll(owner, live)).toStrictEqual([])
    const response = await search(owner, trashed)
    expect(resultsOf(response.body).map((one) => [one['id'], one['in_trash']])).toStrictEqual([
      [before, true],
      [made.sourceId, true],
    ])
    await write((db) => touch(db, workspaceId, [made.sourceId], exampleWorkspace.bot.id, server.clock.now() + 1))
    expect(await findAll(owner, trashed)).toStrictEqual([made.sourceId, before])
    await owner.call('updateBlock', { path: { block_id: made.id }, body: { in_trash: false } })
    expect(await findAll(owner, live)).toStrictEqual([made.sourceId, row])
    expect(await findAll(owner, trashed)).toStrictEqual([before])
    server.clock.advance(1000)
    await owner.call('updatePage', { path: { page_id: row }, body: { in_trash: true } })
    expect(await findAll(owner, trashed)).toStrictEqual([row, before])
    await owner.call('deleteBlock', { path: { block_id: parent } })
    expect(await findAll(owner, live)).toStrictEqual([])
    expect(await findAll(owner, trashed)).toStrictEqual([row, before])
    await owner.call('updateBlock', { path: { block_id: parent }, body: { in_trash: false } })
  })
})

describe('search for data sources: visibility', () => {
  it('200 for a connection with data sources and rows below what is shared with the connection', async () => {
    const top = await makePage(owner, 'Fulmar top', parent)
    const [inside, outside] = [await databaseOf('Fulmar', top), await databaseOf('Fulmar elsewhere')]
    const rows = [await rowOf(inside.sourceId, 'Fulmar row'), await rowOf(outside.sourceId, 'Fulmar row elsewhere')]
    const below = await makePage(owner, 'Fulmar below', rows[0])
    const found = async (grant: string, body: object = { query: 'fulmar' }): Promise<string[]> => {
      const { caller } = await makeConnection(server, { capabilities: ['read_content'], grants: [grant] })
      return (await findAll(caller, body)).sort()
    }
    const all = [inside.sourceId, rows[0], below]
    expect(await found(inside.id)).toStrictEqual([...all].sort())
    expect(await found(inside.id, {})).toStrictEqual([...all].sort())
    expect(await found(top, { query: 'fulmar', sort: { property: 'relevance' } })).toStrictEqual([top, ...all].sort())
    expect(await found(rows[0] ?? '')).toStrictEqual([rows[0], below].sort())
    expect(await found(inside.id, of('data_source'))).toStrictEqual([inside.sourceId])
  })

  it('200 for a member with the data sources and rows to which the nearest access rule gives access', async () => {
    const top = await makePage(owner, 'Godwit top', parent)
    const made = await databaseOf('Godwit', top)
    const rows = [await rowOf(made.sourceId, 'Godwit 1'), await rowOf(made.sourceId, 'Godwit 2')]
    const tomas = exampleWorkspace.people[1].id
    const member = await makeMember(server, tomas)
    const allow = (item: string, subject: string, level: 'none' | 'read'): Promise<unknown> =>
      write((db) => setMemberAccess(db, workspaceId, item, subject, level, server.clock.now()))
    const found = async (): Promise<string[]> => (await findAll(member, { query: 'godwit' })).sort()
    expect(await found()).toStrictEqual([top, made.sourceId, ...rows].sort())
    await allow(top, 'everybody', 'none')
    expect(await found()).toStrictEqual([])
    await allow(made.id, tomas, 'read')
    expect(await found()).toStrictEqual([made.sourceId, ...rows].sort())
    await allow(rows[0] ?? '', 'everybody', 'none')
    expect(await found()).toStrictEqual([made.sourceId, rows[1]].sort())
  })
})

describe('search for data sources: older versions', () => {
  it('200 with databases instead of data sources', async () => {
    const [one, two] = [await databaseOf('Hobby'), await databaseOf('Hobby twice')]
    await addSource(two.id, 'Hobby third')
    const old = server.caller(TOKEN, '2022-06-28')
    const row = await rowOf(one.sourceId, 'Hobby row')
    const response = await search(old, { query: 'hobby', ...of('database') })
    expect(response.body['type']).toBe('page_or_database')
    expect(resultsOf(response.body).map((hit) => [hit['object'], hit['id'], hit['title'] === undefined])).toStrictEqual([
      ['database', two.id, true],
      ['database', two.id, true],
      ['database', one.id, false],
    ])
    expect((await search(old, { query: 'hobby', ...of('page') })).body).toMatchObject({
      results: [{ object: 'page', id: row, parent: { type: 'database_id', database_id: one.id } }],
    })
    expectInvalid(await search(old, of('data_source')), 'body.filter.value')
    const newer = await search(server.caller(TOKEN, '2025-09-03'), { query: 'hobby', ...of('data_source') })
    expect(newer.body).toMatchObject({ type: 'page_or_data_source', results: [{ archived: false }, {}, { id: one.sourceId }] })
  })
})

describe('search for data sources: titles from other sources', () => {
  it('200 with the first heading of Markdown, and without a page that was trashed by removing its tag', async () => {
    const make = await owner.call('createPage', { body: { parent: { page_id: parent }, markdown: '# Jackdaw\ntext' } })
    const page = idOf(make.body)
    const sub = await makePage(owner, 'Jackdaw below', page)
    const all = [sub, page].sort()
    expect((await findAll(owner, { query: 'jackdaw' })).sort()).toStrictEqual(all)
    const body = { type: 'replace_content', replace_content: { new_str: '# Magpie', allow_deleting_content: true } }
    expect((await owner.call('updatePageMarkdown', { path: { page_id: page }, body })).status).toBe(200)
    expect(await findAll(owner, { query: 'jackdaw' })).toStrictEqual([page])
    expect(await findAll(owner, { query: 'jackdaw', ...inTrash })).toStrictEqual([sub])
    expect(await findAll(owner, { query: 'magpie' })).toStrictEqual([])
  })

  it('200 with titles from a template, for the page and those inside it', async () => {
    const template = await makePage(owner, 'Kingfisher', parent)
    await makePage(owner, 'Kingfisher below', template)
    const body = { parent: { page_id: parent }, template: { type: 'template_id', template_id: template } }
    const copy = idOf((await owner.call('createPage', { body })).body)
    await expect.poll(() => findAll(owner, { query: 'kingfisher' })).toHaveLength(4)
    const found = resultsOf((await search(owner, { query: 'kingfisher' })).body)
    const copied = found.find((page) => at(page, 'parent', 'page_id') === copy)
    expect(copied).toMatchObject({ properties: { title: { title: [{ plain_text: 'Kingfisher below' }] } } })
    expect(found.map(idOf)).toContain(copy)
  })

  it('200 with the new visibility of a page and the pages below it after a move', async () => {
    const [from, to] = [await makePage(owner, 'Lark from', parent), await makePage(owner, 'Lark to', parent)]
    const page = await makePage(owner, 'Linnet', from, [paragraph('x')])
    const below = await makePage(owner, 'Linnet below', page)
    const made = await databaseOf('Linnets', to)
    const { caller } = await makeConnection(server, { capabilities: ['read_content'], grants: [to] })
    const found = async (): Promise<string[]> => (await findAll(caller, { query: 'linnet' })).sort()
    expect(await found()).toStrictEqual([made.sourceId])
    await owner.call('movePage', { path: { page_id: page }, body: { parent: { page_id: to } } })
    expect(await found()).toStrictEqual([made.sourceId, page, below].sort())
    await owner.call('movePage', { path: { page_id: page }, body: { parent: { page_id: from } } })
    expect(await found()).toStrictEqual([made.sourceId])
    await owner.call('movePage', { path: { page_id: page }, body: { parent: { data_source_id: made.sourceId } } })
    expect(await found()).toStrictEqual([made.sourceId, page, below].sort())
  })

  it('200 without matches in headings, which are not titles', async () => {
    const page = await makePage(owner, 'Nightjar', parent)
    await append(owner, page, [{ heading_1: { rich_text: [text('Nuthatch')] } }])
    expect(await findAll(owner, { query: 'nuthatch' })).toStrictEqual([])
  })
})
