import { randomUUID } from 'node:crypto'
import { describe, it } from 'vitest'
import type { TestResponse } from '../../harness/responses.ts'
import { makePage } from '../../harness/content.ts'
import { makeDatabase } from '../../harness/databases_content.ts'
import { expectInvalid } from '../../harness/expectations.ts'
import { serverOfFile } from '../../harness/server.ts'
import { createView, makeTracker } from '../../harness/views.ts'

const server = await serverOfFile()
const page = await makePage(server.owner, 'Parent')
const other = await makeTracker(server.owner, page)
const tracker = await makeTracker(server.owner, page, other.sourceId)

const create = (body: object = {}, caller = server.owner, made = tracker): Promise<TestResponse> => createView(caller, made, body)

describe('createView', () => {
  it('400 without a target, or with two targets', async () => {
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
    [{ type: 'dashboard', configuration: { type: 'dashboard', rows: [{}] } }, 'body.configuration.rows'],
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
    [table({ properties: [{ property_id: 'Job', name: 'Job' }] }), 'body.configuration.properties[0].name'],
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
    [{ quick_filters: { '': { select: { equals: 'High' } } } }, 'body.quick_filters'],
    [{ quick_filters: { ['x'.repeat(2001)]: { select: { equals: 'High' } } } }, 'body.quick_filters'],
  ])('400 for %j', async (body, location) => {
    expectInvalid(await create(body), location)
  })

  it('400 when the database or data source is in the trash, or the database has a thousand tabs', async () => {
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
})
