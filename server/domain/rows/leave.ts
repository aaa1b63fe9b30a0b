import type { Block } from '../../store/blocks.ts'
import { deleteCellsOfPage } from '../../store/cells.ts'
import { addToRowCount } from '../../store/data_sources.ts'
import { findRowValues, updateRowValues } from '../../store/row_values.ts'
import { dataSourceOfRow } from '../data_sources/load.ts'
import { linksOf } from '../properties/value_kinds.ts'
import type { WriteScope } from '../scope.ts'
import { writeLinks } from './links.ts'
import { ownerOf } from './write.ts'

/** Takes a page out of its data source: nothing is left of it there but links of one-way relations. The title stays with the page. */
export async function leaveDataSource(scope: WriteScope, block: Block): Promise<void> {
  const { db, actor } = scope
  const dataSource = await dataSourceOfRow(scope, block)
  const values = (await findRowValues(db, actor.workspaceId, [block.id])).get(block.id) ?? {}
  await updateRowValues(db, actor.workspaceId, block.id, null)
  if (block.parentType !== 'data_source_id') return
  for (const column of dataSource.properties) {
    if (column.type === 'relation') await writeLinks(scope, ownerOf(block), column, linksOf(values[column.id]), [])
  }
  await deleteCellsOfPage(db, actor.workspaceId, block.id)
  await addToRowCount(db, actor.workspaceId, dataSource.id, -1)
}
