import { isSameJson } from '../../../kernel/canonical_json.ts'
import type { PagePropertiesRequest } from '../../../../generated/types.ts'
import { visibleAmong } from '../../../store/access.ts'
import { touch, updateContent, type Block } from '../../../store/blocks.ts'
import { deleteCells, type Cell, type CellOwner } from '../../../store/cells.ts'
import { allocateNumbers, updateColumns } from '../../../store/data_sources.ts'
import type { RowValues } from '../../../store/pages.ts'
import { requireMayEdit, type StoredRichText } from '../../content/index.ts'
import type { DataSource } from '../data_sources/load.ts'
import { recordEvent, fireAssignment } from '../../events/index.ts'
import { requireSchemaLimits, withHidden } from '../data_sources/schema_session.ts'
import { invalid, type WriteScope } from '../../shared/index.ts'
import { findProperty, type StoredProperty } from '../properties/stored.ts'
import { storedLinks } from '../properties/stored_values.ts'
import type { ValueNotes } from '../properties/value_notes.ts'
import { cellKeysOf, facetsOf } from '../property_types/index.ts'
import { newlyAssigned } from './assigned.ts'
import { keepRowValues } from './keep_values.ts'
import { insertCellsOf, withUnseenLinks, writeLinks } from './links.ts'

/** The new values of a request in stored form; undefined clears a value. The title is stored with the page. */
export interface WrittenValues {
  readonly title: StoredRichText | undefined
  readonly byId: ReadonlyMap<string, unknown>
  readonly notes: ValueNotes
}

/**
 * Parses the values of a request for the columns of a data source.
 * @throws ServiceError `validation_error` for an unknown or read-only column, or a value of another type
 */
export function parseWritten(
  dataSource: DataSource,
  properties: PagePropertiesRequest | undefined,
  notes: ValueNotes,
): WrittenValues {
  const byId = new Map<string, unknown>()
  for (const [key, value] of Object.entries(properties ?? {})) {
    const path = `body.properties.${key}`
    const column = findProperty(dataSource.properties, key)
    if (!column) throw invalid(path, 'should be the name or id of a property of the data source')
    if (byId.has(column.id)) throw invalid(path, 'should be not present: the same property is named twice')
    const { write } = facetsOf(column.type).value
    if (write === 'by the service') {
      throw invalid(path, `should be not present: the service computes the values of type ${column.type}`)
    }
    const written: unknown = Array.isArray(value) ? value : Reflect.get(value, column.type)
    if (written === undefined || (Array.isArray(value) && column.type !== 'title')) {
      throw invalid(path, `should be a value of type ${column.type}`)
    }
    byId.set(column.id, write(written, Array.isArray(value) ? path : `${path}.${column.type}`, column, notes))
  }
  const title = byId.has('title') ? ((byId.get('title') ?? []) as StoredRichText) : undefined
  byId.delete('title')
  return { title, byId, notes }
}

/**
 * Adds the new options of a request to the schema, which requires edit permission for the data source.
 * @throws ServiceError `validation_error` if the caller sees the row but not its data source; in that case, only existing options can be
 * chosen
 */
export async function keepNewOptions(
  scope: WriteScope,
  dataSource: DataSource,
  { changedProperties, newOptionPath }: ValueNotes,
): Promise<void> {
  if (changedProperties.size === 0) return
  const { id, block, retired } = dataSource
  const isVisible = (await visibleAmong(scope.db, scope.actor, [id])).has(id)
  if (!isVisible) throw invalid(newOptionPath ?? 'body.properties', 'should be the name of an option of this property')
  await requireMayEdit(scope, block, 'data source')
  const properties = dataSource.properties.map((property) => changedProperties.get(property.id) ?? property)
  requireSchemaLimits({ properties })
  await updateColumns(scope.db, scope.actor.workspaceId, id, { properties: withHidden(dataSource, properties), retired })
  await touch(scope.db, scope.actor.workspaceId, [id, block.parentId], scope.actor.userId, scope.now)
  const grown = [...changedProperties.keys()].map((propertyId) => ({ id: propertyId, action: 'updated' }) as const)
  await recordEvent(scope, { type: 'data_source.schema_updated', id, properties: grown })
}

/** The values of a new row: the values in the request, and those that the service sets. */
export async function newRowValues(scope: WriteScope, dataSource: DataSource, written: WrittenValues): Promise<RowValues> {
  const values: Record<string, unknown> = {}
  for (const column of dataSource.properties) {
    const { initial } = facetsOf(column.type).value
    const stored =
      initial === 'number'
        ? await allocateNumbers(scope.db, scope.actor.workspaceId, dataSource.id, 1)
        : written.byId.has(column.id) || initial === 'none'
          ? written.byId.get(column.id)
          : initial(column)
    if (stored !== undefined) values[column.id] = stored
  }
  return values
}

/** Stores the values of a page that has none yet, with their index entries and the links in the opposite direction. */
export async function insertRowValues(scope: WriteScope, dataSource: DataSource, block: Block, values: RowValues): Promise<void> {
  await keepRowValues(scope, block.id, {}, values, 'body.properties')
  if (block.parentType !== 'data_source_id') return
  const owner = ownerOf(block)
  const cells = dataSource.properties.flatMap((column) =>
    column.type === 'relation' ? [] : cellsOf(column, column.id === 'title' ? block.content['title'] : values[column.id]),
  )
  await insertCellsOf(scope, owner, cells)
  for (const column of dataSource.properties) {
    if (column.type === 'relation') await writeLinks(scope, owner, column, undefined, storedLinks(values[column.id]).ids)
  }
  await fireAssignment(scope, block.id, newlyAssigned(dataSource.properties, {}, values))
}

/** Changes values of a row. @returns whether anything has changed */
export async function updateRow(
  scope: WriteScope,
  dataSource: DataSource,
  block: Block,
  values: RowValues,
  { title, byId: written }: WrittenValues,
): Promise<boolean> {
  const { workspaceId } = scope.actor
  const byId = await withUnseen(scope, dataSource, block, values, written)
  const owner = ownerOf(block)
  const isRow = block.parentType === 'data_source_id'
  const changed = dataSource.properties.filter(({ id }) => byId.has(id) && !isSameJson(byId.get(id), values[id]))
  const titleChanged = title !== undefined && !isSameJson(title, block.content['title'])
  if (titleChanged) {
    await updateContent(scope.db, workspaceId, block.id, { ...block.content, title })
    const column = dataSource.properties.find(({ type }) => type === 'title')
    if (column && isRow) await replaceCells(scope, owner, column, block.content['title'], title)
  }
  const properties = [...(titleChanged ? ['title'] : []), ...changed.map(({ id }) => id)]
  if (properties.length > 0) await recordEvent(scope, { type: 'page.properties_updated', id: block.id, properties })
  if (changed.length === 0) return titleChanged
  const next = valuesOfColumns(dataSource, values)
  for (const { id } of changed) {
    const stored = byId.get(id)
    if (stored === undefined) delete next[id]
    else next[id] = stored
  }
  await keepRowValues(scope, block.id, values, next, 'body.properties')
  if (!isRow) return true
  for (const column of changed) {
    if (column.type === 'relation') {
      await writeLinks(scope, owner, column, storedLinks(values[column.id]), storedLinks(next[column.id]).ids)
    } else await replaceCells(scope, owner, column, values[column.id], next[column.id])
  }
  await fireAssignment(scope, block.id, newlyAssigned(changed, values, next))
  return true
}

/** The written values, in which relations keep links to pages that are not visible to the caller. */
async function withUnseen(
  scope: WriteScope,
  { properties }: DataSource,
  { id: pageId, parentType }: Block,
  values: RowValues,
  written: WrittenValues['byId'],
): Promise<WrittenValues['byId']> {
  const byId = new Map(written)
  if (parentType !== 'data_source_id') return byId
  for (const column of properties) {
    if (column.type !== 'relation' || !byId.has(column.id)) continue
    const links = await withUnseenLinks(scope, pageId, column, storedLinks(values[column.id]), storedLinks(byId.get(column.id)))
    byId.set(column.id, links.ids.length === 0 ? undefined : links)
  }
  return byId
}

/** Drops the values of deleted columns, so that documents do not grow with every column that is added and deleted. */
function valuesOfColumns({ allProperties }: DataSource, values: RowValues): Record<string, unknown> {
  return Object.fromEntries(allProperties.flatMap(({ id }) => (values[id] === undefined ? [] : [[id, values[id]]])))
}

export function ownerOf({ id, parentId, inTrash, createdTime }: Block): CellOwner {
  return { pageId: id, dataSourceId: parentId, inTrash, createdTime }
}

export function cellsOf({ id, type }: StoredProperty, stored: unknown): Cell[] {
  return cellKeysOf(type, stored).map((key, position) => ({ ...key, propertyId: id, position }))
}

async function replaceCells(
  scope: WriteScope,
  owner: CellOwner,
  column: StoredProperty,
  before: unknown,
  after: unknown,
): Promise<void> {
  if (cellsOf(column, before).length > 0) await deleteCells(scope.db, scope.actor.workspaceId, owner.pageId, column.id)
  await insertCellsOf(scope, owner, cellsOf(column, after))
}
