import type { OperationId } from '../../../server/contract/operation.ts'
import type { CallParts } from '../../harness/caller.ts'
import type { Kind } from './border_kinds.ts'
import { COLUMN, newView, onSource } from './border_requests.ts'
import type { RequestContext, BorderRow } from './border_rows.ts'

const onRow = ({ world }: RequestContext, properties: object): CallParts => ({
  path: { page_id: world.shown.row },
  body: { properties },
})
const newRow = ({ world }: RequestContext, properties: object): CallParts => ({
  body: { parent: { data_source_id: world.shown.source }, properties },
})

/** Values of rows, in both operations that write them. */
const valueRows = (
  [
    ['updatePage', onRow],
    ['createPage', newRow],
  ] as const
).flatMap(([operation, parts]): BorderRow[] => {
  const row = (location: string, kind: Kind, properties: (named: string) => object, more: Partial<BorderRow> = {}): BorderRow => {
    return { operation, location, kind, request: (named, context) => parts(context, properties(named)), ...more }
  }
  return [
    ...COLUMN.flatMap((kind) => [
      row('PagePropertiesRequest.*', kind, (key) => ({ [key]: { relation: [] } })),
      row('PagePropertiesRequest.*', kind, (key) => ({ [key]: { number: 1 } }), { note: 'of another type', isSilent: true }),
    ]),
    row('PropertyValue.id', 'column by id', (id) => ({ Openly: { id, relation: [] } }), { isSilent: true }),
    row('OptionRequest.id', 'option', (id) => ({ Kind: { select: { id } } })),
    row('PeopleItemRequest.id', 'user', (id) => ({ People: { people: [{ id }] } })),
    row('PeopleItemRequest.id', 'group', (id) => ({ People: { people: [{ object: 'group', id }] } })),
    row('RelationPropertyValueRequest.relation[].id', 'row', (id) => ({ Openly: { relation: [{ id }] } })),
    row('NamedUploadedFileRequest.file_upload.id', 'upload', (id) => ({
      Photos: { files: [{ name: 'x', file_upload: { id } }] },
    })),
  ]
})

const shownColumns = COLUMN.flatMap((kind): BorderRow[] => {
  const common = { location: 'query.filter_properties[]', kind, isSilent: true } as const
  const at = (id: string): CallParts => ({ query: { 'filter_properties[]': [id] } })
  return [
    { ...common, operation: 'retrievePage', request: (id, { world }) => ({ ...at(id), path: { page_id: world.shown.row } }) },
    { ...common, operation: 'updatePage', request: (id, context) => ({ ...at(id), ...onRow(context, {}) }) },
    { ...common, operation: 'createPage', request: (id, context) => ({ ...at(id), ...newRow(context, {}) }) },
    { ...common, operation: 'queryDataSource', request: (id, context) => ({ ...at(id), ...onSource(context, {}) }) },
    { ...common, operation: 'queryDatabase', request: (id, context) => ({ ...at(id), ...onDatabase(context, {}) }) },
  ]
})

function onDatabase({ world }: RequestContext, body: object): CallParts {
  return { path: { database_id: world.shown.database }, body }
}

/** Filters and sorts, in every operation that has them. */
const queries: Partial<Record<OperationId, (query: object, context: RequestContext) => CallParts>> = {
  queryDataSource: (query, context) => onSource(context, query),
  queryDatabase: (query, context) => onDatabase(context, query),
  createView: (query, { world }) => ({ body: { ...newView(world), type: 'table', ...query } }),
  updateView: (query, { world }) => ({ path: { view_id: world.views.table }, body: query }),
}

const queryRows = Object.entries(queries).flatMap(([name, parts]) => {
  const row = (location: string, kind: Kind, query: (named: string) => object, more: Partial<BorderRow> = {}): BorderRow => {
    return { operation: name as OperationId, location, kind, request: (named, context) => parts(query(named), context), ...more }
  }
  const operands = ['contains', 'does_not_contain'] as const
  return [
    ...COLUMN.flatMap((kind) => [
      row('Filter.property', kind, (property) => ({ filter: { property, relation: { is_empty: true } } })),
      row('Filter.property', kind, (property) => ({ filter: { property, number: { equals: 1 } } }), {
        note: 'of another type',
        isSilent: true,
      }),
      row('PropertySort.property', kind, (property) => ({ sorts: [{ property, direction: 'ascending' }] })),
    ]),
    ...operands.flatMap((operand) => [
      row(`RelationCondition.${operand}`, 'row', (id) => ({ filter: { property: 'Openly', relation: { [operand]: id } } }), {
        isSilent: true,
      }),
      row(`PeopleCondition.${operand}`, 'user', (id) => ({ filter: { property: 'People', people: { [operand]: id } } }), {
        isSilent: true,
      }),
    ]),
  ]
})

export const valueAndQueryRows: readonly BorderRow[] = [...valueRows, ...shownColumns, ...queryRows]
