import type { DataSource } from '../data_sources/load.ts'
import type { StoredProperty } from '../properties/stored.ts'
import type { Scope } from '../scope.ts'
import type { Row } from './row.ts'

/** Values of formulas and rollups as answers show them, by page and column. */
export type Computed = ReadonlyMap<string, ReadonlyMap<string, unknown>>

/** Computes formulas and rollups of rows from the data as it is stored now. */
export async function computeValues(
  _scope: Scope,
  _dataSource: DataSource,
  rows: readonly Row[],
  columns: readonly StoredProperty[],
): Promise<Computed> {
  const values = new Map<string, unknown>()
  for (const column of columns) {
    if (column.type === 'formula') values.set(column.id, { type: 'unsupported', unsupported: {} })
    if (column.type === 'rollup') values.set(column.id, { type: 'unsupported', unsupported: {}, function: column.function })
  }
  return new Map(rows.map(({ block }) => [block.id, values]))
}
