import type { PagePropertiesRequest } from '../../../generated/types.ts'
import type { Block } from '../../store/blocks.ts'
import { findRowValues } from '../../store/row_values.ts'
import { dataSourceOfRow } from '../data_sources/load.ts'
import { ValueNotes } from '../properties/value_notes.ts'
import type { ReferenceList } from '../references.ts'
import type { WriteScope } from '../scope.ts'
import { requireTargets } from './check.ts'
import { keepNewOptions, readWritten, updateRow } from './write.ts'

/** New values of a page of a data source, read and not yet written. */
export interface RowUpdate {
  /** Writes them. @returns whether anything has changed */
  keep(): Promise<boolean>
}

/** Reads the values of a request against the columns of the page's data source. */
export async function readRowUpdate(
  scope: WriteScope,
  block: Block,
  properties: PagePropertiesRequest | undefined,
  references: ReferenceList,
): Promise<RowUpdate> {
  if (properties === undefined) return { keep: () => Promise.resolve(false) }
  const dataSource = await dataSourceOfRow(scope, block)
  const notes = new ValueNotes(references, scope.actor.userId)
  const written = readWritten(dataSource, properties, notes)
  return {
    async keep() {
      await requireTargets(scope, notes)
      await keepNewOptions(scope, dataSource, notes)
      const values = (await findRowValues(scope.db, scope.actor.workspaceId, [block.id])).get(block.id) ?? {}
      return updateRow(scope, dataSource, block, values, written)
    },
  }
}
