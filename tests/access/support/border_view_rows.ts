import { idOf } from '../../harness/json.ts'
import { COLUMN, newView } from './border_requests.ts'
import type { RequestContext, BorderRow } from './border_rows.ts'
import type { World } from './border_world.ts'

/** Members of configurations that name columns, by the type of view, and a fitting column. */
const configurations: readonly (readonly [
  place: string,
  type: keyof World['views'],
  fitting: string,
  settings: (property: string) => object,
])[] = [
  ['ViewPropertyRequest.property_id', 'table', 'Openly', (id) => ({ properties: [{ property_id: id }] })],
  [
    'GroupBy.property_id',
    'board',
    'Openly',
    (id) => ({ group_by: { type: 'relation', property_id: id, sort: { type: 'manual' } } }),
  ],
  ['SubtasksRequest.property_id', 'table', 'Openly', (id) => ({ subtasks: { property_id: id } })],
  ['SubtasksRequest.toggle_column_id', 'table', 'Openly', (id) => ({ subtasks: { toggle_column_id: id } })],
  ['CoverConfigRequest.property_id', 'gallery', 'Photos', (id) => ({ cover: { type: 'property', property_id: id } })],
  ['CalendarViewConfigRequest.date_property_id', 'calendar', 'When', (id) => ({ date_property_id: id })],
  ['TimelineViewConfigRequest.date_property_id', 'timeline', 'When', (id) => ({ date_property_id: id })],
  [
    'TimelineViewConfigRequest.end_date_property_id',
    'timeline',
    'Until',
    (id) => ({ date_property_id: 'When', end_date_property_id: id }),
  ],
  [
    'TimelineArrowsRequest.property_id',
    'timeline',
    'Openly',
    (id) => ({ date_property_id: 'When', arrows_by: { property_id: id } }),
  ],
  ['MapViewConfigRequest.map_by', 'map', 'Dock', (id) => ({ map_by: id })],
  [
    'ChartAggregationRequest.property_id',
    'chart',
    'Count',
    (id) => ({ chart_type: 'number', value: { aggregator: 'count_values', property_id: id } }),
  ],
  [
    'ChartViewConfigRequest.x_axis_property_id',
    'chart',
    'Openly',
    (id) => ({ chart_type: 'bar', x_axis_property_id: id, y_axis_property_id: 'Count' }),
  ],
  [
    'ChartViewConfigRequest.y_axis_property_id',
    'chart',
    'Count',
    (id) => ({ chart_type: 'bar', x_axis_property_id: 'Name', y_axis_property_id: id }),
  ],
]

const configurationRows = configurations.flatMap(([location, type, fitting, settings]) =>
  COLUMN.flatMap((kind): BorderRow[] => {
    const configuration = (named: string): object => ({ configuration: { type, ...settings(named) } })
    const visible = ({ world }: RequestContext): string => (kind === 'column by name' ? fitting : (world.columns[fitting] ?? ''))
    return [
      {
        operation: 'createView',
        location,
        kind,
        visible,
        request: (named, { world }) => ({ body: { ...newView(world), type, ...configuration(named) } }),
      },
      {
        operation: 'updateView',
        location,
        kind,
        visible,
        request: (named, { world }) => ({ path: { view_id: world.views[type] }, body: configuration(named) }),
      },
    ]
  }),
)

const viewRows: BorderRow[] = [
  ...COLUMN.flatMap((kind): BorderRow[] => {
    const filters = (key: string): object => ({ quick_filters: { [key]: { relation: { is_empty: true } } } })
    return [
      {
        operation: 'createView',
        location: 'QuickFiltersRequest.*',
        kind,
        request: (key, { world }) => ({ body: { ...newView(world), type: 'table', ...filters(key) } }),
      },
      {
        operation: 'updateView',
        location: 'QuickFiltersUpdateRequest.*',
        kind,
        request: (key, { world }) => ({ path: { view_id: world.views.table }, body: filters(key) }),
      },
      {
        operation: 'updateView',
        location: 'QuickFiltersUpdateRequest.*',
        kind,
        note: 'to clear it',
        request: (key, { world }) => ({ path: { view_id: world.views.table }, body: { quick_filters: { [key]: null } } }),
      },
    ]
  }),
  ...(['retrieveView', 'createViewQuery'] as const).map((operation): BorderRow => {
    const body = operation === 'createViewQuery' ? { body: {} } : {}
    return { operation, location: 'path.view_id', kind: 'view', request: (view_id) => ({ path: { view_id }, ...body }) }
  }),
  {
    operation: 'updateView',
    location: 'path.view_id',
    kind: 'view',
    request: (view_id) => ({ path: { view_id }, body: { name: 'x' } }),
  },
  {
    operation: 'deleteView',
    location: 'path.view_id',
    kind: 'view',
    request: (view_id) => ({ path: { view_id } }),
    fresh: async ({ world }) => idOf((await world.owner.call('createView', { body: { ...newView(world), type: 'table' } })).body),
  },
  ...(['listViewQueryResults', 'deleteViewQuery'] as const).flatMap((operation): BorderRow[] => [
    {
      operation,
      location: 'path.view_id',
      kind: 'view',
      request: (view_id, { world, caller }) => ({ path: { view_id, query_id: world.own[caller].query } }),
      // Deleting the query with the next row removes it.
      ...(operation === 'deleteViewQuery' ? { visible: ({ world }: RequestContext) => world.dashboard, isSilent: true } : {}),
    },
    {
      operation,
      location: 'path.query_id',
      kind: 'query',
      request: (query_id, { world }) => ({ path: { view_id: world.shown.view, query_id } }),
    },
  ]),
  {
    operation: 'listDatabaseViews',
    location: 'query.database_id',
    kind: 'database',
    request: (database_id) => ({ query: { database_id } }),
  },
  {
    operation: 'listDatabaseViews',
    location: 'query.data_source_id',
    kind: 'source',
    request: (data_source_id) => ({ query: { data_source_id } }),
  },
  {
    operation: 'createView',
    location: 'ViewInDatabaseRequest.database_id',
    kind: 'database',
    request: (database_id, { world }) => ({ body: { ...newView(world), type: 'table', database_id } }),
  },
  {
    operation: 'createView',
    location: 'ViewInDatabaseRequest.data_source_id',
    kind: 'source',
    request: (data_source_id, { world }) => ({ body: { ...newView(world), type: 'table', data_source_id } }),
  },
  {
    operation: 'createView',
    location: 'ViewAfterViewRequest.view_id',
    kind: 'view',
    request: (view_id, { world }) => ({ body: { ...newView(world), type: 'table', position: { type: 'after_view', view_id } } }),
  },
  {
    operation: 'createView',
    location: 'ViewInDashboardRequest.view_id',
    kind: 'dashboard',
    request: (view_id, { world }) => ({ body: { view_id, data_source_id: world.shown.source, name: 'x', type: 'table' } }),
  },
  {
    operation: 'createView',
    location: 'ViewInDashboardRequest.data_source_id',
    kind: 'source',
    request: (data_source_id, { world }) => ({ body: { view_id: world.dashboard, data_source_id, name: 'x', type: 'table' } }),
  },
  {
    operation: 'createView',
    location: 'PageIdParentRequest.page_id',
    kind: 'page',
    request: (page_id, { world }) => ({
      body: {
        create_database: { parent: { type: 'page_id', page_id } },
        data_source_id: world.shown.source,
        name: 'x',
        type: 'table',
      },
    }),
  },
  {
    operation: 'createView',
    location: 'LinkedDatabasePositionRequest.block_id',
    kind: 'block',
    request: (block_id, { world: { shown } }) => ({
      body: {
        create_database: { parent: { type: 'page_id', page_id: shown.page }, position: { type: 'after_block', block_id } },
        data_source_id: shown.source,
        name: 'x',
        type: 'table',
      },
    }),
  },
  {
    operation: 'createView',
    location: 'ViewOnPageRequest.data_source_id',
    kind: 'source',
    request: (data_source_id, { world: { shown } }) => ({
      body: { create_database: { parent: { type: 'page_id', page_id: shown.page } }, data_source_id, name: 'x', type: 'table' },
    }),
  },
]

export const viewAndConfigurationRows: readonly BorderRow[] = [...configurationRows, ...viewRows]
