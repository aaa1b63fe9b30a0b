import { expect, it } from 'vitest'
import { makePage } from '../../harness/content.ts'
import { enumerationValues } from '../../harness/enumerations.ts'
import type { JsonObject } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'
import { makeTracker, makeView } from '../../harness/views.ts'

const server = await serverOfFile()
const page = await makePage(server.owner)
const tracker = await makeTracker(server.owner, page, (await makeTracker(server.owner, page)).sourceId)
const { Stage = '', Due = '', Boat = '' } = tracker.columns

const columnOf = (aggregator: string): string =>
  aggregator.includes('checked') ? 'Approved' : aggregator.includes('date') ? 'Due' : 'Cost'
const chart = (settings: JsonObject): JsonObject => ({
  type: 'chart',
  chart_type: 'column',
  x_axis_property_id: 'title',
  y_axis_property_id: tracker.columns['Cost'] ?? '',
  ...settings,
})

/** Each enumeration of view settings, with settings that use one of its words. */
const enumerations: [name: Parameters<typeof enumerationValues>[0], settings: (word: string) => JsonObject][] = [
  ['StatusDisplay', (word) => ({ type: 'table', properties: [{ property_id: Stage, status_show_as: word }] })],
  ['DateDisplayFormat', (word) => ({ type: 'table', properties: [{ property_id: Due, date_format: word }] })],
  ['TimeDisplayFormat', (word) => ({ type: 'table', properties: [{ property_id: Due, time_format: word }] })],
  ['SubtaskDisplay', (word) => ({ type: 'table', subtasks: { property_id: Boat, display_mode: word } })],
  ['SubtaskFilterScope', (word) => ({ type: 'table', subtasks: { property_id: Boat, filter_scope: word } })],
  ['CalendarRange', (word) => ({ type: 'calendar', date_property_id: Due, view_range: word })],
  ['TimelineZoom', (word) => ({ type: 'timeline', date_property_id: Due, preference: { zoom_level: word } })],
  ['FormPermission', (word) => ({ type: 'form', submission_permissions: word })],
  ['CoverSize', (word) => ({ type: 'gallery', cover_size: word })],
  ['CoverAspect', (word) => ({ type: 'gallery', cover_aspect: word })],
  ['CardLayout', (word) => ({ type: 'gallery', card_layout: word })],
  ['ViewHeight', (word) => chart({ height: word })],
  ['ChartType', (word) => chart({ chart_type: word })],
  ['ChartSort', (word) => chart({ sort: word })],
  ['ChartGroupStyle', (word) => chart({ group_style: word })],
  ['ChartColorTheme', (word) => chart({ color_theme: word })],
  ['ChartLegendPosition', (word) => chart({ legend_position: word })],
  ['ChartAxisLabels', (word) => chart({ axis_labels: word })],
  ['ChartGridLines', (word) => chart({ grid_lines: word })],
  ['ChartDonutLabels', (word) => chart({ donut_labels: word })],
  [
    'ChartAggregator',
    (word) => ({
      type: 'chart',
      chart_type: 'number',
      value: { aggregator: word, ...(word === 'count' ? {} : { property_id: tracker.columns[columnOf(word)] ?? '' }) },
    }),
  ],
]

it.each(enumerations)('createView: 200 for every value of %s', async (name, settings) => {
  for (const word of enumerationValues(name)) {
    const configuration = settings(word)
    const view = await makeView(server.owner, tracker, { type: String(configuration['type']), configuration })
    expect(view['configuration'], word).toMatchObject(configuration)
  }
})
