import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { hasOptions, type StoredProperty } from '../../../server/domain/data/properties/stored.ts'
import { makeConnection } from '../../harness/connections.ts'
import { makePage } from '../../harness/content.ts'
import { makeDatabase } from '../../harness/databases_content.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { at, idOf } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'
import { changeColumns, makeTracker, makeView, retrieveView, updateView, viewIds, type Tracker } from '../../harness/views.ts'

const server = await serverOfFile()
const page = await makePage(server.owner, 'Parent')

/** A board with columns in every setting that names one. */
async function fullBoard(tracker: Tracker): Promise<string> {
  return idOf(
    await makeView(server.owner, tracker, {
      type: 'board',
      filter: {
        or: [
          { property: 'Priority', select: { equals: 'High' } },
          { and: [{ property: 'Cost', number: { equals: 1 } }] },
          { timestamp: 'created_time', created_time: { past_week: {} } },
        ],
      },
      sorts: [
        { property: 'Cost', direction: 'ascending' },
        { property: 'Due', direction: 'ascending' },
      ],
      quick_filters: { Cost: { number: { equals: 1 } }, Approved: { checkbox: { equals: true } } },
      configuration: {
        type: 'board',
        group_by: { type: 'status', property_id: 'Stage', group_by: 'option', sort: { type: 'manual' } },
        sub_group_by: { type: 'number', property_id: 'Cost', sort: { type: 'ascending' } },
        properties: [{ property_id: 'Cost' }, { property_id: 'Job' }],
        cover: { type: 'property', property_id: 'Photos' },
      },
    }),
  )
}

describe('retrieveView', () => {
  it('200 with the default view of a database', async () => {
    const made = await makeDatabase(server.owner, page)
    const [id = '', ...others] = await viewIds(server.owner, { database_id: made.id })
    expect(others).toStrictEqual([])
    expect((await retrieveView(server.owner, id)).body).toMatchObject({
      name: 'Default view',
      type: 'table',
      data_source_id: made.sourceId,
      configuration: { type: 'table' },
    })
    const added = await server.owner.call('createDataSource', {
      body: { parent: { database_id: made.id }, properties: { Name: { title: {} } } },
    })
    const [first, second = ''] = await viewIds(server.owner, { database_id: made.id })
    expect(first).toBe(id)
    expect((await retrieveView(server.owner, second)).body).toMatchObject({ type: 'table', data_source_id: idOf(added.body) })
  })

  it('200 without deleted properties', async () => {
    const tracker = await makeTracker(server.owner, page)
    const { Cost, Stage, Priority = '', Due, Approved = '' } = tracker.columns
    const id = await fullBoard(tracker)
    await changeColumns(server, tracker.sourceId, (column) =>
      column.id === Cost || column.name === 'Photos' ? undefined : column,
    )
    const { body } = await retrieveView(server.owner, id)
    expect(body).toMatchObject({
      filter: {
        or: [
          { property: Priority, select: { equals: 'High' } },
          { timestamp: 'created_time', created_time: { past_week: {} } },
        ],
      },
      sorts: [{ property: Due, direction: 'ascending' }],
    })
    expect(at(body, 'filter', 'or')).toHaveLength(2)
    expect(body['quick_filters']).toStrictEqual({ [Approved]: { checkbox: { equals: true } } })
    expect(body['configuration']).toStrictEqual({
      type: 'board',
      group_by: { type: 'status', property_id: Stage, property_name: 'Stage', group_by: 'option', sort: { type: 'manual' } },
      properties: [{ property_id: 'title', property_name: 'Job' }],
    })
    await changeColumns(server, tracker.sourceId, (column) => (column.type === 'title' ? column : undefined))
    expect((await retrieveView(server.owner, id)).body).toMatchObject({
      filter: { or: [{ timestamp: 'created_time' }] },
      sorts: null,
      quick_filters: null,
      configuration: null,
    })
  })

  it.each(['calendar', 'timeline'])('200 without the configuration of a %s whose date was deleted', async (type) => {
    const tracker = await makeTracker(server.owner, page)
    const view = await makeView(server.owner, tracker, {
      type,
      filter: { and: [{ property: 'Due', date: { is_not_empty: true } }] },
      configuration: { type, date_property_id: 'Due', ...(type === 'timeline' ? { end_date_property_id: 'Created' } : {}) },
    })
    await changeColumns(server, tracker.sourceId, (column) => (column.name === 'Created' ? undefined : column))
    const configuration = { type, date_property_id: tracker.columns['Due'], date_property_name: 'Due' }
    expect((await retrieveView(server.owner, idOf(view))).body['configuration']).toStrictEqual(configuration)
    await changeColumns(server, tracker.sourceId, (column) => (column.name === 'Due' ? undefined : column))
    expect((await retrieveView(server.owner, idOf(view))).body).toMatchObject({ filter: null, configuration: null })
  })

  it('200 with charts, tables, maps and timelines that lose only optional settings of deleted properties', async () => {
    const related = await makeTracker(server.owner, page)
    const tracker = await makeTracker(server.owner, page, related.sourceId)
    const date = { type: 'date', property_id: 'Due', group_by: 'day', sort: { type: 'ascending' } }
    const { Job: title = '', Created = '' } = tracker.columns
    const cases: [string, object, object][] = [
      [
        'chart',
        { chart_type: 'bar', x_axis: date, y_axis: { aggregator: 'sum', property_id: 'Cost' } },
        { chart_type: 'bar', x_axis: null, y_axis: null },
      ],
      ['chart', { chart_type: 'number', value: { aggregator: 'sum', property_id: 'Cost' } }, { chart_type: 'number' }],
      [
        'chart',
        { chart_type: 'number', value: { aggregator: 'count', property_id: 'Cost' } },
        { chart_type: 'number', value: { aggregator: 'count' } },
      ],
      [
        'table',
        { group_by: date, subtasks: { property_id: 'Boat', toggle_column_id: 'Cost', display_mode: 'show' } },
        { subtasks: { display_mode: 'show' } },
      ],
      ['map', { map_by: 'Dock' }, {}],
      [
        'timeline',
        { date_property_id: 'Created', arrows_by: { property_id: 'Boat' } },
        { date_property_id: Created, date_property_name: 'Created', arrows_by: { property_id: null } },
      ],
      ['gallery', { cover: { type: 'page_cover', property_id: 'Cost' } }, { cover: { type: 'page_cover' } }],
    ]
    const ids: string[] = []
    for (const [type, configuration] of cases)
      ids.push(idOf(await makeView(server.owner, tracker, { type, configuration: { type, ...configuration } })))
    await changeColumns(server, tracker.sourceId, (column) =>
      column.id === title || column.name === 'Created' ? column : undefined,
    )
    for (const [index, [type, , read]] of cases.entries())
      expect((await retrieveView(server.owner, ids[index] ?? '')).body['configuration']).toStrictEqual({ type, ...read })
  })

  it('200 with a null configuration while the property that groups a board has another type', async () => {
    const tracker = await makeTracker(server.owner, page)
    const id = await fullBoard(tracker)
    const before = (await retrieveView(server.owner, id)).body
    let old: StoredProperty | undefined
    await changeColumns(server, tracker.sourceId, (column) => {
      if (column.name !== 'Stage') return column
      old = column
      const { id: columnId, name, description } = column
      return { id: columnId, name, description, type: 'rich_text' }
    })
    expect((await retrieveView(server.owner, id)).body['configuration']).toBeNull()
    await changeColumns(server, tracker.sourceId, (column) => (column.name === 'Stage' ? old : column))
    expect({ ...(await retrieveView(server.owner, id)).body, request_id: null }).toStrictEqual({ ...before, request_id: null })
  })

  it('200 with current names of options, and without a condition on a deleted one', async () => {
    const tracker = await makeTracker(server.owner, page)
    const { Stage = '', Priority = '' } = tracker.columns
    const view = await makeView(server.owner, tracker, {
      filter: {
        and: [
          { property: 'Stage', status: { does_not_equal: ['Done', 'In progress'] } },
          { property: 'Priority', select: { equals: 'High' } },
        ],
      },
      quick_filters: { Priority: { select: { does_not_equal: ['High'] } } },
    })
    const rename = (column: StoredProperty): StoredProperty => {
      if (!hasOptions(column)) return column
      const options = column.options.flatMap((option) =>
        option.name === 'High' || option.name === 'In progress'
          ? []
          : [option.name === 'Done' ? { ...option, name: 'Finished' } : option],
      )
      return { ...column, options } as StoredProperty
    }
    await changeColumns(server, tracker.sourceId, rename)
    const read = (await retrieveView(server.owner, idOf(view))).body
    expect(read['filter']).toStrictEqual({ and: [{ property: Stage, status: { does_not_equal: ['Finished'] } }] })
    expect(read['quick_filters']).toBeNull()
    const { body } = await updateView(server.owner, idOf(view), { quick_filters: { Priority: { select: { equals: 'Low' } } } })
    expect(body['quick_filters']).toStrictEqual({ [Priority]: { select: { equals: 'Low' } } })
  })

  it("200 with a property's new name, and with a new configuration that repairs the view", async () => {
    const tracker = await makeTracker(server.owner, page)
    const id = await fullBoard(tracker)
    await changeColumns(server, tracker.sourceId, (column) => (column.name === 'Stage' ? { ...column, name: 'State' } : column))
    expect(at((await retrieveView(server.owner, id)).body, 'configuration', 'group_by', 'property_name')).toBe('State')
    await changeColumns(server, tracker.sourceId, (column) => (column.name === 'State' ? undefined : column))
    const group_by = { type: 'checkbox', property_id: 'Approved', sort: { type: 'manual' } }
    await updateView(server.owner, id, { configuration: { type: 'board', group_by } })
    expect((await retrieveView(server.owner, id)).body['configuration']).toMatchObject({
      group_by: { property_id: tracker.columns['Approved'] },
      sub_group_by: { property_id: tracker.columns['Cost'] },
    })
  })

  it('200 without quick filters and configuration that refer to a data source which is not shared', async () => {
    const hidden = await makeTracker(server.owner, await makePage(server.owner, 'Hidden'))
    const tracker = await makeTracker(server.owner, page, hidden.sourceId)
    const body = {
      type: 'board',
      quick_filters: { Boat: { relation: { is_empty: true } } },
      configuration: { type: 'board', group_by: { type: 'relation', property_id: 'Boat', sort: { type: 'manual' } } },
    }
    const own = idOf(await makeView(server.owner, tracker, body))
    const linked = idOf(await makeView(server.owner, hidden, { database_id: tracker.id, type: 'board' }))
    const guest = await makeConnection(server, {
      capabilities: ['read_content', 'update_content', 'insert_content'],
      grants: [tracker.id],
    })
    for (const id of [own, linked])
      expect((await retrieveView(guest.caller, id)).body).toMatchObject({ quick_filters: null, configuration: null })
    const group_by = { type: 'relation', property_id: 'Boat', sort: { type: 'manual' } }
    expectInvalid(
      await updateView(guest.caller, own, { configuration: { type: 'board', group_by } }),
      'body.configuration.group_by.property_id',
    )
    expect((await updateView(guest.caller, own, { name: 'Renamed' })).status).toBe(200)
    expect(at((await retrieveView(server.owner, own)).body, 'configuration', 'group_by', 'property_name')).toBe('Boat')
  })

  it('200 for a view of a database in the trash', async () => {
    const made = await makeDatabase(server.owner, page)
    const [id = ''] = await viewIds(server.owner, { database_id: made.id })
    await server.owner.call('deleteBlock', { path: { block_id: made.id } })
    expect((await retrieveView(server.owner, id)).status).toBe(200)
    expectInvalid(await updateView(server.owner, id, { name: 'New' }), 'path.view_id')
  })

  it('400 for a malformed id or a version without views, 401 without a token, 403 without the capability, 404 when hidden or missing', async () => {
    const made = await makeDatabase(server.owner, page)
    const [id = ''] = await viewIds(server.owner, { database_id: made.id })
    expectInvalid(await retrieveView(server.owner, 'nope'), 'path.view_id')
    expectError(await retrieveView(server.caller(undefined), id), 401, 'unauthorized')
    const writer = await makeConnection(server, { capabilities: ['update_content'], grants: [page] })
    expectError(await retrieveView(writer.caller, id), 403, 'restricted_resource')
    const stranger = await makeConnection(server, { capabilities: ['read_content'] })
    const missing = randomUUID()
    for (const wrong of [missing, made.id, made.sourceId, page]) expectNotFound(await retrieveView(server.owner, wrong), wrong)
    const [unshared, unknown] = [await retrieveView(stranger.caller, id), await retrieveView(stranger.caller, missing)]
    expect(String(unshared.body['message']).replace(id, missing)).toBe(unknown.body['message'])
    const headers = { 'Service-Version': '2022-06-28' }
    expectError(await server.owner.call('retrieveView', { path: { view_id: id }, headers }), 400, 'invalid_request_url')
  })
})
