import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { TestResponse } from '../../harness/responses.ts'
import { makeConnection } from '../../harness/connections.ts'
import { makePage } from '../../harness/content.ts'
import { makeDatabase, type MadeDatabase } from '../../harness/databases_content.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { at, idOf, textAt } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'
import { deleteView, makeView, makeWidget, viewIds } from '../../harness/views.ts'

/** Views over the data source of `own`, by location. */
const views: Record<'tab' | 'second' | 'widget' | 'linked' | 'hidden' | 'onPage', string> = {
  tab: '',
  second: '',
  widget: '',
  linked: '',
  hidden: '',
  onPage: '',
}
const server = await serverOfFile()
const page = await makePage(server.owner, 'Parent')
const hiddenPage = await makePage(server.owner, 'Hidden')
const own = await makeDatabase(server.owner, page)
const other = await makeDatabase(server.owner, page)
const hidden = await makeDatabase(server.owner, hiddenPage)
views.tab = (await viewIds(server.owner, { database_id: own.id }))[0] ?? ''
const next = async (body: object): Promise<string> => {
  server.clock.advance(1000)
  return idOf(await makeView(server.owner, own, body))
}
const dashboard = await next({ type: 'dashboard' })
server.clock.advance(1000)
views.widget = idOf(await makeWidget(server.owner, own, dashboard))
views.linked = await next({ database_id: other.id })
views.hidden = await next({ database_id: hidden.id })
views.second = await next({})
views.onPage = await next({ database_id: undefined, create_database: { parent: { type: 'page_id', page_id: page } } })

const list = (query: Record<string, string>, caller = server.owner): Promise<TestResponse> =>
  caller.call('listDatabaseViews', { query })

describe('listDatabaseViews', () => {
  it('200 with the readable views of a data source whose own database is in the trash', async () => {
    const made = await makeDatabase(server.owner, page)
    const before = await viewIds(server.owner, { database_id: made.id })
    await server.owner.call('updateDatabase', { path: { database_id: made.id }, body: { in_trash: true } })
    expect(before).toHaveLength(1)
    expect(await viewIds(server.owner, { data_source_id: made.sourceId })).toStrictEqual(before)
  })

  it('200 with the tabs of a database, without widgets', async () => {
    const { status, body } = await list({ database_id: own.id })
    expect(status).toBe(200)
    expect({ ...body, request_id: null }).toStrictEqual({
      object: 'list',
      type: 'view',
      view: {},
      results: [views.tab, dashboard, views.second].map((id) => ({ object: 'view', id })),
      has_more: false,
      next_cursor: null,
      request_id: null,
    })
  })

  it('200 with every view over a data source, by tabs and then by creation, with widgets last', async () => {
    expect(await viewIds(server.owner, { data_source_id: own.sourceId })).toStrictEqual([
      views.tab,
      views.onPage,
      views.linked,
      views.hidden,
      views.second,
      views.widget,
    ])
  })

  it('200 for both parameters together, with the tabs of one database over a data source', async () => {
    const both = (made: MadeDatabase): Promise<string[]> =>
      viewIds(server.owner, { database_id: made.id, data_source_id: own.sourceId })
    expect(await both(own)).toStrictEqual([views.tab, views.second])
    expect(await both(other)).toStrictEqual([views.linked])
  })

  it('200 for a data source, without its views in other databases that are hidden or in the trash', async () => {
    const guest = await makeConnection(server, { capabilities: ['read_content'], grants: [page] })
    const seen: string[] = []
    for (let cursor: string | undefined; ;) {
      const { body } = await list(
        { data_source_id: own.sourceId, page_size: '2', ...(cursor === undefined ? {} : { start_cursor: cursor }) },
        guest.caller,
      )
      seen.push(...[0, 1].flatMap((index) => at(body, 'results', index, 'id') ?? []).map(String))
      if (body['has_more'] !== true) break
      cursor = textAt(body, 'next_cursor')
    }
    expect(seen).toStrictEqual([views.tab, views.onPage, views.linked, views.second, views.widget])
    await server.owner.call('deleteBlock', { path: { block_id: other.id } })
    expect(await viewIds(server.owner, { data_source_id: own.sourceId })).not.toContain(views.linked)
    expect(await viewIds(server.owner, { database_id: other.id })).toContain(views.linked)
  })

  it("200 with the next page after earlier views were created or deleted, and 400 after the cursor's view was deleted", async () => {
    const made = await makeDatabase(server.owner, page)
    const more = [await makeView(server.owner, made), await makeView(server.owner, made)].map(idOf)
    const first = await list({ database_id: made.id, page_size: '2' })
    await makeView(server.owner, made, { position: { type: 'start' } })
    const cursor = { database_id: made.id, start_cursor: textAt(first.body, 'next_cursor') }
    expect((await list(cursor)).body['results']).toStrictEqual([{ object: 'view', id: more[1] }])
    await deleteView(server.owner, more[0] ?? '')
    expectInvalid(await list(cursor), 'query.start_cursor')
  })

  it('400 without any id, and for parameters that violate the contract', async () => {
    expectInvalid(await list({}), 'query.database_id')
    expectInvalid(await list({ database_id: 'x' }), 'query.database_id')
    expectInvalid(await list({ data_source_id: own.sourceId, page_size: '0' }), 'query.page_size')
    const headers = { 'Service-Version': '2022-06-28' }
    const query = { database_id: own.id }
    expectError(await server.owner.call('listDatabaseViews', { query, headers }), 400, 'invalid_request_url')
  })

  it('401 without a token, 403 without the capability, and 404 when the target is not shared or of another kind', async () => {
    expectError(await list({ database_id: own.id }, server.caller(undefined)), 401, 'unauthorized')
    const writer = await makeConnection(server, { capabilities: ['update_content'], grants: [page] })
    expectError(await list({ database_id: own.id }, writer.caller), 403, 'restricted_resource')
    const guest = await makeConnection(server, { capabilities: ['read_content'], grants: [page] })
    expectNotFound(await list({ database_id: hidden.id }, guest.caller), hidden.id)
    expectNotFound(await list({ data_source_id: hidden.sourceId }, guest.caller), hidden.sourceId)
    expectNotFound(await list({ database_id: own.id, data_source_id: hidden.sourceId }, guest.caller), hidden.sourceId)
    for (const wrong of [randomUUID(), own.sourceId]) expectNotFound(await list({ database_id: wrong }), wrong)
    for (const wrong of [randomUUID(), own.id]) expectNotFound(await list({ data_source_id: wrong }), wrong)
  })
})
