import { describe, expect, it } from 'vitest'
import { makePage } from '../../harness/content.ts'
import { expectInvalid } from '../../harness/expectations.ts'
import { idOf } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'
import { createView, makeTracker, makeView, retrieveView, updateView } from '../../harness/views.ts'

const server = await serverOfFile()
const page = await makePage(server.owner, 'Parent')
const tracker = await makeTracker(server.owner, page, (await makeTracker(server.owner, page)).sourceId)

const shown = [{ property_id: 'Job' }]
const grouped = { type: 'select', property_id: 'Priority', sort: { type: 'manual' } }
const cover = { type: 'page_cover' }
const line = { value: 1, label: 'A', color: 'red', dash_style: 'solid' }

/** All settings of a view of each type: required ones, and ones that can be cleared. */
const full: [type: string, needed: object, clearable: object, kept: object][] = [
  [
    'table',
    {},
    {
      properties: shown,
      group_by: grouped,
      subtasks: { property_id: 'Boat', display_mode: 'flattened', filter_scope: 'subitems' },
    },
    { wrap_cells: false, show_vertical_lines: true, frozen_column_index: 2 },
  ],
  [
    'board',
    { group_by: grouped },
    { sub_group_by: grouped, properties: shown, cover, cover_size: 'large', cover_aspect: 'cover', card_layout: 'list' },
    {},
  ],
  ['gallery', {}, { properties: shown, cover, cover_size: 'medium', cover_aspect: 'contain', card_layout: 'compact' }, {}],
  ['list', {}, { properties: shown }, {}],
  ['calendar', { date_property_id: 'Due' }, { properties: shown, view_range: 'month', show_weekends: true }, {}],
  [
    'timeline',
    { date_property_id: 'Due' },
    {
      end_date_property_id: 'Created',
      properties: shown,
      table_properties: shown,
      show_table: false,
      color_by: true,
      preference: { zoom_level: 'bi_week' },
      arrows_by: { property_id: 'Boat' },
    },
    {},
  ],
  ['map', {}, { height: 'small', map_by: 'Dock', properties: shown }, {}],
  ['form', {}, { is_form_closed: true, anonymous_submissions: false, submission_permissions: 'none' }, {}],
  [
    'chart',
    { chart_type: 'line' },
    {
      x_axis_property_id: 'Job',
      y_axis_property_id: 'Cost',
      value: { aggregator: 'count' },
      sort: 'x_ascending',
      color_theme: 'teal',
      height: 'large',
      legend_position: 'side',
      axis_labels: 'both',
      grid_lines: 'horizontal',
      group_style: 'percent',
      donut_labels: 'name_and_value',
      hide_empty_groups: true,
      show_data_labels: true,
      cumulative: true,
      smooth_line: true,
      hide_line_fill_area: true,
      hide_title: true,
      color_by_value: true,
    },
    {},
  ],
]
/** Members that are null after clearing. */
const asNull = {
  x_axis: grouped,
  stack_by: grouped,
  y_axis: { aggregator: 'count' },
  y_axis_min: -1.5,
  y_axis_max: 9,
  reference_lines: [line],
  caption: 'Hours',
}

describe('updateView: configurations', () => {
  it.each(full)('200 with only the optional members of a %s cleared by null', async (type, needed, clearable, kept) => {
    const made = await makeView(server.owner, tracker, { type, configuration: { type, ...needed, ...clearable, ...kept } })
    const before = made['configuration'] as Record<string, unknown>
    for (const name of Object.keys({ ...needed, ...clearable, ...kept })) expect(before).toHaveProperty(name)
    const nothing = Object.fromEntries(Object.keys(clearable).map((name) => [name, null]))
    const { status, body } = await updateView(server.owner, idOf(made), { configuration: { type, ...needed, ...nothing } })
    expect(status, JSON.stringify(body)).toBe(200)
    const names = Object.keys(body['configuration'] as object).filter((name) => !name.endsWith('property_name'))
    const left = [...Object.keys(needed), ...Object.keys(kept), 'type', ...(type === 'chart' ? ['x_axis', 'y_axis'] : [])]
    expect(names.filter((name) => name !== 'date_property_name').toSorted()).toStrictEqual(
      left.filter((name) => names.includes(name) || !['x_axis', 'y_axis'].includes(name)).toSorted(),
    )
    expect((await retrieveView(server.owner, idOf(made))).body['configuration']).toStrictEqual(body['configuration'])
  })

  it('200 with null for cleared members of a chart where responses allow null', async () => {
    const type = 'chart'
    const made = await makeView(server.owner, tracker, { type, configuration: { type, chart_type: 'column', ...asNull } })
    const nothing = Object.fromEntries(Object.keys(asNull).map((name) => [name, null]))
    const { body } = await updateView(server.owner, idOf(made), { configuration: { type, chart_type: 'column', ...nothing } })
    expect(body['configuration']).toStrictEqual({ type, chart_type: 'column', ...nothing })
  })

  it.each<[string, object, string]>([
    ['a read-only cover', { type: 'gallery', cover: { type: 'page_content_first' } }, 'cover.type'],
    [
      'a center before 1970',
      { type: 'timeline', date_property_id: 'Due', preference: { zoom_level: 'day', center_timestamp: -1 } },
      'preference.center_timestamp',
    ],
    ['a missing zoom', { type: 'timeline', date_property_id: 'Due', preference: {} }, 'preference.zoom_level'],
    [
      'an unknown zoom',
      { type: 'timeline', date_property_id: 'Due', preference: { zoom_level: 'decade' } },
      'preference.zoom_level',
    ],
    ['null for an unknown setting', { type: 'table', wrap_cells: null }, 'wrap_cells'],
    ['null for a required setting', { type: 'calendar', date_property_id: null }, 'date_property_id'],
    [
      'a week that begins on Tuesday',
      {
        type: 'table',
        group_by: { type: 'date', property_id: 'Due', group_by: 'week', start_day_of_week: 2, sort: { type: 'ascending' } },
      },
      'group_by.start_day_of_week',
    ],
    [
      '101 reference lines',
      { type: 'chart', chart_type: 'line', reference_lines: Array.from({ length: 101 }, () => line) },
      'reference_lines.length',
    ],
  ])('400 for %s', async (_what, configuration, location) => {
    const { type } = configuration as { type: string }
    expectInvalid(await createView(server.owner, tracker, { type, configuration }), `body.configuration.${location}`)
  })
})
