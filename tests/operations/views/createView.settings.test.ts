import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { TestResponse } from '../../harness/responses.ts'
import { makePage } from '../../harness/content.ts'
import { makeDatabase } from '../../harness/databases_content.ts'
import { expectInvalid } from '../../harness/expectations.ts'
import { at, textAt, type JsonObject } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'
import { createView, makeTracker, makeView } from '../../harness/views.ts'

const server = await serverOfFile()
const page = await makePage(server.owner, 'Parent')
const other = await makeTracker(server.owner, page)
const tracker = await makeTracker(server.owner, page, other.sourceId)

const create = (body: object = {}, caller = server.owner, made = tracker): Promise<TestResponse> => createView(caller, made, body)

describe('createView: settings', () => {
  it('200 with ids for properties sent by name or id', async () => {
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

  it('200 with ids in conditions in the standard spelling', async () => {
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

  /** Configurations as written; columns by name, returned by id. */
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
  it.each(configurations)('200 for a %s with %j', async (type, configuration, read = configuration) => {
    const body = await makeView(server.owner, tracker, { type, configuration: { type, ...configuration } })
    expect(withoutNames(body['configuration'])).toStrictEqual(withIds({ type, ...read }))
  })

  it('200 with ids for the lines of a chart', async () => {
    const configuration = {
      type: 'chart',
      chart_type: 'line',
      reference_lines: [{ value: 1, label: 'A', color: 'red', dash_style: 'solid' }],
    }
    const body = await makeView(server.owner, tracker, { type: 'chart', configuration })
    expect(textAt(body, 'configuration', 'reference_lines', 0, 'id')).not.toBe('')
  })

  it('200 with defaults without a configuration, and 400 when no default fits', async () => {
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

  it('200 or 400 for dates from formulas and rollups, depending on their result type', async () => {
    const calendar = (name: string): Promise<TestResponse> =>
      create({ type: 'calendar', configuration: { type: 'calendar', date_property_id: name } })
    for (const name of ['Ready', 'First']) {
      const { body } = await calendar(name)
      expect(at(body, 'configuration', 'date_property_name')).toBe(name)
    }
    for (const name of ['Total', 'Spent', 'Names']) expectInvalid(await calendar(name), 'body.configuration.date_property_id')
  })

  it('200 or 400 for aggregators, depending on the type of the property', async () => {
    const value = (aggregator: string, property_id: string): Promise<TestResponse> =>
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

  it('400 for conditions on result types that formulas and rollups do not have', async () => {
    expectInvalid(
      await create({ filter: { property: 'Total', formula: { string: { equals: 'A' } } } }),
      'body.filter.formula.string',
    )
    const number = { rollup: { any: { number: { equals: 1 } } } }
    expectInvalid(await create({ quick_filters: { Spent: number } }), 'body.quick_filters.Spent.rollup.any')
    expect((await create({ filter: { property: 'Total', formula: { number: { equals: 1 } } } })).status).toBe(200)
    expect((await create({ quick_filters: { Spent: { rollup: { number: { equals: 1 } } } } })).status).toBe(200)
  })

  it('400 for one property under two keys of the quick filters', async () => {
    const both = { Cost: { number: { equals: 1 } }, [tracker.columns['Cost'] ?? '']: { number: { equals: 2 } } }
    expectInvalid(await create({ quick_filters: both }), `body.quick_filters.${tracker.columns['Cost']}`)
  })
})

/** Replaces column names in a configuration by ids. */
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

/** Removes the names of columns. */
function withoutNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNames)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !key.endsWith('property_name'))
      .map(([key, entry]: [string, unknown]) => [key, withoutNames(entry)]),
  )
}
