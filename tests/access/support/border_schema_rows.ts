import { randomUUID } from 'node:crypto'
import type { OperationId } from '../../../server/contract/operation.ts'
import type { CallParts } from '../../harness/caller.ts'
import { makeDatabase } from '../../harness/databases_content.ts'
import type { Kind } from './border_kinds.ts'
import { COLUMN, onSource } from './border_requests.ts'
import type { RequestContext, BorderRow } from './border_rows.ts'

/** Settings of columns that name an object, in the operations that create or change schemas. */
const schemas: Partial<Record<OperationId, (columns: object, context: RequestContext) => CallParts>> = {
  createDatabase: (columns, { world }) => ({
    body: { parent: { page_id: world.shown.page }, initial_data_source: { properties: { Name: { title: {} }, ...columns } } },
  }),
  createDataSource: (columns, { world }) => ({
    body: { parent: { database_id: world.spare }, properties: { Name: { title: {} }, ...columns } },
  }),
  updateDataSource: (columns, context) => onSource(context, { properties: columns }),
}

const settingRows = Object.entries(schemas).flatMap(([name, parts]) => {
  const operation = name as OperationId
  const isUpdate = operation === 'updateDataSource'
  const word = isUpdate ? 'ConfigUpdateRequest' : 'ConfigRequest'
  const row = (
    location: string,
    kind: Kind,
    columns: (named: string, context: RequestContext) => object,
    more: Partial<BorderRow> = {},
  ): BorderRow => {
    return { operation, location, kind, request: (named, context) => parts(columns(named, context), context), ...more }
  }
  const to = ({ world }: RequestContext): object => ({
    To: { relation: { data_source_id: world.target.source, single_property: {} } },
  })
  const rollup = (part: object): object => ({
    Roll: { rollup: { function: 'count', relation_property_name: 'To', rollup_property_name: 'Name', ...part } },
  })
  const over = (part: (named: string) => object, left: string) => (named: string, context: RequestContext) => {
    const { [left]: _replaced, ...others } = (rollup({}) as { Roll: { rollup: Record<string, unknown> } }).Roll.rollup
    return { ...to(context), Roll: { rollup: { ...others, ...part(named) } } }
  }
  return [
    row(`Relation${word}.data_source_id`, 'target', (data_source_id) => ({
      One: { relation: { data_source_id, single_property: {} } },
    })),
    row(
      `Relation${word}.data_source_id`,
      'target',
      (data_source_id) => ({ Two: { relation: { data_source_id, dual_property: { synced_property_name: randomUUID() } } } }),
      { note: 'two-way' },
    ),
    row(
      'SyncedPropertyRefRequest.synced_property_id',
      'column of the target by id',
      (synced_property_id, { world }) => ({
        Pair: { relation: { data_source_id: world.target.source, dual_property: { synced_property_id } } },
      }),
      { isSilent: true },
    ),
    row(
      `Rollup${word}.relation_property_name`,
      'column by name',
      over((id) => ({ relation_property_name: id }), 'relation_property_name'),
      {
        visible: () => 'To',
      },
    ),
    row(
      `Rollup${word}.rollup_property_name`,
      'column of the target by name',
      over((id) => ({ rollup_property_name: id }), 'rollup_property_name'),
    ),
    row(
      `Rollup${word}.rollup_property_id`,
      'column of the target by id',
      over((id) => ({ rollup_property_id: id }), 'rollup_property_name'),
    ),
    row(
      `Rollup${word}.relation_property_id`,
      'column by id',
      over((id) => ({ relation_property_id: id }), 'relation_property_name'),
      // A new schema has no ids yet.
      isUpdate ? {} : { isSilent: true },
    ),
    row('FormulaConfigRequest.expression', isUpdate ? 'column by name' : 'column of the target by name', (key, context) =>
      isUpdate
        ? { Sum: { formula: { expression: `prop("${key}").length()` } } }
        : { ...to(context), Sum: { formula: { expression: `prop("To").map(current.prop("${key}")).length()` } } },
    ),
    ...(isUpdate
      ? [
          row('FormulaConfigRequest.expression', 'column by id', (key) => ({
            Sum: { formula: { expression: `prop("${key}").length()` } },
          })),
          row(
            'FormulaConfigRequest.expression',
            'column of the target by name',
            (key) => ({ Sum: { formula: { expression: `prop("Openly").map(current.prop("${key}")).length()` } } }),
            { note: 'through a relation' },
          ),
        ]
      : []),
  ]
})

const sourceRows: BorderRow[] = [
  ...COLUMN.flatMap((kind): BorderRow[] => {
    const row = (note: string, change: unknown, more: Partial<BorderRow> = {}): BorderRow => ({
      operation: 'updateDataSource',
      location: 'DataSourcePropertiesUpdateRequest.*',
      kind,
      note,
      request: (key, context) => onSource(context, { properties: { [key]: change } }),
      ...more,
    })
    const name = async ({ world }: RequestContext): Promise<string> => {
      const id = randomUUID()
      await world.owner.call('updateDataSource', {
        path: { data_source_id: world.shown.source },
        body: { properties: { [id]: { number: {} } } },
      })
      return id
    }
    return [
      row('to delete it', null, { fresh: name }),
      row('to describe it', { description: 'x' }),
      row('to rename it', { name: randomUUID() }, { fresh: name }),
      row('to change it', { relation: { single_property: {} } }),
    ]
  }),
  {
    operation: 'updateDataSource',
    location: 'PropertyConfigUpdate.id',
    kind: 'column by id',
    request: (id, context) => onSource(context, { properties: { Openly: { id, description: 'x' } } }),
  },
  {
    operation: 'updateDataSource',
    location: 'SchemaOptionUpdateRequest.id',
    kind: 'option',
    request: (id, context) => onSource(context, { properties: { Kind: { select: { options: [{ id }] } } } }),
  },
  {
    operation: 'updateDataSource',
    location: 'RelationTargetUpdateRequest.data_source_id',
    kind: 'target',
    request: (data_source_id, context) => onSource(context, { properties: { Openly: { relation: { data_source_id } } } }),
  },
  {
    operation: 'updateDataSource',
    location: 'ParentOfDataSourceRequest.database_id',
    kind: 'database',
    request: (database_id, context) => onSource(context, { parent: { database_id } }),
  },
  {
    operation: 'createDataSource',
    location: 'ParentOfDataSourceRequest.database_id',
    kind: 'database',
    request: (database_id) => ({ body: { parent: { database_id }, properties: { Name: { title: {} } } } }),
    fresh: async ({ world }) => (await makeDatabase(world.owner, world.shown.page)).id,
  },
  ...(['createDatabase', 'updateDatabase'] as const).map((operation): BorderRow => {
    const path = ({ world }: RequestContext): CallParts =>
      operation === 'updateDatabase' ? { path: { database_id: world.shown.database } } : {}
    return {
      operation,
      location: 'PageIdParentRequest.page_id',
      kind: 'page',
      request: (page_id, context) => ({ ...path(context), body: { parent: { page_id } } }),
      visible: ({ world }) => world.shown.page,
    }
  }),
  {
    operation: 'updateDatabase',
    location: 'BlockIdParentRequest.block_id',
    kind: 'block',
    isSilent: true,
    request: (block_id, { world }) => ({ path: { database_id: world.shown.database }, body: { parent: { block_id } } }),
  },
  ...(['retrieveDatabase', 'updateDatabase', 'queryDatabase'] as const).map((operation): BorderRow => {
    const body = operation === 'retrieveDatabase' ? {} : { body: {} }
    return {
      operation,
      location: 'path.database_id',
      kind: 'database',
      request: (database_id) => ({ path: { database_id }, ...body }),
    }
  }),
  ...(['retrieveDataSource', 'updateDataSource', 'queryDataSource', 'listDataSourceTemplates'] as const).map(
    (operation): BorderRow => {
      const body = operation === 'updateDataSource' || operation === 'queryDataSource' ? { body: {} } : {}
      return {
        operation,
        location: 'path.data_source_id',
        kind: 'source',
        request: (data_source_id) => ({ path: { data_source_id }, ...body }),
      }
    },
  ),
]

export const schemaRows: readonly BorderRow[] = [...settingRows, ...sourceRows]
