import { describe, expect, it } from 'vitest'
import { makePage } from '../../harness/content.ts'
import { makeDatabase, makeRow } from '../../harness/databases_content.ts'
import { expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { at, idOf, resultsOf } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'
import { createView, createViewQuery, makeTracker, makeView, retrieveView, viewIds, type Tracker } from '../../harness/views.ts'

const server = await serverOfFile()
const page = await makePage(server.owner, 'Parent')

async function change(sourceId: string, body: object): Promise<void> {
  const response = await server.owner.call('updateDataSource', { path: { data_source_id: sourceId }, body })
  if (response.status !== 200) throw new Error(response.text)
}

/** The rows of a view. */
async function shown(id: string): Promise<string[]> {
  const { status, body } = await createViewQuery(server.owner, id)
  expect({ status, body }).toMatchObject({ status: 200 })
  return resultsOf(body).map(idOf)
}

const group = (property_id: string, type: string): object => ({ type, property_id, sort: { type: 'manual' } })

describe('updateDataSource: effects on views', () => {
  it('200 for a removed property, which disappears from filters, sorts, quick filters and columns', async () => {
    const tracker: Tracker = await makeTracker(server.owner, page)
    const row = idOf(await makeRow(server.owner, tracker.sourceId, { Cost: { number: 1 } }))
    const board = idOf(
      await makeView(server.owner, tracker, {
        type: 'board',
        filter: { property: 'Cost', number: { equals: 2 } },
        sorts: [{ property: 'Cost', direction: 'ascending' }],
        quick_filters: { Total: { formula: { number: { equals: 9 } } } },
        configuration: { type: 'board', group_by: group('Priority', 'select'), properties: [{ property_id: 'Cost' }] },
      }),
    )
    expect(await shown(board)).toStrictEqual([])
    await change(tracker.sourceId, { properties: { Cost: null } })
    expect((await retrieveView(server.owner, board)).body).toMatchObject({
      filter: null,
      sorts: null,
      configuration: { properties: [] },
    })
    // The formula depends on removed columns: its number cannot be requested any more.
    expect(await shown(board)).toStrictEqual([row])
    await change(tracker.sourceId, { properties: { Priority: null } })
    expect((await retrieveView(server.owner, board)).body['configuration']).toBeNull()
  })

  it('200 for a change of type, without the filter and configuration of a view that uses the property until the type is restored', async () => {
    const tracker = await makeTracker(server.owner, page)
    const row = idOf(await makeRow(server.owner, tracker.sourceId, { Priority: { select: { name: 'High' } } }))
    const view = idOf(
      await makeView(server.owner, tracker, {
        type: 'board',
        filter: { property: 'Priority', select: { equals: 'Low' } },
        configuration: { type: 'board', group_by: group('Priority', 'select') },
      }),
    )
    const before = (await retrieveView(server.owner, view)).body
    await change(tracker.sourceId, { properties: { Priority: { multi_select: {} } } })
    expect((await retrieveView(server.owner, view)).body).toMatchObject({ filter: null, configuration: null })
    expect(await shown(view)).toStrictEqual([row])
    await change(tracker.sourceId, { properties: { Priority: { select: {} } } })
    expect({ ...(await retrieveView(server.owner, view)).body, request_id: null }).toStrictEqual({ ...before, request_id: null })
    expect(await shown(view)).toStrictEqual([])
  })

  it('200 for a moved data source, which leaves linked views behind and gets a new view', async () => {
    const tracker = await makeTracker(server.owner, page)
    const target = await makeDatabase(server.owner, page)
    const before = await viewIds(server.owner, { database_id: tracker.id })
    const there = await viewIds(server.owner, { database_id: target.id })
    await change(tracker.sourceId, { parent: { database_id: target.id } })
    expect(await viewIds(server.owner, { database_id: tracker.id })).toStrictEqual(before)
    const [, made = ''] = await viewIds(server.owner, { database_id: target.id })
    expect(there).not.toContain(made)
    expect((await retrieveView(server.owner, made)).body).toMatchObject({ type: 'table', data_source_id: tracker.sourceId })
    expect(await viewIds(server.owner, { data_source_id: tracker.sourceId })).toStrictEqual([...before, made])
    expectInvalid(await createView(server.owner, tracker, { type: 'form' }), 'body.database_id')
  })

  it('400 for a new view, and 404 for a view query, when the data source is in the trash', async () => {
    const tracker = await makeTracker(server.owner, page)
    const [view = ''] = await viewIds(server.owner, { database_id: tracker.id })
    await change(tracker.sourceId, { in_trash: true })
    expect((await retrieveView(server.owner, view)).status).toBe(200)
    expectInvalid(await createView(server.owner, tracker), 'body.data_source_id')
    expectNotFound(await createViewQuery(server.owner, view), tracker.sourceId)
    await change(tracker.sourceId, { in_trash: false })
    expect(at((await createViewQuery(server.owner, view)).body, 'total_count')).toBe(0)
  })
})
