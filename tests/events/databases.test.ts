import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { makePage, text } from '../harness/content.ts'
import { columnsOf, makeDatabase, makeRow } from '../harness/databases_content.ts'
import { enumerationValues } from '../harness/enumerations.ts'
import { everyType, Listening, settle, type EventType } from '../harness/events.ts'
import { at, idOf, textAt } from '../harness/json.ts'
import { serverOfFile, TOKEN } from '../harness/server.ts'
import { createView, makeTracker, makeView, makeWidget, updateView } from '../harness/views.ts'

const OLD: readonly EventType[] = ['database.created', 'database.content_updated', 'database.schema_updated', 'database.deleted']

const server = await serverOfFile()
const { id: connectionId } = exampleWorkspace.connection
const types = everyType().filter((type) => !OLD.slice(1, 3).includes(type))
const listening = await Listening.start(server, { connectionId, types })
const old = await Listening.start(server, { connectionId, types: OLD, version: '2022-06-28' })
const parent = await makePage(server.owner, 'Parent')

const page = (id: string): object => ({ id, type: 'page' })
const database = (id: string): object => ({ id, type: 'database' })
const updateDatabase = (id: string, body: object): Promise<unknown> =>
  server.owner.call('updateDatabase', { path: { database_id: id }, body })
const updateSource = (id: string, body: object): Promise<unknown> =>
  server.owner.call('updateDataSource', { path: { data_source_id: id }, body })

describe('ids of properties in events', () => {
  it('are percent-encoded, as in responses', async () => {
    const { sourceId } = await makeDatabase(server.owner, parent)
    await updateSource(sourceId, { properties: { Cost: { number: {} } } })
    const row = idOf(await makeRow(server.owner, sourceId))
    const { id } = (await columnsOf(server.owner, sourceId))['Cost'] ?? {}
    const plant = `update data_sources set properties = replace(properties, ?, ?) where workspace_id = ? and id = ?`
    await server.service.database.write((db) =>
      db.run(plant, `"id":"${String(id)}"`, '"id":"a:;}"', exampleWorkspace.workspace.id, sourceId),
    )
    await settle(server)
    const written = await listening.eventsBy(() =>
      server.owner.call('updatePage', { path: { page_id: row }, body: { properties: { Cost: { number: 3 } } } }),
    )
    expect(written).toEqual([['page.properties_updated', row, expect.objectContaining({ updated_properties: ['a%3A%3B%7D'] })]])
    const renamed = await listening.eventsBy(() => updateSource(sourceId, { properties: { Cost: { name: 'Price' } } }))
    expect(at(renamed[0]?.[2], 'updated_properties', 0, 'id')).toBe('a%3A%3B%7D')
  })
})

describe('events of databases', () => {
  it('createDatabase causes database.created, which also names its data source, and view.created', async () => {
    let made = { id: '', sourceId: '' }
    const events = await listening.eventsBy(async () => {
      made = await makeDatabase(server.owner, parent)
      await makeRow(server.owner, made.sourceId)
    })
    expect(events.filter(([, id]) => id === made.id)).toEqual([['database.created', made.id, { parent: page(parent) }]])
    expect(events.filter(([type]) => type === 'view.created').map(([, , data]) => data)).toEqual([
      { parent: database(made.id), view_type: 'table' },
    ])
    expect(
      events.filter(([type]) => type === 'page.content_updated').map(([, id, data]) => [id, at(data, 'updated_blocks')]),
    ).toEqual([[parent, [database(made.id)]]])
  })

  it('createView causes database.created with an entity of type block when it creates a linked database', async () => {
    const made = await makeDatabase(server.owner, parent)
    const create_database = { parent: { type: 'page_id', page_id: parent } }
    const events = await listening.eventsBy(() => makeView(server.owner, made, { database_id: undefined, create_database }))
    expect(events.map(([type]) => type)).toEqual(['database.created', 'page.content_updated', 'view.created'])
    const [event] = (await listening.events()).filter(({ entity }) => entity.id === events[0]?.[1])
    expect(event?.entity.type).toBe('block')
  })

  it('every event of a linked database names it as a block', async () => {
    const [made, to] = [await makeDatabase(server.owner, parent), await makePage(server.owner, 'To')]
    const create_database = { parent: { type: 'page_id', page_id: parent } }
    const view = await makeView(server.owner, made, { database_id: undefined, create_database })
    const id = textAt(view, 'parent', 'database_id')
    for (const body of [{ parent: { page_id: to } }, { in_trash: true }, { in_trash: false }]) await updateDatabase(id, body)
    for (const body of [{ parent: { page_id: parent } }, { in_trash: true }, { in_trash: false }]) {
      await settle(server)
      await updateDatabase(id, body)
    }
    await settle(server)
    const own = (await listening.events()).filter(({ entity }) => entity.id === id)
    expect(own.map(({ type, entity }) => [type, entity.type])).toEqual([
      ['database.created', 'block'],
      ['database.moved', 'block'],
      ['database.deleted', 'block'],
      ['database.undeleted', 'block'],
    ])
  })

  it('updateDatabase causes database.moved, database.deleted and database.undeleted, but no event for a new title', async () => {
    const [{ id, sourceId }, to] = [await makeDatabase(server.owner, parent), await makePage(server.owner, 'To')]
    await makeRow(server.owner, sourceId)
    expect(await listening.eventsBy(() => updateDatabase(id, { title: [text('Other')], is_locked: true, icon: null }))).toEqual(
      [],
    )
    const own = async (body: object): Promise<unknown> =>
      (await listening.eventsBy(() => updateDatabase(id, body))).filter(([type]) => type !== 'page.content_updated')
    expect(await own({ parent: { page_id: to } })).toEqual([['database.moved', id, { parent: page(to) }]])
    expect(await own({ in_trash: true })).toEqual([['database.deleted', id, { parent: page(to) }]])
    expect(await own({ in_trash: false })).toEqual([['database.undeleted', id, { parent: page(to) }]])
  })
})

describe('events of data sources', () => {
  it('data_source.created reports an added data source, but not the first one of a database', async () => {
    const { id } = await makeDatabase(server.owner, parent)
    const events = await listening.eventsBy(() =>
      server.owner.call('createDataSource', { body: { parent: { database_id: id }, properties: { Name: { title: {} } } } }),
    )
    expect(events.map(([type, , data]) => [type, data])).toEqual([
      ['data_source.created', { parent: database(id) }],
      ['view.created', { parent: database(id), view_type: 'table' }],
    ])
  })

  it('data_source.schema_updated reports the final state of each property, on either side of a relation', async () => {
    const boats = await makeDatabase(server.owner, parent)
    const { sourceId } = await makeDatabase(server.owner, parent, { Cost: { number: {} }, Gone: { url: {} } })
    const before = await columnsOf(server.owner, sourceId)
    const change = (properties: object): Promise<unknown> => updateSource(sourceId, { properties })
    const events = await listening.eventsBy(async () => {
      await change({ Cost: { name: 'Price' }, Gone: null, Passing: { checkbox: {} } })
      await change({ Passing: null, Boat: { relation: { data_source_id: boats.sourceId, dual_property: {} } } })
      await change({ Boat: { description: 'Which one' } })
    })
    const after = await columnsOf(server.owner, sourceId)
    const opposite = Object.entries(await columnsOf(server.owner, boats.sourceId)).find(([name]) => name !== 'Name')
    const changes = Object.fromEntries(events.map(([, id, data]) => [id, at(data, 'updated_properties')]))
    expect(events.map(([type]) => type)).toEqual(['data_source.schema_updated', 'data_source.schema_updated'])
    expect(changes).toEqual({
      [sourceId]: [
        { id: textAt(before['Gone'], 'id'), name: null, action: 'deleted' },
        { id: textAt(before['Cost'], 'id'), name: 'Price', action: 'updated' },
        { id: textAt(after['Boat'], 'id'), name: 'Boat', action: 'created' },
      ],
      [boats.sourceId]: [{ id: textAt(opposite?.[1], 'id'), name: opposite?.[0], action: 'created' }],
    })
  })

  it('data_source.schema_updated reports a new type of a property, without events of pages', async () => {
    const { sourceId } = await makeDatabase(server.owner, parent, { Notes: { rich_text: {} } })
    await makeRow(server.owner, sourceId, { Notes: { rich_text: [text('7')] } })
    const events = await listening.eventsBy(() => updateSource(sourceId, { properties: { Notes: { number: {} } } }))
    expect(events.map(([type, id]) => [type, id])).toEqual([['data_source.schema_updated', sourceId]])
  })

  it('data_source.content_updated reports rows that are created, deleted or moved', async () => {
    const [from, to] = [await makeDatabase(server.owner, parent), await makeDatabase(server.owner, parent)]
    const row = idOf(await makeRow(server.owner, from.sourceId))
    const moved = await listening.eventsBy(() =>
      server.owner.call('movePage', { path: { page_id: row }, body: { parent: { data_source_id: to.sourceId } } }),
    )
    expect(moved.slice(2)).toEqual([['page.moved', row, { parent: { ...database(to.id), data_source_id: to.sourceId } }]])
    expect(Object.fromEntries(moved.slice(0, 2).map(([type, id, data]) => [id, [type, at(data, 'updated_blocks')]]))).toEqual({
      [from.sourceId]: ['data_source.content_updated', [page(row)]],
      [to.sourceId]: ['data_source.content_updated', [page(row)]],
    })
    const deleted = await listening.eventsBy(() => server.owner.call('deleteBlock', { path: { block_id: row } }))
    expect(deleted.map(([type, id]) => [type, id])).toEqual([
      ['data_source.content_updated', to.sourceId],
      ['page.deleted', row],
    ])
  })

  it('data_source.moved reports the new database; data_source.deleted and data_source.undeleted report trash and restoration', async () => {
    const [{ sourceId }, to] = [await makeDatabase(server.owner, parent), await makeDatabase(server.owner, parent)]
    const own = async (body: object): Promise<unknown> =>
      (await listening.eventsBy(() => updateSource(sourceId, body))).filter(([, id]) => id === sourceId)
    expect(await own({ parent: { database_id: to.id } })).toEqual([['data_source.moved', sourceId, { parent: database(to.id) }]])
    expect(await own({ in_trash: true })).toEqual([['data_source.deleted', sourceId, { parent: database(to.id) }]])
    expect(await own({ in_trash: false })).toEqual([['data_source.undeleted', sourceId, { parent: database(to.id) }]])
    expect(await own({ title: [text('Other words')] })).toEqual([])
  })
})

it('events have the version of their subscription, not that of the request; 2025-09-03 and 2026-03-11 have equal events', async () => {
  const types = everyType().filter((type) => !OLD.slice(1, 3).includes(type))
  const start = (version: '2025-09-03' | '2026-03-11'): Promise<Listening> =>
    Listening.start(server, { connectionId: exampleWorkspace.connection.id, types, version })
  const [middle, newest] = [await start('2025-09-03'), await start('2026-03-11')]
  const { id, sourceId } = await makeDatabase(server.owner, parent)
  const ids = [idOf(await makeRow(server.owner, sourceId))]
  for (const version of ['2021-08-16', '2022-06-28']) {
    const body = { parent: { database_id: id }, properties: {} }
    ids.push(idOf((await server.caller(TOKEN, version).call('createPage', { body })).body))
  }
  await settle(server)
  const events = async (listening: Listening): Promise<unknown[]> =>
    (await listening.events()).map((event) => ({ ...event, id: null, subscription_id: null, api_version: null }))
  expect(await events(middle)).toEqual(await events(newest))
  const rows = (await newest.events()).filter(({ type }) => type === 'page.created')
  expect(new Set(rows.map(({ entity }) => entity.id))).toEqual(new Set(ids))
  for (const row of rows)
    expect(row).toMatchObject({ api_version: '2026-03-11', data: { parent: { ...database(id), data_source_id: sourceId } } })
})

describe('events with api_version 2022-06-28', () => {
  it('report rows and properties of the database, and never name a data source', async () => {
    let made = { id: '', sourceId: '' }
    const created = await old.eventsBy(async () => {
      made = await makeDatabase(server.owner, parent)
      await makeRow(server.owner, made.sourceId)
    })
    expect(created).toEqual([['database.created', made.id, { parent: page(parent) }]])
    let row = ''
    const events = await old.eventsBy(async () => {
      row = idOf(await makeRow(server.owner, made.sourceId))
      await updateSource(made.sourceId, { properties: { Cost: { number: {} } } })
    })
    const cost = (await columnsOf(server.owner, made.sourceId))['Cost']
    expect(events).toEqual([
      ['database.content_updated', made.id, { parent: page(parent), updated_blocks: [page(row)] }],
      [
        'database.schema_updated',
        made.id,
        { parent: page(parent), updated_properties: [{ id: textAt(cost, 'id'), name: 'Cost', action: 'created' }] },
      ],
    ])
  })

  it('name only the database as the parent of a row', async () => {
    const rows = await Listening.start(server, {
      connectionId: exampleWorkspace.connection.id,
      types: ['page.created'],
      version: '2022-06-28',
    })
    const { id, sourceId } = await makeDatabase(server.owner, parent)
    const events = await rows.eventsBy(() => makeRow(server.owner, sourceId))
    expect(events.map(([, , data]) => data)).toEqual([{ parent: database(id) }])
  })

  it('omit rows and properties of a database with several data sources', async () => {
    const { id, sourceId } = await makeDatabase(server.owner, parent)
    await server.owner.call('createDataSource', { body: { parent: { database_id: id }, properties: { Name: { title: {} } } } })
    const events = await old.eventsBy(async () => {
      await makeRow(server.owner, sourceId)
      await updateSource(sourceId, { properties: { Cost: { number: {} } } })
    })
    expect(events).toEqual([])
  })
})

describe('events of views', () => {
  it('are view.created, view.updated with the changed parts, and view.deleted', async () => {
    const made = await makeDatabase(server.owner, parent)
    const { body } = await createView(server.owner, made, { type: 'list' })
    const id = idOf(body)
    const updated = await listening.eventsBy(async () => {
      await updateView(server.owner, id, { name: 'Renamed' })
      await updateView(server.owner, id, { sorts: [{ property: 'Name', direction: 'descending' }], name: 'Renamed' })
      await updateView(server.owner, id, { filter: { property: 'Name', title: { is_empty: true } } })
    })
    expect(updated).toEqual([['view.updated', id, { parent: database(made.id), updated_fields: ['name', 'sorts', 'filter'] }]])
    expect(await listening.eventsBy(() => updateView(server.owner, id, { name: 'Renamed' }))).toEqual([])
    const quick_filters = { Name: { title: { contains: 'keel' } } }
    const narrowed = await listening.eventsBy(() => updateView(server.owner, id, { quick_filters }))
    expect(narrowed).toEqual([['view.updated', id, { parent: database(made.id), updated_fields: ['filter'] }]])
    const property_id = textAt((await columnsOf(server.owner, made.sourceId))['Name'], 'id')
    const configuration = { type: 'list', properties: [{ property_id, visible: true }] }
    const configured = await listening.eventsBy(() => updateView(server.owner, id, { configuration }))
    expect(configured).toEqual([['view.updated', id, { parent: database(made.id), updated_fields: ['configuration'] }]])
    const deleted = await listening.eventsBy(() => server.owner.call('deleteView', { path: { view_id: id } }))
    expect(deleted).toEqual([['view.deleted', id, { parent: database(made.id) }]])
  })

  it("view.created contains the view's type, for every type", async () => {
    const made = await makeTracker(server.owner, parent)
    const types = enumerationValues('ViewType')
    const events = await listening.eventsBy(async () => {
      for (const type of types) await makeView(server.owner, made, { type })
    })
    const created = events.filter(([type]) => type === 'view.created').map(([, , data]) => at(data, 'view_type'))
    expect(created.toSorted()).toEqual(types.toSorted())
  })

  it('report a new widget as a change of its dashboard, and the deletion of all widgets with their dashboard', async () => {
    const made = await makeDatabase(server.owner, parent)
    const dashboard = idOf(await makeView(server.owner, made, { type: 'dashboard' }))
    let widget = ''
    const placed = await listening.eventsBy(async () => {
      widget = idOf(await makeWidget(server.owner, made, dashboard))
    })
    expect(placed).toEqual([
      ['view.created', widget, { parent: database(made.id), view_type: 'table' }],
      ['view.updated', dashboard, { parent: database(made.id), updated_fields: ['configuration'] }],
    ])
    const gone = await listening.eventsBy(() => server.owner.call('deleteView', { path: { view_id: dashboard } }))
    expect(new Set(gone.map(([type, id]) => `${type} ${id}`))).toEqual(
      new Set([`view.deleted ${widget}`, `view.deleted ${dashboard}`]),
    )
  })
})
