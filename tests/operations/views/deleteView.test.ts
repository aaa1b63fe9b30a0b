import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { makeConnection } from '../../harness/connections.ts'
import { makePage } from '../../harness/content.ts'
import { makeDatabase } from '../../harness/databases_content.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { idOf } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'
import { deleteView, makeView, makeWidget, retrieveView, viewIds, widgetsOf } from '../../harness/views.ts'

const server = await serverOfFile()
const page = await makePage(server.owner, 'Parent')
const made = await makeDatabase(server.owner, page)
const first = (await viewIds(server.owner, { database_id: made.id }))[0] ?? ''

const make = async (body: object = {}): Promise<string> => idOf(await makeView(server.owner, made, body))

describe('deleteView', () => {
  it('200 with id, parent and type of the view, and 404 afterwards', async () => {
    const id = await make({ type: 'list' })
    const { status, body } = await deleteView(server.owner, id)
    expect(status).toBe(200)
    expect({ ...body, request_id: null }).toStrictEqual({
      object: 'view',
      id,
      parent: { type: 'database_id', database_id: made.id },
      type: 'list',
      request_id: null,
    })
    expectNotFound(await retrieveView(server.owner, id), id)
    expectNotFound(await deleteView(server.owner, id), id)
    expect(await viewIds(server.owner, { database_id: made.id })).toStrictEqual([first])
  })

  it('200 for a widget, removing it from its dashboard, with its row if that becomes empty', async () => {
    const dashboard = await make({ type: 'dashboard' })
    const a = idOf(await makeWidget(server.owner, made, dashboard))
    const b = idOf(await makeWidget(server.owner, made, dashboard))
    const c = idOf(await makeWidget(server.owner, made, dashboard, { placement: { type: 'existing_row', row_index: 1 } }))
    await deleteView(server.owner, a)
    expect(await widgetsOf(server.owner, dashboard)).toStrictEqual([
      [
        [b, 6],
        [c, 6],
      ],
    ])
    await deleteView(server.owner, c)
    expect(await widgetsOf(server.owner, dashboard)).toStrictEqual([[[b, 12]]])
    await deleteView(server.owner, b)
    expect(await widgetsOf(server.owner, dashboard)).toStrictEqual([])
  })

  it('200 for a dashboard with its widgets', async () => {
    const dashboard = await make({ type: 'dashboard' })
    const widget = idOf(await makeWidget(server.owner, made, dashboard))
    await deleteView(server.owner, dashboard)
    expectNotFound(await retrieveView(server.owner, widget), widget)
    expect(await viewIds(server.owner, { data_source_id: made.sourceId })).toStrictEqual([first])
  })

  it('400 for the last view of a database, not counting widgets', async () => {
    const single = await makeDatabase(server.owner, page)
    const [tab = ''] = await viewIds(server.owner, { database_id: single.id })
    expectInvalid(await deleteView(server.owner, tab), tab)
    const dashboard = idOf(await makeView(server.owner, single, { type: 'dashboard' }))
    const widget = idOf(await makeWidget(server.owner, single, dashboard))
    expect((await deleteView(server.owner, tab)).status).toBe(200)
    expectInvalid(await deleteView(server.owner, dashboard), dashboard)
    expect((await deleteView(server.owner, widget)).status).toBe(200)
  })

  it('400 when the view is in the trash or the id malformed', async () => {
    const trashed = await makeDatabase(server.owner, page)
    const view = idOf(await makeView(server.owner, trashed))
    await server.owner.call('deleteBlock', { path: { block_id: trashed.id } })
    expectInvalid(await deleteView(server.owner, view), 'path.view_id')
    expectInvalid(await deleteView(server.owner, 'nope'), 'path.view_id')
  })

  it('401 without a token, 403 without the capability, and 404 when the view is not shared', async () => {
    const id = await make()
    expectError(await deleteView(server.caller(undefined), id), 401, 'unauthorized')
    const reader = await makeConnection(server, { capabilities: ['read_content', 'insert_content'], grants: [page] })
    expectError(await deleteView(reader.caller, id), 403, 'restricted_resource')
    const stranger = await makeConnection(server, { capabilities: ['update_content'] })
    for (const wrong of [id, randomUUID()]) expectNotFound(await deleteView(stranger.caller, wrong), wrong)
  })
})
