import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from '../../harness/answers.ts'
import { makeConnection } from '../../harness/connections.ts'
import { appendOne, children, makePage, paragraph } from '../../harness/content.ts'
import { makeDatabase } from '../../harness/databases_content.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { at, idOf, textAt, type JsonObject } from '../../harness/json.ts'
import { startTestServer, type TestServer } from '../../harness/server.ts'
import {
  createView,
  makeTracker,
  makeView,
  makeWidget,
  retrieveView,
  viewIds,
  widgetsOf,
  type Tracker,
} from '../../harness/views.ts'

let server: TestServer
let page: string
let tracker: Tracker
let other: Tracker
beforeAll(async () => {
  server = await startTestServer()
  page = await makePage(server.owner, 'Parent')
  other = await makeTracker(server.owner, page)
  tracker = await makeTracker(server.owner, page, other.sourceId)
})
afterAll(() => server.stop())

const create = (body: object = {}, caller = server.owner, made = tracker): Promise<Answer> => createView(caller, made, body)
const defaultTab = async (made: { id: string }): Promise<string> =>
  (await viewIds(server.owner, { database_id: made.id }))[0] ?? ''

describe('createView', () => {
  it('200 a table without settings (12.1)', async () => {
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

  it('200 names properties by name or id, and reads them by id (12.1, 12.4)', async () => {
    const { Stage = '', Due = '', Owner = '', Priority = '', Cost = '' } = tracker.columns
    const body = await makeView(server.owner, tracker, {
      filter: {
        and: [
          { property: 'Stage', type: 'status', status: { does_not_equal: ['Done'] } },
          {
            or: [
              { property: Due, date: { on_or_before: 'one_week_from_now' } },
              { timestamp: 'created_time', type: 'created_time', created_time: { past_week: {} } },
            ],
          },
        ],
      },
      sorts: [
        { property: 'Due', direction: 'ascending' },
        { timestamp: 'last_edited_time', direction: 'descending' },
        { property: 'created_time', direction: 'descending' },
      ],
      quick_filters: { Owner: { type: 'people', people: { contains: 'me' } }, [Priority]: { select: { equals: 'High' } } },
      configuration: {
        type: 'table',
        properties: [
          { property_id: 'Job', width: 1, wrap: true },
          { property_id: Stage, visible: false, status_show_as: 'checkbox' },
          { property_id: 'Due', date_format: 'relative', time_format: 'hidden' },
        ],
        group_by: { type: 'number', property_id: 'Cost', sort: { type: 'manual' }, range_size: 1, hide_empty_groups: true },
        subtasks: { property_id: 'Boat', display_mode: 'show', toggle_column_id: 'Job' },
        wrap_cells: true,
        frozen_column_index: 0,
      },
    })
    expect(body).toMatchObject({
      filter: {
        and: [
          { property: Stage, status: { does_not_equal: ['Done'] } },
          {
            or: [
              { property: Due, date: { on_or_before: 'one_week_from_now' } },
              { timestamp: 'created_time', created_time: { past_week: {} } },
            ],
          },
        ],
      },
      sorts: [
        { property: Due, direction: 'ascending' },
        { timestamp: 'last_edited_time', direction: 'descending' },
        { property: 'created_time', direction: 'descending' },
      ],
    })
    expect(at(body, 'filter', 'and', 0, 'type')).toBeUndefined()
    expect(body['quick_filters']).toStrictEqual({
      [Owner]: { people: { contains: 'me' } },
      [Priority]: { select: { equals: 'High' } },
    })
    expect(body['configuration']).toStrictEqual({
      type: 'table',
      properties: [
        { property_id: 'title', property_name: 'Job', width: 1, wrap: true },
        { property_id: Stage, property_name: 'Stage', visible: false, status_show_as: 'checkbox' },
        { property_id: Due, property_name: 'Due', date_format: 'relative', time_format: 'hidden' },
      ],
      group_by: {
        type: 'number',
        property_id: Cost,
        property_name: 'Cost',
        sort: { type: 'manual' },
        range_size: 1,
        hide_empty_groups: true,
      },
      subtasks: { property_id: tracker.columns['Boat'], display_mode: 'show', toggle_column_id: 'title' },
      wrap_cells: true,
      frozen_column_index: 0,
    })
  })

  it('200 ids that conditions name are read in their one spelling', async () => {
    const id = randomUUID()
    const plain = id.replaceAll('-', '').toUpperCase()
    const body = await makeView(server.owner, tracker, {
      quick_filters: {
        Boat: { relation: { contains: plain } },
        Owner: { people: { does_not_contain: plain } },
        Notes: { rich_text: { contains: plain } },
      },
    })
    const { Boat = '', Owner = '', Notes = '' } = tracker.columns
    expect(body['quick_filters']).toStrictEqual({
      [Boat]: { relation: { contains: id } },
      [Owner]: { people: { does_not_contain: id } },
      [Notes]: { rich_text: { contains: plain } },
    })
  })

  /** Configurations as they are written; columns by name, read back by id. */
  const configurations: [string, JsonObject, JsonObject?][] = [
    ['list', { properties: [{ property_id: 'Stage' }] }],
    [
      'gallery',
      { cover: { type: 'property', property_id: 'Photos' }, cover_size: 'small', cover_aspect: 'contain', card_layout: 'list' },
    ],
    ['gallery', { cover: { type: 'page_content' }, properties: [] }],
    ['calendar', { date_property_id: 'Due', view_range: 'week', show_weekends: false }],
    ['calendar', { date_property_id: 'Edited', properties: null, view_range: null }, { date_property_id: 'Edited' }],
    [
      'timeline',
      {
        date_property_id: 'Created',
        end_date_property_id: 'Due',
        table_properties: [{ property_id: 'Job', width: 240 }],
        show_table: true,
        color_by: false,
        preference: { zoom_level: '5_years', center_timestamp: 0 },
        arrows_by: { property_id: 'Boat' },
      },
    ],
    ['timeline', { date_property_id: 'Due', arrows_by: { property_id: null } }],
    ['map', { map_by: 'Dock', height: 'extra_large' }],
    ['form', { is_form_closed: false, anonymous_submissions: true, submission_permissions: 'comment_only' }],
    [
      'board',
      {
        group_by: { type: 'status', property_id: 'Stage', group_by: 'group', sort: { type: 'ascending' } },
        sub_group_by: { type: 'person', property_id: 'Owner', sort: { type: 'descending' } },
        properties: [{ property_id: 'Cost', card_property_width_mode: 'inline' }],
        cover: { type: 'page_cover' },
        card_layout: 'compact',
      },
    ],
    [
      'chart',
      {
        chart_type: 'column',
        x_axis: { type: 'date', property_id: 'Due', group_by: 'month', start_day_of_week: 1, sort: { type: 'ascending' } },
        y_axis: { aggregator: 'sum', property_id: 'Cost' },
        stack_by: { type: 'select', property_id: 'Priority', sort: { type: 'manual' } },
        sort: 'y_descending',
        y_axis_min: 0,
        y_axis_max: null,
        reference_lines: [{ id: 'line', value: 120, label: 'Capacity', color: 'red', dash_style: 'dash' }],
        caption: null,
        color_theme: null,
      },
      {
        chart_type: 'column',
        x_axis: { type: 'date', property_id: 'Due', group_by: 'month', start_day_of_week: 1, sort: { type: 'ascending' } },
        y_axis: { aggregator: 'sum', property_id: 'Cost' },
        stack_by: { type: 'select', property_id: 'Priority', sort: { type: 'manual' } },
        sort: 'y_descending',
        y_axis_min: 0,
        y_axis_max: null,
        reference_lines: [{ id: 'line', value: 120, label: 'Capacity', color: 'red', dash_style: 'dash' }],
        caption: null,
      },
    ],
    ['chart', { chart_type: 'number', value: { aggregator: 'count' }, hide_title: true, smooth_line: true }],
    [
      'chart',
      { chart_type: 'bar', x_axis_property_id: 'Job', y_axis_property_id: 'Cost' },
      { chart_type: 'bar', x_axis_property_id: 'Job', y_axis_property_id: 'Cost', x_axis: null, y_axis: null },
    ],
  ]
  it.each(configurations)('200 a %s with %j', async (type, configuration, read = configuration) => {
    const body = await makeView(server.owner, tracker, { type, configuration: { type, ...configuration } })
    expect(withoutNames(body['configuration'])).toStrictEqual(withIds({ type, ...read }))
  })

  it('200 the lines of a chart get ids (12.6)', async () => {
    const configuration = {
      type: 'chart',
      chart_type: 'line',
      reference_lines: [{ value: 1, label: 'A', color: 'red', dash_style: 'solid' }],
    }
    const body = await makeView(server.owner, tracker, { type: 'chart', configuration })
    expect(textAt(body, 'configuration', 'reference_lines', 0, 'id')).not.toBe('')
  })

  const groups: [string, string, object?][] = [
    ['select', 'Priority'],
    ['multi_select', 'Skills'],
    ['status', 'Stage', { group_by: 'option' }],
    ['person', 'Owner'],
    ['created_by', 'Author'],
    ['last_edited_by', 'Editor'],
    ['relation', 'Boat'],
    ['date', 'Due', { group_by: 'relative' }],
    ['created_time', 'Created', { group_by: 'day', start_day_of_week: 0 }],
    ['last_edited_time', 'Edited', { group_by: 'year' }],
    ['text', 'Notes', { group_by: 'exact' }],
    ['title', 'Job', { group_by: 'alphabet_prefix' }],
    ['url', 'Guide', { group_by: 'exact' }],
    ['email', 'Mail', { group_by: 'exact' }],
    ['phone_number', 'Phone', { group_by: 'exact' }],
    ['number', 'Cost', { range_start: -5, range_end: 5, range_size: 1 }],
    ['checkbox', 'Approved'],
  ]
  it.each(groups)('200 groups by %s, and 400 by a property of another type (12.5)', async (type, name, more = {}) => {
    const ask = (property: string): Promise<Answer> =>
      create({
        type: 'board',
        configuration: { type: 'board', group_by: { type, property_id: property, sort: { type: 'manual' }, ...more } },
      })
    const { body } = await ask(name)
    expect(at(body, 'configuration', 'group_by')).toStrictEqual({
      type,
      property_id: tracker.columns[name],
      property_name: name,
      sort: { type: 'manual' },
      ...more,
    })
    for (const wrong of ['Ticket', name === 'Cost' ? 'Due' : 'Cost', 'Nope', 'Checked', 'Start'])
      expectInvalid(await ask(wrong), 'body.configuration.group_by.property_id')
  })

  it('200 what is chosen without a configuration, 400 where nothing would do (14.26)', async () => {
    const { Stage, Due } = tracker.columns
    const defaults: [string, unknown][] = [
      [
        'board',
        {
          type: 'board',
          group_by: { type: 'status', property_id: Stage, property_name: 'Stage', group_by: 'option', sort: { type: 'manual' } },
        },
      ],
      ['calendar', { type: 'calendar', date_property_id: Due, date_property_name: 'Due' }],
      ['timeline', { type: 'timeline', date_property_id: Due, date_property_name: 'Due' }],
      ['list', { type: 'list' }],
      ['gallery', { type: 'gallery' }],
      ['form', { type: 'form' }],
      ['map', { type: 'map' }],
      ['dashboard', { type: 'dashboard', rows: [] }],
    ]
    for (const [type, expected] of defaults)
      expect((await makeView(server.owner, tracker, { type }))['configuration']).toStrictEqual(expected)
    expect((await makeView(server.owner, tracker, { type: 'chart' }))['configuration']).toMatchObject({
      chart_type: 'column',
      x_axis: { type: 'status', property_id: Stage },
      y_axis: { aggregator: 'count' },
    })

    const columns: [object, string, string][] = [
      [{ A: { people: {} }, B: { select: {} } }, 'select', 'B'],
      [{ A: { multi_select: {} }, B: { people: {} } }, 'person', 'B'],
      [
        { A: { relation: { data_source_id: other.sourceId, single_property: {} } }, B: { multi_select: {} } },
        'multi_select',
        'B',
      ],
      [{ A: { relation: { data_source_id: other.sourceId, single_property: {} } } }, 'relation', 'A'],
    ]
    for (const [properties, type, name] of columns) {
      const made = await makeDatabase(server.owner, page, properties)
      const body = await makeView(server.owner, made, { type: 'board' })
      expect(at(body, 'configuration', 'group_by')).toMatchObject({ type, property_name: name })
    }
    const timed = await makeDatabase(server.owner, page, { Made: { created_time: {} }, A: { select: {} }, B: { status: {} } })
    expect(at(await makeView(server.owner, timed, { type: 'calendar' }), 'configuration', 'date_property_name')).toBe('Made')
    expect(at(await makeView(server.owner, timed, { type: 'chart' }), 'configuration', 'x_axis', 'property_name')).toBe('A')
    const bare = await makeDatabase(server.owner, page)
    for (const type of ['board', 'calendar', 'timeline', 'chart'])
      expectInvalid(await create({ type }, server.owner, { ...bare, columns: {} }), 'body.configuration')
  })

  it('200 a dashboard reads without its data source', async () => {
    expect(await makeView(server.owner, tracker, { type: 'dashboard' })).toMatchObject({
      data_source_id: null,
      filter: null,
      configuration: { type: 'dashboard', rows: [] },
    })
  })

  it('200 a tab at the start, at the end or behind another (12.2)', async () => {
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

  it('400 a place that is not there (15)', async () => {
    const dashboard = idOf(await makeView(server.owner, tracker, { type: 'dashboard' }))
    const widget = idOf(await makeWidget(server.owner, tracker, dashboard))
    for (const view_id of [await defaultTab(other), randomUUID(), widget])
      expectInvalid(await create({ position: { type: 'after_view', view_id } }), 'body.position.view_id')
    expectInvalid(await create({ database_id: undefined, view_id: dashboard, position: { type: 'end' } }), 'body.position')
    expectInvalid(await create({ placement: { type: 'new_row' } }), 'body.placement')
  })

  it('200 a linked view, 400 a form outside the owning database (14.27)', async () => {
    const body = await makeView(server.owner, tracker, { database_id: other.id })
    expect(body).toMatchObject({ parent: { database_id: other.id }, data_source_id: tracker.sourceId })
    expectInvalid(await create({ database_id: other.id, type: 'form' }), 'body.database_id')
    const dashboard = idOf(await makeView(server.owner, other, { type: 'dashboard' }))
    expectInvalid(await create({ database_id: undefined, view_id: dashboard, type: 'form' }), 'body.view_id')
    const create_database = { parent: { type: 'page_id', page_id: page } }
    expectInvalid(await create({ database_id: undefined, create_database, type: 'form' }), 'body.create_database')
  })

  it('200 a linked database on a page (14.28)', async () => {
    const target = await makePage(server.owner, 'Plan')
    const first = await appendOne(server.owner, target, paragraph('First'))
    await appendOne(server.owner, target, paragraph('Last'))
    server.clock.advance(1000)
    const parent = { type: 'page_id', page_id: target }
    const ask = (create_database: object): Promise<Answer> => create({ database_id: undefined, create_database })
    const placed = await ask({ parent, position: { type: 'after_block', block_id: first } })
    const atEnd = await ask({ parent })
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
      expectInvalid(await ask({ parent, position: { type: 'after_block', block_id } }), 'body.create_database.position.block_id')
    const missing = randomUUID()
    expectNotFound(await ask({ parent: { type: 'page_id', page_id: missing } }), missing)
    await server.owner.call('updatePage', { path: { page_id: target }, body: { in_trash: true } })
    expectInvalid(await ask({ parent }), 'body.create_database.parent')
  })

  it('200 widgets in rows, 400 where there is no room (14.29)', async () => {
    const dashboard = idOf(await makeView(server.owner, tracker, { type: 'dashboard' }))
    server.clock.advance(1000)
    const put = async (placement?: object): Promise<string> =>
      idOf(await makeWidget(server.owner, tracker, dashboard, { placement }))
    const refused = (placement: object): Promise<Answer> => create({ database_id: undefined, view_id: dashboard, placement })
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

  it('400 a widget on what is no dashboard, or that is one (14.29)', async () => {
    expectInvalid(await create({ database_id: undefined, view_id: await defaultTab(tracker) }), 'body.view_id')
    const dashboard = idOf(await makeView(server.owner, tracker, { type: 'dashboard' }))
    expectInvalid(await create({ database_id: undefined, view_id: dashboard, type: 'dashboard' }), 'body.type')
  })

  it('400 no target, all three named, or one too many (15)', async () => {
    const none = await create({ database_id: undefined })
    for (const name of ['database_id', 'view_id', 'create_database']) expectInvalid(none, `body.${name}`)
    expectInvalid(await create({ view_id: randomUUID() }), 'body.view_id')
    expectInvalid(await create({ create_database: { parent: { page_id: page } } }), 'body.create_database')
  })

  const board = (group_by: object): object => ({ type: 'board', configuration: { type: 'board', group_by } })
  const chart = (more: object): object => ({ type: 'chart', configuration: { type: 'chart', chart_type: 'column', ...more } })
  const table = (more: object): object => ({ configuration: { type: 'table', ...more } })
  const columns = [{ property_id: 'Job' }, { property_id: 'Nope' }]
  it.each<[object, string]>([
    [{ name: '' }, 'body.name.length'],
    [{ name: undefined }, 'body.name'],
    [{ type: 'grid' }, 'body.type'],
    [{ data_source_id: undefined }, 'body.data_source_id'],
    [{ data_source_id: 'x' }, 'body.data_source_id'],
    [{ archived: true }, 'body.archived'],
    [{ configuration: { type: 'list' } }, 'body.configuration.type'],
    [{ type: 'dashboard', configuration: { type: 'table' } }, 'body.configuration.type'],
    [{ type: 'dashboard', configuration: { type: 'dashboard', rows: [] } }, 'body.configuration.type'],
    [{ type: 'board', configuration: { type: 'board' } }, 'body.configuration.group_by'],
    [{ type: 'calendar', configuration: { type: 'calendar' } }, 'body.configuration.date_property_id'],
    [{ type: 'timeline', configuration: { type: 'timeline' } }, 'body.configuration.date_property_id'],
    [{ type: 'chart', configuration: { type: 'chart' } }, 'body.configuration.chart_type'],
    [{ type: 'calendar', configuration: { type: 'calendar', date_property_id: 'Cost' } }, 'body.configuration.date_property_id'],
    [{ type: 'calendar', configuration: { type: 'calendar', date_property_id: 'Nope' } }, 'body.configuration.date_property_id'],
    [
      { type: 'timeline', configuration: { type: 'timeline', date_property_id: 'Due', end_date_property_id: 'Job' } },
      'body.configuration.end_date_property_id',
    ],
    [
      { type: 'timeline', configuration: { type: 'timeline', date_property_id: 'Due', table_properties: columns } },
      'body.configuration.table_properties[1].property_id',
    ],
    [
      { type: 'timeline', configuration: { type: 'timeline', date_property_id: 'Due', arrows_by: { property_id: 'Due' } } },
      'body.configuration.arrows_by.property_id',
    ],
    [{ type: 'map', configuration: { type: 'map', map_by: 'Job' } }, 'body.configuration.map_by'],
    [table({ properties: columns }), 'body.configuration.properties[1].property_id'],
    [table({ properties: [{ property_id: 'Job', width: 0 }] }), 'body.configuration.properties[0].width'],
    [table({ properties: [{ property_id: 'Job', property_name: 'Job' }] }), 'body.configuration.properties[0].property_name'],
    [table({ properties: Array.from({ length: 101 }, () => ({ property_id: 'Job' })) }), 'body.configuration.properties.length'],
    [table({ frozen_column_index: -1 }), 'body.configuration.frozen_column_index'],
    [table({ subtasks: { property_id: 'Job' } }), 'body.configuration.subtasks.property_id'],
    [table({ subtasks: { toggle_column_id: 'Nope' } }), 'body.configuration.subtasks.toggle_column_id'],
    [
      table({ group_by: { type: 'number', property_id: 'Cost', range_size: 0, sort: { type: 'ascending' } } }),
      'body.configuration.group_by.range_size',
    ],
    [
      { type: 'gallery', configuration: { type: 'gallery', cover: { type: 'property' } } },
      'body.configuration.cover.property_id',
    ],
    [
      { type: 'gallery', configuration: { type: 'gallery', cover: { type: 'property', property_id: 'Job' } } },
      'body.configuration.cover.property_id',
    ],
    [board({ type: 'status', property_id: 'Stage', sort: { type: 'manual' } }), 'body.configuration.group_by.group_by'],
    [board({ type: 'select', property_id: 'Priority' }), 'body.configuration.group_by.sort'],
    [chart({ y_axis: { aggregator: 'sum' } }), 'body.configuration.y_axis.property_id'],
    [chart({ y_axis: { aggregator: 'sum', property_id: 'Nope' } }), 'body.configuration.y_axis.property_id'],
    [chart({ x_axis_property_id: 'Nope' }), 'body.configuration.x_axis_property_id'],
    [
      chart({ stack_by: { type: 'select', property_id: 'Job', sort: { type: 'manual' } } }),
      'body.configuration.stack_by.property_id',
    ],
    [
      chart({ reference_lines: [{ value: 1, label: 'A', color: 'mauve', dash_style: 'dash' }] }),
      'body.configuration.reference_lines[0].color',
    ],
    [{ filter: { property: 'Nope', select: { equals: 'A' } } }, 'body.filter.property'],
    [{ filter: { and: [{ property: 'Cost', select: { equals: 'High' } }] } }, 'body.filter.and[0].select'],
    [{ filter: { property: 'Priority', select: { equals: 'Nope' } } }, 'body.filter.select.equals'],
    [{ filter: { property: 'Skills', multi_select: { contains: ['Rigging', 'Nope'] } } }, 'body.filter.multi_select.contains[1]'],
    [{ filter: { property: 'Due', date: { before: 'someday' } } }, 'body.filter.date.before'],
    [{ filter: { property: 'Owner', people: { contains: 'you' } } }, 'body.filter.people.contains'],
    [{ filter: { property: 'Start', rich_text: { is_empty: true } } }, 'body.filter.rich_text'],
    [{ filter: { property: 'Notes', rich_text: { equals: '' } } }, 'body.filter.rich_text.equals.length'],
    [{ filter: { property: 'Notes', rich_text: { is_empty: false } } }, 'body.filter.rich_text.is_empty'],
    [{ sorts: [{ property: 'Nope', direction: 'ascending' }] }, 'body.sorts[0].property'],
    [{ sorts: [{ property: 'Due' }] }, 'body.sorts[0].direction'],
    [{ sorts: [{ property: 'Start', direction: 'ascending' }] }, 'body.sorts[0].property'],
    [{ sorts: Array.from({ length: 101 }, () => ({ property: 'Due', direction: 'ascending' })) }, 'body.sorts.length'],
    [{ quick_filters: { Nope: { select: { equals: 'High' } } } }, 'body.quick_filters.Nope'],
    [{ quick_filters: { Cost: { select: { equals: 'High' } } } }, 'body.quick_filters.Cost.select'],
    [{ quick_filters: { Priority: null } }, 'body.quick_filters.Priority'],
  ])('400 %j (15)', async (body, place) => {
    expectInvalid(await create(body), place)
  })

  const sort = { type: 'manual' }
  const formulas: [string, JsonObject][] = [
    ['Total', { type: 'number', sort, range_size: 5 }],
    ['Label', { type: 'text', group_by: 'alphabet_prefix', sort }],
    ['Late', { type: 'checkbox', sort }],
    ['Ready', { type: 'date', group_by: 'week', start_day_of_week: 1, sort }],
  ]
  it.each(formulas)('200 groups by what the formula %s gives, 400 by anything else (12.5)', async (name, inner) => {
    const group = (group_by: object): object => ({ type: 'formula', property_id: name, group_by, hide_empty_groups: true })
    const { body } = await create(board(group(inner)))
    expect(at(body, 'configuration', 'group_by')).toStrictEqual({
      ...group(inner),
      property_id: tracker.columns[name],
      property_name: name,
    })
    for (const [other, wrong] of formulas)
      if (other !== name) expectInvalid(await create(board(group(wrong))), 'body.configuration.group_by.group_by.type')
  })

  it('200 and 400 dates that formulas and rollups give (12.4)', async () => {
    const calendar = (name: string): Promise<Answer> =>
      create({ type: 'calendar', configuration: { type: 'calendar', date_property_id: name } })
    for (const name of ['Ready', 'First']) {
      const { body } = await calendar(name)
      expect(at(body, 'configuration', 'date_property_name')).toBe(name)
    }
    for (const name of ['Total', 'Spent', 'Names']) expectInvalid(await calendar(name), 'body.configuration.date_property_id')
  })

  it('200 and 400 aggregators need a property that they work on (12.6)', async () => {
    const value = (aggregator: string, property_id: string): Promise<Answer> =>
      create({ type: 'chart', configuration: { type: 'chart', chart_type: 'number', value: { aggregator, property_id } } })
    const { body } = await value('count', 'Job')
    expect(at(body, 'configuration', 'value')).toStrictEqual({ aggregator: 'count', property_id: 'title' })
    const fitting: [string, string[], string[]][] = [
      ['sum', ['Cost', 'Total', 'Spent'], ['Job', 'Label', 'Names', 'First', 'Due']],
      ['range', ['Cost'], ['Approved']],
      ['earliest_date', ['Due', 'Created', 'Ready', 'First'], ['Cost', 'Total', 'Spent']],
      ['percent_checked', ['Approved', 'Late'], ['Cost', 'Total', 'Spent']],
      ['unique', ['Job', 'Names', 'Skills', 'Label'], ['Start']],
      ['percent_not_empty', ['Photos', 'Spent'], ['Start']],
    ]
    for (const [aggregator, good, bad] of fitting) {
      for (const name of good) expect((await value(aggregator, name)).status, `${aggregator} of ${name}`).toBe(200)
      for (const name of bad) expectInvalid(await value(aggregator, name), 'body.configuration.value.property_id')
    }
  })

  it('400 conditions on what formulas and rollups do not give (6.2.10, 6.2.11)', async () => {
    expectInvalid(
      await create({ filter: { property: 'Total', formula: { string: { equals: 'A' } } } }),
      'body.filter.formula.string',
    )
    const number = { rollup: { any: { number: { equals: 1 } } } }
    expectInvalid(await create({ quick_filters: { Spent: number } }), 'body.quick_filters.Spent.rollup.any')
    expect((await create({ filter: { property: 'Total', formula: { number: { equals: 1 } } } })).status).toBe(200)
    expect((await create({ quick_filters: { Spent: { rollup: { number: { equals: 1 } } } } })).status).toBe(200)
  })

  it('400 one property under two keys of the quick filters', async () => {
    const both = { Cost: { number: { equals: 1 } }, [tracker.columns['Cost'] ?? '']: { number: { equals: 2 } } }
    expectInvalid(await create({ quick_filters: both }), `body.quick_filters.${tracker.columns['Cost']}`)
  })

  it('400 a database or data source in the trash, and one with a thousand tabs', async () => {
    const made = await makeDatabase(server.owner, page)
    await server.service.database.write(async (db) => {
      const row = await db.get({ workspace_id: 'text' }, 'select workspace_id from views where database_id = ?', made.id)
      const columns =
        'data_source_id, dashboard_id, position, type, name, settings, created_time, created_by, last_edited_time, last_edited_by'
      const many = Array.from({ length: 999 }, () => randomUUID())
      const wanted = db.wanted(many)
      await db.run(
        `insert into views (workspace_id, id, database_id, ${columns})
         select v.workspace_id, wanted.id, v.database_id, ${columns
           .split(', ')
           .map((name) => `v.${name}`)
           .join(', ')}
         from ${wanted.table} cross join views v where v.workspace_id = ? and v.database_id = ?`,
        wanted.parameter,
        row?.workspace_id ?? '',
        made.id,
      )
    })
    expectInvalid(await createView(server.owner, made), 'body.database_id')
    await server.owner.call('deleteBlock', { path: { block_id: made.id } })
    expectInvalid(await createView(server.owner, made), 'body.database_id')
    expectInvalid(await createView(server.owner, made, { database_id: other.id }), 'body.data_source_id')
  })

  it('200 a partial view without read content', async () => {
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

  it('401, 403 and 404 (1, 14.8)', async () => {
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

  it('400 in versions without views (14.33)', async () => {
    const headers = { 'Service-Version': '2022-06-28' }
    const body = { database_id: tracker.id, data_source_id: tracker.sourceId, name: 'View', type: 'table' }
    expectError(await server.owner.call('createView', { body, headers }), 400, 'invalid_request_url')
    const answer = await server.owner.call('createView', { body, headers: { 'Service-Version': '2025-09-03' } })
    expect(answer.status).toBe(200)
  })
})

/** Columns by id where a configuration names them. */
function withIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withIds)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]: [string, unknown]) => [
      key,
      (key.endsWith('property_id') || key === 'map_by') && typeof entry === 'string' ? tracker.columns[entry] : withIds(entry),
    ]),
  )
}

/** What is read without the names of columns. */
function withoutNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNames)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !key.endsWith('property_name'))
      .map(([key, entry]: [string, unknown]) => [key, withoutNames(entry)]),
  )
}
