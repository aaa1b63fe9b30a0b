import type { ViewType } from '../../generated/types.ts'
import { NO_SETTINGS, type ViewSettings } from '../domain/views/settings.ts'
import type { Transaction } from '../store/database.ts'
import { insertView, WIDGET_POSITION } from '../store/views.ts'
import { story } from './story.ts'

interface SampleView extends Partial<ViewSettings> {
  readonly id: string
  readonly name: string
  readonly type: ViewType
  /** Repair jobs unless it is said. */
  readonly dataSourceId?: string
}

const { views, dataSources } = story
const MANUAL = { type: 'manual' }

/** The tabs of the repair log, in order. Columns and options are named by their ids in spec/story.md. */
const tabs: readonly SampleView[] = [
  {
    id: views.allJobs,
    name: 'All jobs',
    type: 'table',
    sorts: [{ property: 'dued', direction: 'ascending' }],
    quickFilters: { prio: { select: { equals: 'high' } }, appr: { checkbox: { equals: true } } },
    configuration: {
      properties: [
        { property_id: 'title', visible: true, width: 320, wrap: true },
        { property_id: 'stat', visible: true, width: 140, status_show_as: 'checkbox' },
        { property_id: 'dued', visible: true, width: 120, date_format: 'relative', time_format: 'hidden' },
        { property_id: 'cost', visible: true, width: 90 },
        { property_id: 'note', visible: false },
      ],
      wrap_cells: false,
      show_vertical_lines: true,
      frozen_column_index: 1,
    },
  },
  {
    id: views.jobsByStatus,
    name: 'Jobs by status',
    type: 'board',
    filter: { property: 'stat', status: { is_not_empty: true } },
    quickFilters: { ownr: { people: { contains: 'me' } } },
    configuration: {
      group_by: { type: 'status', property_id: 'stat', group_by: 'option', hide_empty_groups: false, sort: MANUAL },
      sub_group_by: { type: 'person', property_id: 'ownr', hide_empty_groups: true, sort: MANUAL },
      properties: [
        { property_id: 'prio', visible: true, card_property_width_mode: 'inline' },
        { property_id: 'dued', visible: true, card_property_width_mode: 'full_line', date_format: 'day_month_year' },
      ],
      cover: { type: 'page_content' },
      cover_size: 'small',
      cover_aspect: 'cover',
      card_layout: 'compact',
    },
  },
  {
    id: views.openJobs,
    name: 'Open jobs',
    type: 'list',
    filter: { property: 'stat', status: { does_not_equal: ['done'] } },
    sorts: [{ property: 'prio', direction: 'descending' }],
    configuration: {
      properties: [
        { property_id: 'stat', visible: true },
        { property_id: 'ownr', visible: true },
      ],
    },
  },
  {
    id: views.repairTimeline,
    name: 'Repair timeline',
    type: 'timeline',
    configuration: {
      date_property_id: 'crtm',
      end_date_property_id: 'dued',
      properties: [{ property_id: 'ownr', visible: true }],
      table_properties: [{ property_id: 'title', visible: true, width: 240 }],
      show_table: true,
      preference: { zoom_level: 'bi_week' },
    },
  },
  {
    id: views.damageReport,
    name: 'Damage report',
    type: 'form',
    configuration: { is_form_closed: false, anonymous_submissions: true, submission_permissions: 'none' },
  },
  {
    id: views.yardOverview,
    name: 'Yard overview',
    type: 'dashboard',
    configuration: {
      rows: [
        { id: 'row1', height: 320, widgets: rowOf(0, { wid1: views.costByMonth, wid2: views.spendingSoFar }) },
        { id: 'row2', widgets: rowOf(1, { wid3: views.jobsInHand, wid4: views.jobsByBoat }) },
      ],
    },
  },
  { id: views.shelfList, name: 'Shelf list', type: 'table', dataSourceId: dataSources.spareParts },
]

function rowOf(index: number, widgets: Readonly<Record<string, string>>): object[] {
  return Object.entries(widgets).map(([id, viewId]) => ({ id, view_id: viewId, width: 6, row_index: index }))
}

/** The charts on the dashboard of the repair log. */
const widgets: readonly SampleView[] = [
  {
    id: views.costByMonth,
    name: 'Cost by month',
    type: 'chart',
    configuration: {
      chart_type: 'column',
      x_axis: { type: 'date', property_id: 'dued', group_by: 'month', start_day_of_week: 1, sort: { type: 'ascending' } },
      y_axis: { aggregator: 'sum', property_id: 'cost' },
      stack_by: { type: 'select', property_id: 'prio', sort: MANUAL },
      color_theme: 'auto',
      height: 'medium',
      reference_lines: [{ id: 'lin1', value: 1200, label: 'Budget', color: 'red', dash_style: 'dash' }],
      caption: 'Cost of repairs by the month they are due',
    },
  },
  {
    id: views.spendingSoFar,
    name: 'Spending so far',
    type: 'chart',
    configuration: {
      chart_type: 'line',
      x_axis: { type: 'created_time', property_id: 'crtm', group_by: 'week', sort: { type: 'ascending' } },
      y_axis: { aggregator: 'sum', property_id: 'cost' },
      cumulative: true,
      smooth_line: true,
      color_theme: 'teal',
    },
  },
  {
    id: views.jobsInHand,
    name: 'Jobs in hand',
    type: 'chart',
    filter: { property: 'stat', status: { equals: 'prog' } },
    configuration: { chart_type: 'number', value: { aggregator: 'count' }, height: 'small', color_theme: 'blue' },
  },
  {
    id: views.jobsByBoat,
    name: 'Jobs by boat',
    type: 'chart',
    configuration: {
      chart_type: 'donut',
      x_axis: { type: 'relation', property_id: 'boat', sort: MANUAL },
      y_axis: { aggregator: 'count' },
      donut_labels: 'name_and_value',
      color_theme: 'colorful',
      sort: 'y_descending',
    },
  },
]

/** The tabs of the boat register. */
const boatTabs: readonly SampleView[] = [
  {
    id: views.launchCalendar,
    name: 'Launch calendar',
    type: 'calendar',
    configuration: {
      date_property_id: 'lnch',
      properties: [
        { property_id: 'hull', visible: true },
        { property_id: 'skip', visible: true },
      ],
      view_range: 'month',
      show_weekends: true,
    },
  },
  {
    id: views.boatGallery,
    name: 'Boat gallery',
    type: 'gallery',
    configuration: {
      properties: [{ property_id: 'hull', visible: true }],
      cover: { type: 'page_cover' },
      cover_size: 'large',
      cover_aspect: 'contain',
      card_layout: 'list',
    },
  },
]

/** The view of the linked database on the launch day plan. */
const berthMap: SampleView = {
  id: views.berthMap,
  name: 'Berth map',
  type: 'map',
  configuration: { height: 'large', map_by: 'brth', properties: [{ property_id: 'skip', visible: true }] },
}

interface ViewPlace {
  readonly databaseId: string
  readonly dataSourceId: string
  readonly dashboardId: string | null
  readonly position: number
}

/** The views of the demo workspace's databases. */
export async function insertSampleViews(db: Transaction, workspaceId: string, now: number): Promise<void> {
  const [{ id: author }] = story.people
  const insert = async ({ id, name, type, dataSourceId, ...settings }: SampleView, place: ViewPlace): Promise<void> => {
    await insertView(db, workspaceId, {
      ...place,
      id,
      type,
      name,
      dataSourceId: dataSourceId ?? place.dataSourceId,
      settings: { ...NO_SETTINGS, ...settings },
      createdTime: now,
      createdBy: author,
      lastEditedTime: now,
      lastEditedBy: author,
    })
  }
  const log = { databaseId: story.repairLog, dataSourceId: dataSources.repairJobs, dashboardId: null }
  const register = { databaseId: story.boatRegister, dataSourceId: dataSources.boats, dashboardId: null }
  for (const [position, view] of tabs.entries()) await insert(view, { ...log, position })
  for (const view of widgets) await insert(view, { ...log, dashboardId: views.yardOverview, position: WIDGET_POSITION })
  for (const [position, view] of boatTabs.entries()) await insert(view, { ...register, position })
  await insert(berthMap, { ...register, databaseId: story.boatsInTheYard, position: 0 })
}
