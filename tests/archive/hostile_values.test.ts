import { describe, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { newId } from '../../server/kernel/ids.ts'
import type { JsonObject } from '../harness/json.ts'
import { hostileExport, type Row } from './support/hostile.ts'

const { edited, expectRefusal } = await hostileExport()
const { repairJobs } = exampleWorkspace.dataSources
const UNKNOWN = newId()
const PERSON = { object: 'user', id: UNKNOWN }
const FILE = { name: 'a.png', type: 'file', file: { id: UNKNOWN } }
const DATE = { start: '2026-05-16', end: null, time_zone: null }

/** The values of the first row with this column, with those changes. */
function values(column: string, changes: JsonObject): () => string {
  return edited(
    'pages',
    (row) => (row['row_values'] = JSON.stringify({ ...parsed(row, 'row_values'), ...changes })),
    (row) => column in parsed(row, 'row_values') && 'prio' in parsed(row, 'row_values'),
  )
}

/** One column of the repair jobs' data source, changed. */
function columnWith(id: string, changes: JsonObject): () => string {
  const changed = (row: Row): string =>
    JSON.stringify(
      (JSON.parse(String(row['properties'])) as JsonObject[]).map((one) => (one['id'] === id ? { ...one, ...changes } : one)),
    )
  return edited(
    'data_sources',
    (row) => (row['properties'] = changed(row)),
    (row) => row['id'] === repairJobs,
  )
}

function parsed(row: Row, column: string): JsonObject {
  return JSON.parse(String(row[column] ?? '{}')) as JsonObject
}

describe('import refuses row values that do not fit their columns, and leaves nothing:', () => {
  it.each<[string, () => string, RegExp]>([
    ['a text in a number', values('cost', { cost: '480' }), /pages, line \d+, row_values\.cost: expected a number, found "480"/],
    ['a number in a text', values('note', { note: 7 }), /pages, line \d+, row_values\.note: expected a list, found 7/],
    ['a text in a checkbox', values('cost', { appr: 'yes' }), /row_values\.appr: expected true or false, found "yes"/],
    ['a list in a select', values('prio', { prio: ['high'] }), /row_values\.prio: expected a text, found \["high"\]/],
    ['a number in a status', values('stat', { stat: 3 }), /row_values\.stat: expected a text, found 3/],
    ['a text in a multi-select', values('cost', { skil: 'join' }), /row_values\.skil: expected a list, found "join"/],
    [
      'a number among options',
      values('cost', { skil: [7] }),
      /pages, line \d+, row_values\.skil: expected the value of a property, found \[7\]/,
    ],
    ['a text in a date', values('dued', { dued: '2026-05-16' }), /row_values\.dued: expected an object/],
    ['a date in a URL', values('cost', { guid: DATE }), /row_values\.guid: expected a text/],
    ['people in a place', values('cost', { dock: [PERSON] }), /row_values\.dock: expected an object/],
    ['a value of a computed column', values('cost', { totl: 'x' }), /row_values\.totl: expected a number, found "x"/],
    ['a value of a button', values('cost', { butn: 1 }), /row_values\.butn: expected no value, because the column is computed/],
    ['a title twice', values('cost', { title: 'Keel' }), /row_values\.title: expected no value, because the column is computed/],
    [
      'a value of a column that never existed',
      values('cost', { zzzz: 1 }),
      /pages, line \d+, row_values\.zzzz: expected a column of the data source, or one that it had, found "zzzz"/,
    ],
    [
      'a person outside the workspace',
      values('ownr', { ownr: [PERSON] }),
      new RegExp(String.raw`row_values\.ownr\[0\]\.id: expected the id of a row of users, found "${UNKNOWN}"`),
    ],
    [
      'a missing group',
      values('ownr', { ownr: [{ ...PERSON, object: 'group' }] }),
      /row_values\.ownr\[0\]\.id: expected the id of a row of member_groups/,
    ],
    [
      'an empty link',
      values('boat', { boat: { ids: [UNKNOWN] } }),
      /row_values\.boat\.ids\[0\]: expected the id of a row of pages/,
    ],
    ['a missing file', values('phot', { phot: [FILE] }), /row_values\.phot\[0\]\.file\.id: expected the id of a row of file_/],
    [
      'a verifier outside the workspace',
      values('cost', { veri: { date: null, verifiedBy: UNKNOWN } }),
      /row_values\.veri\.verifiedBy: expected the id of a row of users/,
    ],
    [
      'a page outside data sources',
      edited(
        'pages',
        (row) => (row['row_values'] = '{"cost":1}'),
        (row) => row['id'] === exampleWorkspace.pages.launchPlan,
      ),
      /pages, line \d+, row_values: expected no values, because the page is not in a data source, found 1/,
    ],
    [
      'a relation to a missing data source',
      columnWith('boat', { dataSourceId: UNKNOWN }),
      /data_sources, line \d+, properties\[\d+\]\.dataSourceId: expected the id of a row of data_sources/,
    ],
    [
      'values of a column whose type changed',
      columnWith('cost', { type: 'url' }),
      /pages, line \d+, row_values\.cost: expected a text, found 480/,
    ],
  ])('%s', async (_what, from, message) => {
    await expectRefusal(from(), message)
  })
})

/** The settings of the first view of a type, with those changes. */
function view(type: string, changes: JsonObject): () => string {
  return edited(
    'views',
    (row) => (row['settings'] = JSON.stringify({ ...parsed(row, 'settings'), ...changes })),
    (row) => row['type'] === type,
  )
}

const GROUP = { type: 'status', property_id: 'stat', group_by: 'option', sort: { type: 'manual' } }
const VIEW = String.raw`views, line \d+, settings\.`

describe('import refuses settings of views that requests cannot store, and leaves nothing:', () => {
  it.each<[string, () => string, string]>([
    [
      'a filter without a condition',
      view('table', { filter: { property: 'cost' } }),
      'filter: expected a QueryFilter of the contract',
    ],
    [
      'a filter of an unknown kind',
      view('table', { filter: { property: 'cost', magic: { equals: 1 } } }),
      'filter: expected a QueryFilter of the contract',
    ],
    [
      'an unknown comparison',
      view('table', { filter: { property: 'cost', number: { roughly: 1 } } }),
      'filter: expected a QueryFilter of the contract',
    ],
    [
      'filters nested deeper than two levels',
      view('table', { filter: { and: [{ or: [{ and: [] }] }] } }),
      'filter: expected a QueryFilter of the contract',
    ],
    [
      'a sort without a direction',
      view('table', { sorts: [{ property: 'cost' }] }),
      String.raw`sorts: expected a QuerySorts of the contract \(/0 must have`,
    ],
    [
      '101 sorts',
      view('table', { sorts: Array(101).fill({ property: 'cost', direction: 'ascending' }) }),
      'sorts: expected a QuerySorts',
    ],
    [
      'a quick filter that is a list',
      view('table', { quickFilters: { prio: [] } }),
      String.raw`quickFilters: expected a QuickFilters of the contract \(/prio must be object`,
    ],
    [
      'a group of an unknown type',
      view('board', { configuration: { group_by: { ...GROUP, type: 'moon' } } }),
      'configuration: expected a ViewConfigRequest of the contract',
    ],
    [
      'a board without a group',
      view('board', { configuration: { cover_size: 'large' } }),
      `configuration: expected a ViewConfig.*'group_by'`,
    ],
    [
      'the configuration of another type',
      view('list', { configuration: { group_by: GROUP } }),
      'configuration: expected a ViewConfigRequest',
    ],
    [
      'a chart without a measure',
      view('chart', { configuration: { chart_type: 'cake' } }),
      String.raw`configuration: .*/chart_type must be`,
    ],
    [
      'a dashboard without rows',
      view('dashboard', { configuration: { rows: 'none' } }),
      String.raw`configuration: expected a DashboardViewConfig of the contract \(/rows must be array`,
    ],
  ])('%s', async (_what, from, message) => {
    await expectRefusal(from(), new RegExp(VIEW + message))
  })
})
