import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { sweep } from '../../harness/sweeps.ts'
import { keepViewQuery } from '../../../server/domain/data/views/queries.ts'
import { makeConnection } from '../../harness/connections.ts'
import { makeRow } from '../../harness/databases_content.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { idOf, resultsOf, textAt, type JsonObject } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'
import { createViewQuery, deleteView, deleteViewQuery, listResults, makeView, updateView } from '../../harness/views.ts'
import { makeRowsByCost } from './support/rows_by_cost.ts'

const server = await serverOfFile()
const { page, tracker, rows, byCost } = await makeRowsByCost(server)

const idsOf = (body: JsonObject): string[] => resultsOf(body).map(idOf)

describe('listViewQueryResults', () => {
  it('200 with further pages, or the first one again, without later changes', async () => {
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

  it('200 with the incomplete status on every page when there were more rows than are kept', async () => {
    const reader = await makeConnection(server, { capabilities: ['read_content'], grants: [page] })
    const many = Array.from({ length: 10_000 }, () => randomUUID())
    const { database } = server.service
    const cursors = { of: () => ({ encodeId: (id: string) => id }) } as never
    const actor = { workspaceId: exampleWorkspace.workspace.id, userId: reader.botId, connectionId: reader.connectionId } as never
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

  it('404 when the query has expired, and then its row is deleted', async () => {
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

  it('404 for a query of another view or connection, and for an unknown one', async () => {
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

  it('400 for a cursor of another query, an invalid cursor or page_size, and a malformed id', async () => {
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

  it('401 without a token and 403 without the capability, even if the query is missing', async () => {
    const query = randomUUID()
    expectError(await listResults(server.caller(undefined), byCost, query), 401, 'unauthorized')
    const writer = await makeConnection(server, { capabilities: ['update_content'], grants: [page] })
    expectError(await listResults(writer.caller, byCost, query), 403, 'restricted_resource')
  })
})
