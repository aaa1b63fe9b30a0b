import { findBlocks } from '../../../store/blocks.ts'
import { pagesLinkedTo } from '../../../store/cells.ts'
import { findPageRecords } from '../../../store/pages.ts'
import type { DataSource } from '../data_sources/load.ts'
import { storedLinks } from '../properties/stored_values.ts'
import { facetsOf } from '../property_types/index.ts'
import { computeValues } from '../rows/computed.ts'
import { valueFacts } from '../rows/payload.ts'
import type { Row } from '../rows/row.ts'
import type { Scope } from '../../shared/index.ts'
import type { LoadedRow, Needs } from './loaded_row.ts'

/** Loads rows by id, with the required data. Rows that no longer exist are omitted. */
export async function loadRows(
  scope: Scope,
  dataSource: DataSource,
  ids: readonly string[],
  { columns, links }: Needs,
): Promise<Map<string, LoadedRow>> {
  const { workspaceId } = scope.actor
  const [blocks, records] = [await findBlocks(scope.db, workspaceId, ids), await findPageRecords(scope.db, workspaceId, ids)]
  const rows = ids.flatMap((id): Row[] => {
    const [block, record] = [blocks.get(id), records.get(id)]
    return block && record ? [{ block, ...record }] : []
  })
  const facts = await valueFacts(scope, rows, columns)
  const computedColumns = columns.filter(({ type }) => facetsOf(type).value.present === 'computed')
  const computed = computedColumns.length === 0 ? new Map() : await computeValues(scope, dataSource, rows, computedColumns, true)
  const known = await findLinks(scope, rows, links)
  return new Map(
    rows.map((row) => {
      const { id } = row.block
      const leadsTo = (propertyId: string, pageId: string): boolean => known.has(`${id} ${propertyId} ${pageId}`)
      return [id, { ...row, facts, computed: computed.get(id) ?? new Map(), leadsTo }]
    }),
  )
}

async function findLinks(scope: Scope, rows: readonly Row[], links: Needs['links']): Promise<Set<string>> {
  const found = new Set<string>()
  for (const { propertyId, pageId } of links) {
    const long = rows.filter(({ values }) => storedLinks(values[propertyId]).more).map(({ block }) => block.id)
    for (const id of await pagesLinkedTo(scope.db, scope.actor.workspaceId, long, propertyId, pageId))
      found.add(`${id} ${propertyId} ${pageId}`)
  }
  return found
}
