import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { story } from '../../../server/bootstrap/story.ts'
import { sweep } from '../../../server/jobs/sweeper.ts'
import { keepViewQuery } from '../../../server/domain/views/queries.ts'
import type { StoredProperty } from '../../../server/domain/properties/stored.ts'
import { makeConnection, makeMember } from '../../harness/connections.ts'
import { makePage } from '../../harness/content.ts'
import { makeRow } from '../../harness/databases_content.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { at, idOf, resultsOf, textAt, type JsonObject } from '../../harness/json.ts'
import { startTestServer, type TestServer } from '../../harness/server.ts'
import {
  changeColumns,
  createViewQuery,
  deleteView,
  deleteViewQuery,
  listResults,
  makeTracker,
  makeView,
  makeWidget,
  updateView,
  type Tracker,
} from '../../harness/views.ts'

let server: TestServer
let page: string
let tracker: Tracker
/** Rows in the order of their costs: 1 to 5. */
let rows: readonly string[]
/** All rows by cost. */
let byCost: string
beforeAll(async () => {
  server = await startTestServer()
  page = await makePage(server.owner, 'Parent')
  tracker = await makeTracker(server.owner, page)
  const made: [number, string][] = []
  for (const cost of [3, 1, 5, 2, 4]) {
    const row = await makeRow(server.owner, tracker.sourceId, {
      Cost: { number: cost },
      Priority: { select: { name: cost > 2 ? 'High' : 'Low' } },
      Approved: { checkbox: cost % 2 === 1 },
    })
    made.push([cost, idOf(row)])
  }
  rows = made.sort(([a], [b]) => a - b).map(([, id]) => id)
  byCost = idOf(await makeView(server.owner, tracker, { sorts: [{ property: 'Cost', direction: 'ascending' }] }))
})
afterAll(() => server.stop())

const idsOf = (body: JsonObject): string[] => resultsOf(body).map(idOf)
const run = async (id: string): Promise<string[]> => {
  const { status, body } = await createViewQuery(server.owner, id)
  expect({ status, body }).toMatchObject({ status: 200 })
  return idsOf(body)
}

describe('createViewQuery', () => {
  it('200 the first page, with the count of all (13, 14.34, 14.35)', async () => {
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
      const answer = await createViewQuery(server.owner, byCost, whole)
      expect(answer.body).toMatchObject({ total_count: 5, has_more: false, next_cursor: null })
      expect(idsOf(answer.body)).toStrictEqual(rows)
    }
  })

  it('200 filter and quick filters together choose the rows, sorts order them (13)', async () => {
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

  it('200 me is who runs the view (14.32)', async () => {
    const [{ id: ines }, { id: tomas }] = story.people
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

  it('200 charts, forms, maps and widgets give their rows; 400 a dashboard (14.39)', async () => {
    const filter = { property: 'Priority', select: { equals: 'Low' } }
    const dashboard = idOf(await makeView(server.owner, tracker, { type: 'dashboard' }))
    for (const type of ['chart', 'form', 'map']) {
      const view = idOf(await makeView(server.owner, tracker, { type, filter }))
      expect((await run(view)).sort()).toStrictEqual(rows.slice(0, 2).sort())
    }
    expect(await run(idOf(await makeWidget(server.owner, tracker, dashboard, { type: 'chart', filter })))).toHaveLength(2)
    expectInvalid(await createViewQuery(server.owner, dashboard), 'path.view_id')
  })

  it('200 what names properties or options that are gone has no say (14.13)', async () => {
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

  it('200 of a data source without rows', async () => {
    const empty = await makeTracker(server.owner, page)
    const view = idOf(await makeView(server.owner, empty))
    const { body } = await createViewQuery(server.owner, view)
    expect(body).toMatchObject({ total_count: 0, results: [], has_more: false, next_cursor: null })
    expect((await listResults(server.owner, view, idOf(body))).body).toMatchObject({ results: [], has_more: false })
  })

  it('400 page_size, an unknown key, an id that is none, a version without views (15)', async () => {
    for (const page_size of [0, 101, 1.5])
      expectInvalid(await createViewQuery(server.owner, byCost, { page_size }), 'body.page_size')
    expectInvalid(await createViewQuery(server.owner, byCost, { filter: {} }), 'body.filter')
    expectInvalid(await createViewQuery(server.owner, 'nope'), 'path.view_id')
    const headers = { 'Service-Version': '2022-06-28' }
    expectError(await server.owner.call('createViewQuery', { path: { view_id: byCost }, headers }), 400, 'invalid_request_url')
  })

  it('401, 403 and 404; 200 with read content alone', async () => {
    expectError(await createViewQuery(server.caller(undefined), byCost), 401, 'unauthorized')
    const writer = await makeConnection(server, { capabilities: ['update_content', 'insert_content'], grants: [page] })
    expectError(await createViewQuery(writer.caller, byCost), 403, 'restricted_resource')
    const stranger = await makeConnection(server, { capabilities: ['read_content'] })
    for (const wrong of [byCost, randomUUID()]) expectNotFound(await createViewQuery(stranger.caller, wrong), wrong)
    const reader = await makeConnection(server, { capabilities: ['read_content'], grants: [page] })
    expect((await createViewQuery(reader.caller, byCost)).status).toBe(200)
  })

  it('404 a data source in the trash, or one that the caller does not see', async () => {
    const own = await makeTracker(server.owner, page)
    const linked = idOf(await makeView(server.owner, own, { database_id: tracker.id }))
    const inside = idOf(await makeView(server.owner, own))
    const guest = await makeConnection(server, { capabilities: ['read_content'], grants: [tracker.id] })
    expectNotFound(await createViewQuery(guest.caller, linked), own.sourceId)
    await server.owner.call('deleteBlock', { path: { block_id: own.id } })
    for (const view of [linked, inside]) expectNotFound(await createViewQuery(server.owner, view), own.sourceId)
  })
})

describe('listViewQueryResults', () => {
  it('200 pages on from the first page, or from the beginning; later changes do not show (13, 14.38)', async () => {
    const view = idOf(await makeView(server.owner, tracker, { sorts: [{ property: 'Cost', direction: 'ascending' }] }))
    const { body } = await createViewQuery(server.owner, view, { page_size: 2 })
    const query = idOf(body)
    const added = idOf(await makeRow(server.owner, tracker.sourceId, { Cost: { number: 0 } }))
    await updateView(server.owner, view, { filter: { property: 'Cost', number: { equals: 0 } }, sorts: null })
    await server.owner.call('updatePage', { path: { page_id: rows[3] ?? '' }, body: { in_trash: true } })

    const rest = await listResults(server.owner, view, query, { start_cursor: textAt(body, 'next_cursor') })
    expect({ ...rest.body, request_id: null }).toStrictEqual({
      object: 'list',
      type: 'page',
      page: {},
      results: rows.slice(2).map((id) => ({ object: 'page', id })),
      has_more: false,
      next_cursor: null,
      request_id: null,
    })
    expect(idsOf((await listResults(server.owner, view, query)).body)).toStrictEqual(rows)
    const seen: string[] = []
    for (let cursor: string | undefined; ;) {
      const part = await listResults(server.owner, view, query, {
        page_size: '1',
        ...(cursor === undefined ? {} : { start_cursor: cursor }),
      })
      seen.push(...idsOf(part.body))
      if (part.body['has_more'] !== true) break
      cursor = textAt(part.body, 'next_cursor')
    }
    expect(seen).toStrictEqual(rows)
    for (const [id, in_trash] of [
      [rows[3] ?? '', false],
      [added, true],
    ] as const)
      await server.owner.call('updatePage', { path: { page_id: id }, body: { in_trash } })
  })

  it('200 says on every page that there were more rows than are kept (14.20, 14.34)', async () => {
    const reader = await makeConnection(server, { capabilities: ['read_content'], grants: [page] })
    const many = Array.from({ length: 10_000 }, () => randomUUID())
    const { database } = server.service
    const cursors = { of: () => ({ encodeId: (id: string) => id }) } as never
    const actor = { workspaceId: story.workspace.id, userId: reader.botId, connectionId: reader.connectionId } as never
    const kept = await database.write((db) =>
      keepViewQuery(
        { db, actor, cursors, now: server.clock.now() } as never,
        { viewId: byCost, ids: many, isIncomplete: true },
        2,
      ),
    )
    const request_status = { type: 'incomplete', incomplete_reason: 'query_result_limit_reached' }
    expect(kept).toMatchObject({ total_count: 10_000, has_more: true, request_status })
    const seen: string[] = []
    for (let cursor: string | undefined; ;) {
      const { body } = await listResults(
        reader.caller,
        byCost,
        kept.id,
        cursor === undefined ? { page_size: '99' } : { start_cursor: cursor },
      )
      expect(body['request_status']).toStrictEqual(request_status)
      seen.push(...idsOf(body))
      if (body['has_more'] !== true) break
      cursor = textAt(body, 'next_cursor')
    }
    expect(seen).toStrictEqual(many)
  })

  it('404 when its time is over, and forgotten by the sweeper (14.35, 14.36)', async () => {
    const { body } = await createViewQuery(server.owner, byCost)
    const query = idOf(body)
    server.clock.advance(15 * 60_000 - 1)
    expect((await listResults(server.owner, byCost, query)).status).toBe(200)
    server.clock.advance(1)
    expectNotFound(await listResults(server.owner, byCost, query), query)
    expectNotFound(await deleteViewQuery(server.owner, byCost, query), query)
    const later = idOf((await createViewQuery(server.owner, byCost)).body)
    const { database } = server.service
    await sweep(database, server.clock.now())
    const left = await database.read((db) => db.all({ id: 'text' }, 'select id from view_queries'))
    expect(left.map(({ id }) => id)).toStrictEqual([later])
    const pieces = await database.read((db) => db.all({ query_id: 'text' }, 'select query_id from view_query_pieces'))
    expect(pieces.map((piece) => piece.query_id)).toStrictEqual([later])
  })

  it('404 of another view, of another connection, or unknown (14.36, 14.37)', async () => {
    const other = idOf(await makeView(server.owner, tracker))
    const query = idOf((await createViewQuery(server.owner, byCost)).body)
    const reader = await makeConnection(server, { capabilities: ['read_content'], grants: [page] })
    expectNotFound(await listResults(server.owner, other, query), query)
    expectNotFound(await listResults(reader.caller, byCost, query), query)
    const unknown = randomUUID()
    expectNotFound(await listResults(server.owner, byCost, unknown), unknown)
    expect((await listResults(server.owner, byCost, query)).status).toBe(200)
    const stranger = await makeConnection(server, { capabilities: ['read_content'] })
    expectNotFound(await listResults(stranger.caller, byCost, query), byCost)
    await deleteView(server.owner, other)
    expectNotFound(await listResults(server.owner, other, query), other)
  })

  it('400 a cursor of another query, or garbage; page_size; ids that are none (15)', async () => {
    const [one, two] = [
      (await createViewQuery(server.owner, byCost, { page_size: 1 })).body,
      (await createViewQuery(server.owner, byCost, { page_size: 1 })).body,
    ]
    for (const cursor of [textAt(two, 'next_cursor'), randomUUID(), 'x'])
      expectInvalid(await listResults(server.owner, byCost, idOf(one), { start_cursor: cursor }), 'query.start_cursor')
    expectInvalid(await listResults(server.owner, byCost, idOf(one), { page_size: '0' }), 'query.page_size')
    expectInvalid(await listResults(server.owner, byCost, 'nope'), 'path.query_id')
    expectInvalid(await listResults(server.owner, 'nope', idOf(one)), 'path.view_id')
  })

  it('401 and 403', async () => {
    const query = randomUUID()
    expectError(await listResults(server.caller(undefined), byCost, query), 401, 'unauthorized')
    const writer = await makeConnection(server, { capabilities: ['update_content'], grants: [page] })
    expectError(await listResults(writer.caller, byCost, query), 403, 'restricted_resource')
  })
})

describe('deleteViewQuery', () => {
  it('200 forgets it, 404 from then on (14.36, 14.37)', async () => {
    const [first, second] = [await createViewQuery(server.owner, byCost), await createViewQuery(server.owner, byCost)].map(
      ({ body }) => idOf(body),
    )
    expect(first).not.toBe(second)
    const { status, body } = await deleteViewQuery(server.owner, byCost, first ?? '')
    expect(status).toBe(200)
    expect({ ...body, request_id: null }).toStrictEqual({ object: 'view_query', id: first, deleted: true, request_id: null })
    expectNotFound(await deleteViewQuery(server.owner, byCost, first ?? ''), first ?? '')
    expectNotFound(await listResults(server.owner, byCost, first ?? ''), first ?? '')
    expect((await listResults(server.owner, byCost, second ?? '')).status).toBe(200)
  })

  it('400, 401, 403 and 404', async () => {
    const query = idOf((await createViewQuery(server.owner, byCost)).body)
    expectInvalid(await deleteViewQuery(server.owner, byCost, 'nope'), 'path.query_id')
    expectError(await deleteViewQuery(server.caller(undefined), byCost, query), 401, 'unauthorized')
    const writer = await makeConnection(server, { capabilities: ['update_content'], grants: [page] })
    expectError(await deleteViewQuery(writer.caller, byCost, query), 403, 'restricted_resource')
    const reader = await makeConnection(server, { capabilities: ['read_content'], grants: [page] })
    expectNotFound(await deleteViewQuery(reader.caller, byCost, query), query)
    const other = idOf(await makeView(server.owner, tracker))
    expectNotFound(await deleteViewQuery(server.owner, other, query), query)
    expect((await listResults(server.owner, byCost, query)).status).toBe(200)
  })
})

describe('what is kept', () => {
  it('is bounded: beyond a thousand queries of one caller the oldest goes', async () => {
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
      const many = Array.from({ length: 998 }, () => [story.workspace.id, randomUUID(), ...rest])
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
