import type { Block } from '../../../store/blocks.ts'
import { deleteCellsOfPage } from '../../../store/cells.ts'
import { addToRowCount } from '../../../store/data_sources.ts'
import { findRowValues, updateRowValues } from '../../../store/row_values.ts'
import type { RowValues } from '../../../store/pages.ts'
import { dataSourceOfRow, hasColumns, type DataSource } from '../data_sources/load.ts'
import type { StoredProperty } from '../properties/stored.ts'
import { ValueNotes } from '../properties/value_notes.ts'
import { ReferenceList } from '../../content/index.ts'
import { storedLinks } from '../properties/stored_values.ts'
import { facetsOf } from '../property_types/index.ts'
import type { WriteScope } from '../../shared/index.ts'
import { writeLinks } from './links.ts'
import { insertRow } from './create.ts'
import { ownerOf } from './write.ts'

/** Removes a page from its data source. The page keeps its title. Only links to it from one-way relations remain. */
export async function removeFromDataSource(scope: WriteScope, block: Block): Promise<void> {
  const { db, actor } = scope
  const dataSource = await dataSourceOfRow(scope, block)
  const values = (await findRowValues(db, actor.workspaceId, [block.id])).get(block.id) ?? {}
  await updateRowValues(db, actor.workspaceId, block.id, null)
  if (block.parentType !== 'data_source_id') return
  for (const column of dataSource.properties) {
    if (column.type === 'relation') await writeLinks(scope, ownerOf(block), column, storedLinks(values[column.id]), [])
  }
  await deleteCellsOfPage(db, actor.workspaceId, block.id)
  await addToRowCount(db, actor.workspaceId, dataSource.id, -1)
}

/** The values that a page keeps when it moves to another data source: those of columns with the same name and type in both. */
export async function valuesForSource(scope: WriteScope, block: Block, target: DataSource): Promise<RowValues> {
  if (!hasColumns(block)) return {}
  const before = await dataSourceOfRow(scope, block)
  const values = (await findRowValues(scope.db, scope.actor.workspaceId, [block.id])).get(block.id) ?? {}
  await removeFromDataSource(scope, block)
  const kept: Record<string, unknown> = {}
  for (const column of target.properties) {
    const value = transferredValue(before.properties, values, column)
    if (value !== undefined) kept[column.id] = value
  }
  return kept
}

/** The value of the column with the same name and type, converted to another column; undefined if it is not kept. */
export function transferredValue(columns: readonly StoredProperty[], values: RowValues, to: StoredProperty): unknown {
  const from = columns.find(({ name, type }) => name === to.name && type === to.type)
  const stored = from && values[from.id]
  if (from === undefined || stored === undefined) return undefined
  const { transfer } = facetsOf(to.type).value
  if (typeof transfer === 'function') return transfer(stored, from, to)
  return transfer === 'unchanged' ? stored : undefined
}

/** Writes the values of a page that was moved into a data source, including those that the service sets. */
export async function enterDataSource(scope: WriteScope, block: Block, dataSource: DataSource, values: RowValues): Promise<void> {
  const notes = new ValueNotes(new ReferenceList(), scope.actor.userId)
  const written = { title: undefined, byId: new Map(Object.entries(values)), notes }
  await insertRow(scope, dataSource, block, written)
}
