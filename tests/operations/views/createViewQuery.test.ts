import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import type { StoredProperty } from '../../../server/domain/data/properties/stored.ts'
import { makeConnection, makeMember } from '../../harness/connections.ts'
import { makeRow } from '../../harness/databases_content.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { at, idOf, resultsOf, textAt, type JsonObject } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'
import {
  changeColumns,
  createViewQuery,
  listResults,
  makeTracker,
  makeView,
  makeWidget,
  updateView,
} from '../../harness/views.ts'
import { makeRowsByCost } from './support/rows_by_cost.ts'

const server = await serverOfFile()
const { page, tracker, rows, byCost } = await makeRowsByCost(server)

const idsOf = (body: JsonObject): string[] => resultsOf(body).map(idOf)
const run = async (id: string): Promise<string[]> => {
  const { status, body } = await createViewQuery(server.owner, id)
  expect({ status, body }).toMatchObject({ status: 200 })
  return idsOf(body)
}

describe('createViewQuery', () => {
  it('200 with the first page and the total count', async () => {
    const { status, body } = await createViewQuery(server.owner, byCost, { page_size: 2 })
    expect(status).toBe(200)
    expect({ ...body, request_id: null }).toStrictEqual({
      object: 'view_query',
      id: idOf(body),
      view_id: byCost,
      expires_at: new Date(server.clock.now() + 15 * 60_000).toISOString(),
      total_count: 5,
      results: rows.slice(0, 2).map((id) => ({ object: 'page', id })),
      next_cursor: textAt(body, 'next_cursor'),
      has_more: true,
      request_id: null,
    })
    for (const whole of [undefined, {}, { page_size: 5 }]) {
      const response = await createViewQuery(server.owner, byCost, whole)
      expect(response.body).toMatchObject({ total_count: 5, has_more: false, next_cursor: null })
      expect(idsOf(response.body)).toStrictEqual(rows)
    }
  })

  it('200 with rows that match both filter and quick filters, in the order of the sorts', async () => {
    const view = idOf(
      await makeView(server.owner, tracker, {
        filter: { or: [{ property: 'Cost', number: { greater_than: 1 } }] },
        quick_filters: { Priority: { select: { equals: 'High' } }, Approved: { checkbox: { equals: true } } },
        sorts: [{ property: 'Cost', direction: 'descending' }],
      }),
    )
    expect(await run(view)).toStrictEqual([rows[4], rows[2]])
    await updateView(server.owner, view, {
      quick_filters: { Approved: null },
      filter: { property: 'Cost', number: { less_than: 4 } },
    })
    expect(await run(view)).toStrictEqual([rows[2]])
  })

  it('200 with `me` as the caller who runs the view', async () => {
    const [{ id: ines }, { id: tomas }] = exampleWorkspace.people
    const mine = idOf(await makeRow(server.owner, tracker.sourceId, { Owner: { people: [{ id: tomas }] } }))
    const view = idOf(await makeView(server.owner, tracker, { quick_filters: { Owner: { people: { contains: 'me' } } } }))
    for (const [person, expected] of [
      [tomas, [mine]],
      [ines, []],
    ] as const) {
      const { body } = await createViewQuery(await makeMember(server, person), view)
      expect(idsOf(body)).toStrictEqual(expected)
    }
    await server.owner.call('updatePage', { path: { page_id: mine }, body: { in_trash: true } })
  })

  it('200 with the rows of charts, forms, maps and widgets, and 400 for a dashboard', async () => {
    const filter = { property: 'Priority', select: { equals: 'Low' } }
    const dashboard = idOf(await makeView(server.owner, tracker, { type: 'dashboard' }))
    for (const type of ['chart', 'form', 'map']) {
      const view = idOf(await makeView(server.owner, tracker, { type, filter }))
      expect((await run(view)).sort()).toStrictEqual(rows.slice(0, 2).sort())
    }
    expect(await run(idOf(await makeWidget(server.owner, tracker, dashboard, { type: 'chart', filter })))).toHaveLength(2)
    expectInvalid(await createViewQuery(server.owner, dashboard), 'path.view_id')
  })

  it('200 with conditions on deleted properties and options ignored', async () => {
    const own = await makeTracker(server.owner, page)
    const row = idOf(await makeRow(server.owner, own.sourceId, { Cost: { number: 1 } }))
    const view = idOf(
      await makeView(server.owner, own, {
        filter: {
          and: [
            { property: 'Cost', number: { equals: 1 } },
            { property: 'Guide', url: { is_not_empty: true } },
            { property: 'Skills', multi_select: { contains: 'Rigging' } },
          ],
        },
        quick_filters: { Mail: { email: { is_not_empty: true } } },
        sorts: [
          { property: 'Guide', direction: 'ascending' },
          { property: 'created_time', direction: 'ascending' },
        ],
      }),
    )
    expect(await run(view)).toStrictEqual([])
    await changeColumns(server, own.sourceId, (column) => {
      if (column.name === 'Guide' || column.name === 'Mail') return undefined
      return column.type === 'multi_select' ? ({ ...column, options: [] } as StoredProperty) : column
    })
    expect(await run(view)).toStrictEqual([row])
  })

  it('200 for a data source without rows', async () => {
    const empty = await makeTracker(server.owner, page)
    const view = idOf(await makeView(server.owner, empty))
    const { body } = await createViewQuery(server.owner, view)
    expect(body).toMatchObject({ total_count: 0, results: [], has_more: false, next_cursor: null })
    expect((await listResults(server.owner, view, idOf(body))).body).toMatchObject({ results: [], has_more: false })
  })

  it('400 for an invalid page_size, an unknown key, a malformed id, or a version without views', async () => {
    for (const page_size of [0, 101, 1.5])
      expectInvalid(await createViewQuery(server.owner, byCost, { page_size }), 'body.page_size')
    expectInvalid(await createViewQuery(server.owner, byCost, { filter: {} }), 'body.filter')
    expectInvalid(await createViewQuery(server.owner, 'nope'), 'path.view_id')
    const headers = { 'Service-Version': '2022-06-28' }
    expectError(await server.owner.call('createViewQuery', { path: { view_id: byCost }, headers }), 400, 'invalid_request_url')
  })

  it('401 without a token, 403 without the capability, 404 when hidden, and 200 with only the capability to read content', async () => {
    expectError(await createViewQuery(server.caller(undefined), byCost), 401, 'unauthorized')
    const writer = await makeConnection(server, { capabilities: ['update_content', 'insert_content'], grants: [page] })
    expectError(await createViewQuery(writer.caller, byCost), 403, 'restricted_resource')
    const stranger = await makeConnection(server, { capabilities: ['read_content'] })
    for (const wrong of [byCost, randomUUID()]) expectNotFound(await createViewQuery(stranger.caller, wrong), wrong)
    const reader = await makeConnection(server, { capabilities: ['read_content'], grants: [page] })
    expect((await createViewQuery(reader.caller, byCost)).status).toBe(200)
  })

  it('404 when the data source is in the trash or hidden from the caller', async () => {
    const own = await makeTracker(server.owner, page)
    const linked = idOf(await makeView(server.owner, own, { database_id: tracker.id }))
    const inside = idOf(await makeView(server.owner, own))
    const guest = await makeConnection(server, { capabilities: ['read_content'], grants: [tracker.id] })
    expectNotFound(await createViewQuery(guest.caller, linked), own.sourceId)
    await server.owner.call('deleteBlock', { path: { block_id: own.id } })
    for (const view of [linked, inside]) expectNotFound(await createViewQuery(server.owner, view), own.sourceId)
  })
})

describe('createViewQuery: stored queries', () => {
  it('are kept up to a thousand for one caller; the next one replaces the oldest', async () => {
    const reader = await makeConnection(server, { capabilities: ['read_content'], grants: [page] })
    const oldest = idOf((await createViewQuery(reader.caller, byCost)).body)
    server.clock.advance(1)
    const second = idOf((await createViewQuery(reader.caller, byCost)).body)
    await server.service.database.write(async (db) => {
      const columns = [
        'workspace_id',
        'id',
        'view_id',
        'owner_id',
        'total_count',
        'is_incomplete',
        'created_time',
        'expires_time',
      ]
      const later = server.clock.now() + 1
      const rest = [byCost, reader.connectionId, 0, 0, later, later + 60_000]
      const many = Array.from({ length: 998 }, () => [exampleWorkspace.workspace.id, randomUUID(), ...rest])
      await db.insert({ table: 'view_queries', columns, rows: many })
    })
    server.clock.advance(2)
    expect((await listResults(reader.caller, byCost, oldest)).status).toBe(200)
    expect((await createViewQuery(reader.caller, byCost)).status).toBe(200)
    expectNotFound(await listResults(reader.caller, byCost, oldest), oldest)
    expect((await listResults(reader.caller, byCost, second)).status).toBe(200)
    expect(at((await listResults(reader.caller, byCost, second)).body, 'results', 0, 'id')).toBe(rows[0])
  })
})
