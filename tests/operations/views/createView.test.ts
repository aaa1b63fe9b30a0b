import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { TestResponse } from '../../harness/responses.ts'
import { makeConnection } from '../../harness/connections.ts'
import { appendOne, children, makePage, paragraph } from '../../harness/content.ts'
import { makeDatabase } from '../../harness/databases_content.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { idOf, textAt } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'
import { createView, makeTracker, makeView, makeWidget, retrieveView, viewIds, widgetsOf } from '../../harness/views.ts'

const server = await serverOfFile()
const page = await makePage(server.owner, 'Parent')
const other = await makeTracker(server.owner, page)
const tracker = await makeTracker(server.owner, page, other.sourceId)

const create = (body: object = {}, caller = server.owner, made = tracker): Promise<TestResponse> => createView(caller, made, body)
const defaultTab = async (made: { id: string }): Promise<string> =>
  (await viewIds(server.owner, { database_id: made.id }))[0] ?? ''

describe('createView', () => {
  it('200 with a table without settings', async () => {
    const { status, body } = await create({ name: 'Shelf list' })
    expect(status).toBe(200)
    const id = idOf(body)
    const bot = textAt(body, 'created_by', 'id')
    expect({ ...body, request_id: null }).toStrictEqual({
      object: 'view',
      id,
      parent: { type: 'database_id', database_id: tracker.id },
      name: 'Shelf list',
      type: 'table',
      created_time: new Date(server.clock.now()).toISOString(),
      last_edited_time: new Date(server.clock.now()).toISOString(),
      url: expect.stringMatching(new RegExp(`/${tracker.id.replaceAll('-', '')}\\?v=${id.replaceAll('-', '')}$`)),
      data_source_id: tracker.sourceId,
      created_by: { object: 'user', id: bot },
      last_edited_by: { object: 'user', id: bot },
      filter: null,
      sorts: null,
      quick_filters: null,
      configuration: { type: 'table' },
      request_id: null,
    })
    expect({ ...(await retrieveView(server.owner, id)).body, request_id: null }).toStrictEqual({ ...body, request_id: null })
  })

  it('200 with a dashboard that has no data source', async () => {
    expect(await makeView(server.owner, tracker, { type: 'dashboard' })).toMatchObject({
      data_source_id: null,
      filter: null,
      configuration: { type: 'dashboard', rows: [] },
    })
  })

  it('200 with a tab at the start, at the end or after another tab', async () => {
    const made = await makeDatabase(server.owner, page)
    const first = await defaultTab(made)
    const end = idOf(await makeView(server.owner, made))
    const start = idOf(await makeView(server.owner, made, { position: { type: 'start' } }))
    const middle = idOf(
      await makeView(server.owner, made, { position: { type: 'after_view', view_id: first.replaceAll('-', '') } }),
    )
    const last = idOf(await makeView(server.owner, made, { position: { type: 'end' } }))
    expect(await viewIds(server.owner, { database_id: made.id })).toStrictEqual([start, first, middle, end, last])
    const after = idOf(await makeView(server.owner, made, { position: { type: 'after_view', view_id: last } }))
    expect((await viewIds(server.owner, { database_id: made.id })).at(-1)).toBe(after)
  })

  it('400 for a position after a view that is not a tab of the database, and for a position or placement that the target does not accept', async () => {
    const dashboard = idOf(await makeView(server.owner, tracker, { type: 'dashboard' }))
    const widget = idOf(await makeWidget(server.owner, tracker, dashboard))
    for (const view_id of [await defaultTab(other), randomUUID(), widget])
      expectInvalid(await create({ position: { type: 'after_view', view_id } }), 'body.position.view_id')
    expectInvalid(await create({ database_id: undefined, view_id: dashboard, position: { type: 'end' } }), 'body.position')
    expectInvalid(await create({ placement: { type: 'new_row' } }), 'body.placement')
  })

  it('200 with a linked view, and 400 for a form outside the owning database', async () => {
    const body = await makeView(server.owner, tracker, { database_id: other.id })
    expect(body).toMatchObject({ parent: { database_id: other.id }, data_source_id: tracker.sourceId })
    expectInvalid(await create({ database_id: other.id, type: 'form' }), 'body.database_id')
    const dashboard = idOf(await makeView(server.owner, other, { type: 'dashboard' }))
    expectInvalid(await create({ database_id: undefined, view_id: dashboard, type: 'form' }), 'body.view_id')
    const create_database = { parent: { type: 'page_id', page_id: page } }
    expectInvalid(await create({ database_id: undefined, create_database, type: 'form' }), 'body.create_database')
  })

  it('200 with a linked database on a page; 400 or 404 for an invalid position or parent', async () => {
    const target = await makePage(server.owner, 'Plan')
    const first = await appendOne(server.owner, target, paragraph('First'))
    await appendOne(server.owner, target, paragraph('Last'))
    server.clock.advance(1000)
    const parent = { type: 'page_id', page_id: target }
    const createWith = (create_database: object): Promise<TestResponse> => create({ database_id: undefined, create_database })
    const placed = await createWith({ parent, position: { type: 'after_block', block_id: first } })
    const atEnd = await createWith({ parent })
    const ids = [placed, atEnd].map(({ body }) => textAt(body, 'parent', 'database_id'))
    const below = (await children(server.owner, target)).map(idOf)
    expect([below[1], below[3]]).toStrictEqual(ids)
    const { body } = await server.owner.call('retrieveDatabase', { path: { database_id: ids[0] ?? '' } })
    expect(body).toMatchObject({ is_inline: true, data_sources: [], parent })
    expect(await viewIds(server.owner, { database_id: ids[0] ?? '' })).toStrictEqual([idOf(placed.body)])
    expect((await server.owner.call('retrievePage', { path: { page_id: target } })).body['last_edited_time']).toBe(
      new Date(server.clock.now()).toISOString(),
    )
    const elsewhere = await appendOne(server.owner, page, paragraph('Elsewhere'))
    for (const block_id of [elsewhere, randomUUID()])
      expectInvalid(
        await createWith({ parent, position: { type: 'after_block', block_id } }),
        'body.create_database.position.block_id',
      )
    const missing = randomUUID()
    expectNotFound(await createWith({ parent: { type: 'page_id', page_id: missing } }), missing)
    await server.owner.call('updatePage', { path: { page_id: target }, body: { in_trash: true } })
    expectInvalid(await createWith({ parent }), 'body.create_database.parent')
  })

  it('200 with widgets in rows; 400 when the row is full or missing, or the dashboard has 12 widgets', async () => {
    const dashboard = idOf(await makeView(server.owner, tracker, { type: 'dashboard' }))
    server.clock.advance(1000)
    const put = async (placement?: object): Promise<string> =>
      idOf(await makeWidget(server.owner, tracker, dashboard, { placement }))
    const refused = (placement: object): Promise<TestResponse> =>
      create({ database_id: undefined, view_id: dashboard, placement })
    expectInvalid(await refused({ type: 'existing_row', row_index: 0 }), 'body.placement.row_index')
    const a = await put()
    const b = await put({ type: 'existing_row', row_index: 0 })
    const c = await put({ type: 'new_row', row_index: 0 })
    const d = await put({ type: 'new_row' })
    expect(await widgetsOf(server.owner, dashboard)).toStrictEqual([
      [[c, 12]],
      [
        [a, 6],
        [b, 6],
      ],
      [[d, 12]],
    ])
    expect((await retrieveView(server.owner, dashboard)).body['last_edited_time']).toBe(
      new Date(server.clock.now()).toISOString(),
    )
    expect((await retrieveView(server.owner, a)).body).toMatchObject({
      dashboard_view_id: dashboard,
      parent: { database_id: tracker.id },
    })
    const e = await put({ type: 'existing_row', row_index: 1 })
    const f = await put({ type: 'existing_row', row_index: 1 })
    expect((await widgetsOf(server.owner, dashboard))[1]).toStrictEqual([a, b, e, f].map((id) => [id, 3]))
    expectInvalid(await refused({ type: 'existing_row', row_index: 1 }), 'body.placement.row_index')
    expectInvalid(await refused({ type: 'existing_row', row_index: 3 }), 'body.placement.row_index')
    expectInvalid(await refused({ type: 'new_row', row_index: 4 }), 'body.placement.row_index')
    expectInvalid(await refused({ type: 'new_row', row_index: -1 }), 'body.placement.row_index')
    for (let count = 6; count < 12; count += 1) await put({ type: 'new_row', row_index: 3 })
    expectInvalid(await refused({ type: 'new_row' }), 'body.view_id')
  })

  it('400 when the parent of a widget is not a dashboard, or the widget is a dashboard', async () => {
    expectInvalid(await create({ database_id: undefined, view_id: await defaultTab(tracker) }), 'body.view_id')
    const dashboard = idOf(await makeView(server.owner, tracker, { type: 'dashboard' }))
    expectInvalid(await create({ database_id: undefined, view_id: dashboard, type: 'dashboard' }), 'body.type')
  })

  it('200 with a partial view when the caller may not read content', async () => {
    const writer = await makeConnection(server, { capabilities: ['insert_content', 'update_content'], grants: [page] })
    const { body } = await create({}, writer.caller)
    expect({ ...body, request_id: null }).toStrictEqual({
      object: 'view',
      id: idOf(body),
      parent: { type: 'database_id', database_id: tracker.id },
      type: 'table',
      request_id: null,
    })
  })

  it('401 without a token, 403 with only one of the two capabilities, 404 when the target is not shared or of another kind', async () => {
    expectError(await create({}, server.caller(undefined)), 401, 'unauthorized')
    for (const capability of ['insert_content', 'update_content'] as const) {
      const half = await makeConnection(server, { capabilities: ['read_content', capability], grants: [page] })
      expectError(await create({}, half.caller), 403, 'restricted_resource')
    }
    const stranger = await makeConnection(server, { capabilities: ['insert_content', 'update_content'] })
    expectNotFound(await create({}, stranger.caller), tracker.id)
    const shared = await makeConnection(server, { capabilities: ['insert_content', 'update_content'], grants: [other.id] })
    expectNotFound(await create({ database_id: other.id }, shared.caller), tracker.sourceId)
    const hidden = idOf(await makeView(server.owner, tracker, { type: 'dashboard' }))
    expectNotFound(await create({ database_id: undefined, view_id: hidden }, shared.caller), hidden)
    for (const wrong of [randomUUID(), tracker.sourceId, page]) expectNotFound(await create({ database_id: wrong }), wrong)
    for (const wrong of [randomUUID(), tracker.id, page]) expectNotFound(await create({ data_source_id: wrong }), wrong)
  })

  it('400 at versions without views', async () => {
    const headers = { 'Service-Version': '2022-06-28' }
    const body = { database_id: tracker.id, data_source_id: tracker.sourceId, name: 'View', type: 'table' }
    expectError(await server.owner.call('createView', { body, headers }), 400, 'invalid_request_url')
    const response = await server.owner.call('createView', { body, headers: { 'Service-Version': '2025-09-03' } })
    expect(response.status).toBe(200)
  })
})
