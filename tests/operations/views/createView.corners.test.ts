import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { setMemberAccess } from '../../../server/domain/people/sharing.ts'
import { insertGrant } from '../../../server/store/grants.ts'
import { insertToken, tokenDigest } from '../../../server/store/tokens.ts'
import { insertUser } from '../../../server/store/users.ts'
import type { Caller } from '../../harness/caller.ts'
import { makeConnection, makeMember, type TestConnection } from '../../harness/connections.ts'
import { appendOne, makePage, paragraph } from '../../harness/content.ts'
import { makeDatabase, makeRow, type MadeDatabase } from '../../harness/databases_content.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { at, idOf, resultsOf } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'
import {
  columnIds,
  createView,
  createViewQuery,
  deleteView,
  listResults,
  makeView,
  makeWidget,
  retrieveView,
  updateView,
  viewIds,
} from '../../harness/views.ts'

const server = await serverOfFile()
const page = await makePage(server.owner, 'Parent')

const person = exampleWorkspace.people[1].id
const made = (properties: object = {}, parent = page): Promise<MadeDatabase> => makeDatabase(server.owner, parent, properties)
const allow = (id: string, level: 'none' | 'read' | 'edit'): Promise<void> =>
  server.service.database.write((db) => setMemberAccess(db, exampleWorkspace.workspace.id, id, person, level, 1))
const rowsOf = async (view: string, caller = server.owner): Promise<string[]> =>
  resultsOf((await createViewQuery(caller, view)).body).map(idOf)

async function change({ sourceId }: MadeDatabase, properties: object): Promise<void> {
  const response = await server.owner.call('updateDataSource', { path: { data_source_id: sourceId }, body: { properties } })
  expect(response.status, response.text).toBe(200)
}

/** Another bot of a connection, as for each person who authorizes it. */
async function anotherBot({ connectionId }: TestConnection, grant: string): Promise<Caller> {
  const [token, botId] = [`itk_${randomUUID().replaceAll('-', '')}`, randomUUID()]
  const now = server.clock.now()
  const workspaceId = exampleWorkspace.workspace.id
  const bot = { id: botId, kind: 'bot', name: 'Second', avatar_url: null, email: null, role: null } as const
  await server.service.database.write(async (db) => {
    await insertUser(db, workspaceId, { ...bot, connection_id: connectionId, created_time: now })
    await insertToken(db, { digest: tokenDigest(token), workspaceId, kind: 'installation', connectionId, userId: botId }, now)
    await insertGrant(db, workspaceId, botId, grant, now)
  })
  return server.caller(token)
}

describe('createView: ambiguous names', () => {
  it('200 for an option whose name is the id of another option', async () => {
    const jobs = await made({ Kind: { select: { options: [{ name: 'hull' }] } } })
    const { body: source } = await server.owner.call('retrieveDataSource', { path: { data_source_id: jobs.sourceId } })
    const id = String(at(source, 'properties', 'Kind', 'select', 'options', 0, 'id'))
    const hull = idOf(await makeView(server.owner, jobs, { filter: { property: 'Kind', select: { equals: 'hull' } } }))
    await change(jobs, { Kind: { select: { options: [{ name: id }, { name: 'hull' }] } } })
    const [row, other] = [
      idOf(await makeRow(server.owner, jobs.sourceId, { Kind: { select: { name: 'hull' } } })),
      idOf(await makeRow(server.owner, jobs.sourceId, { Kind: { select: { name: id } } })),
    ]
    expect(at((await retrieveView(server.owner, hull)).body, 'filter', 'select', 'equals')).toBe('hull')
    expect(await rowsOf(hull)).toStrictEqual([row])
    const named = await makeView(server.owner, jobs, { filter: { property: 'Kind', select: { equals: id } } })
    expect(at(named, 'filter', 'select', 'equals')).toBe(id)
    expect(await rowsOf(idOf(named))).toStrictEqual([other])
  })

  it('200 for a sort by creation time, which stays when a property gets that name', async () => {
    const jobs = await made({ Order: { number: {} } })
    const [first, second] = [
      idOf(await makeRow(server.owner, jobs.sourceId, { Order: { number: 2 } })),
      (server.clock.advance(60_000), idOf(await makeRow(server.owner, jobs.sourceId, { Order: { number: 1 } }))),
    ]
    const view = idOf(await makeView(server.owner, jobs, { sorts: [{ property: 'created_time', direction: 'ascending' }] }))
    expect(await rowsOf(view)).toStrictEqual([first, second])
    await change(jobs, { Order: { name: 'created_time' } })
    expect(await rowsOf(view)).toStrictEqual([first, second])
  })
})

describe('createView: stored conditions', () => {
  it('200 with ids in conditions of rollups in the standard spelling', async () => {
    const jobs = await made({ Owner: { people: {} } })
    await change(jobs, { To: { relation: { data_source_id: jobs.sourceId, single_property: {} } } })
    const rollup = { function: 'show_original', relation_property_name: 'To', rollup_property_name: 'Owner' }
    await change(jobs, { Owners: { rollup } })
    const condition = (id: string): object => ({ rollup: { any: { people: { contains: id } } } })
    const plain = person.replaceAll('-', '').toUpperCase()
    const view = await makeView(server.owner, jobs, { filter: { property: 'Owners', ...condition(plain) } })
    const { Owners } = await columnIds(server.owner, jobs.sourceId)
    expect(view['filter']).toStrictEqual({ property: Owners, ...condition(person) })
  })

  it('200 without a condition on a formula whose result type has changed', async () => {
    const jobs = await made({ Hours: { number: {} }, Twice: { formula: { expression: 'prop("Hours") * 2' } } })
    const [few, many] = [
      idOf(await makeRow(server.owner, jobs.sourceId, { Hours: { number: 1 } })),
      idOf(await makeRow(server.owner, jobs.sourceId, { Hours: { number: 5 } })),
    ]
    const over = { formula: { number: { greater_than: 4 } } }
    const views = [{ filter: { property: 'Twice', ...over } }, { quick_filters: { Twice: over } }]
    const ids = (await Promise.all(views.map((body) => makeView(server.owner, jobs, body)))).map(idOf)
    for (const id of ids) expect(await rowsOf(id)).toStrictEqual([many])
    await change(jobs, { Twice: { formula: { expression: '"twice"' } } })
    for (const id of ids) expect((await rowsOf(id)).toSorted()).toStrictEqual([few, many].toSorted())
  })

  it('200 with an empty list of conditions kept', async () => {
    const view = await makeView(server.owner, await made(), { filter: { and: [] } })
    expect(view['filter']).toStrictEqual({ and: [] })
  })
})

describe('createView: rights', () => {
  it('403 for changing or deleting a view or adding a widget as a reader of the database, and for a linked database on a read-only page', async () => {
    const jobs = await made()
    const view = idOf(await makeView(server.owner, jobs))
    const dashboard = idOf(await makeView(server.owner, jobs, { type: 'dashboard' }))
    const closed = await makePage(server.owner, 'Read only', page)
    const member = await makeMember(server, person)
    for (const id of [jobs.id, closed]) await allow(id, 'read')
    const onPage = { database_id: undefined, create_database: { parent: { type: 'page_id', page_id: closed } } }
    for (const response of [
      await updateView(member, view, { name: 'Mine' }),
      await createView(member, jobs, { database_id: undefined, view_id: dashboard }),
      await deleteView(member, view),
      await createView(member, jobs, onPage),
    ])
      expectError(response, 403, 'restricted_resource')
    expect((await retrieveView(server.owner, view)).body['name']).toBe('View')
    expect(at((await retrieveView(server.owner, dashboard)).body, 'configuration', 'rows')).toStrictEqual([])
  })

  it('404 for settings of a view over a hidden data source, and 200 for its name', async () => {
    const [hidden, jobs] = [await made({}, await makePage(server.owner, 'Hidden')), await made()]
    const linked = idOf(await makeView(server.owner, hidden, { database_id: jobs.id }))
    const guest = await makeConnection(server, { capabilities: ['read_content', 'update_content'], grants: [jobs.id] })
    const sorts = [{ property: 'created_time', direction: 'ascending' }]
    for (const body of [{ sorts }, { sorts: null }, { filter: null }])
      expectNotFound(await updateView(guest.caller, linked, body), hidden.sourceId)
    expect((await updateView(guest.caller, linked, { name: 'Mine' })).status).toBe(200)
  })

  it('400 when the tab to insert after is a widget or belongs to another database', async () => {
    const [jobs, other] = [await made(), await made()]
    const dashboard = idOf(await makeView(server.owner, jobs, { type: 'dashboard' }))
    const widget = idOf(await makeWidget(server.owner, jobs, dashboard))
    const elsewhere = idOf(await makeView(server.owner, other))
    for (const view_id of [widget, elsewhere])
      expectInvalid(await createView(server.owner, jobs, { position: { type: 'after_view', view_id } }), 'body.position.view_id')
  })

  it('400 when the block to insert after is in the trash', async () => {
    const jobs = await made()
    const target = await makePage(server.owner, 'Plan', page)
    const block_id = await appendOne(server.owner, target, paragraph('Gone'))
    await server.owner.call('deleteBlock', { path: { block_id } })
    const create_database = { parent: { type: 'page_id', page_id: target }, position: { type: 'after_block', block_id } }
    expectInvalid(
      await createView(server.owner, jobs, { database_id: undefined, create_database }),
      'body.create_database.position.block_id',
    )
  })
})

describe('contents of views', () => {
  it('404 for a view query below a trashed page, while the views of a trashed database are still listed', async () => {
    const around = await makePage(server.owner, 'Around')
    const jobs = await made({}, around)
    const [view = ''] = await viewIds(server.owner, { database_id: jobs.id })
    await server.owner.call('updatePage', { path: { page_id: around }, body: { in_trash: true } })
    expectNotFound(await createViewQuery(server.owner, view), jobs.sourceId)
    await server.owner.call('updatePage', { path: { page_id: around }, body: { in_trash: false } })
    await server.owner.call('deleteBlock', { path: { block_id: jobs.id } })
    expect(await viewIds(server.owner, { data_source_id: jobs.sourceId })).toStrictEqual([view])
  })

  it('200 without rows that are closed to a member', async () => {
    const jobs = await made()
    const [open, closed] = [idOf(await makeRow(server.owner, jobs.sourceId)), idOf(await makeRow(server.owner, jobs.sourceId))]
    await allow(closed, 'none')
    const [view = ''] = await viewIds(server.owner, { database_id: jobs.id })
    expect(await rowsOf(view, await makeMember(server, person))).toStrictEqual([open])
    expect(await rowsOf(view)).toHaveLength(2)
  })

  it('200 with a chart that still counts after the counted property is deleted', async () => {
    const jobs = await made({ Kind: { select: {} }, Cost: { number: {} } })
    const x_axis = { type: 'select', property_id: 'Kind', sort: { type: 'manual' } }
    const y_axis = { aggregator: 'count', property_id: 'Cost' }
    const configuration = { type: 'chart', chart_type: 'column', x_axis, y_axis }
    const chart = idOf(await makeView(server.owner, jobs, { type: 'chart', configuration }))
    const { Cost } = await columnIds(server.owner, jobs.sourceId)
    expect(at((await retrieveView(server.owner, chart)).body, 'configuration', 'y_axis', 'property_id')).toBe(Cost)
    await change(jobs, { Cost: null })
    expect(at((await retrieveView(server.owner, chart)).body, 'configuration', 'y_axis')).toStrictEqual({ aggregator: 'count' })
  })

  it('200 to a bot for the stored query of another bot of its connection', async () => {
    const jobs = await made()
    await makeRow(server.owner, jobs.sourceId)
    const [view = ''] = await viewIds(server.owner, { database_id: jobs.id })
    const connection = await makeConnection(server, { capabilities: ['read_content'], grants: [jobs.id] })
    const query = idOf((await createViewQuery(connection.caller, view)).body)
    const second = await anotherBot(connection, jobs.id)
    expect((await listResults(second, view, query)).status).toBe(200)
  })
})
