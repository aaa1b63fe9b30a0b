import type { Connection } from '../database.ts'
import { findRowsById } from '../rows_by_id.ts'
import type { NamedRow } from './column_values.ts'
import { isId, type Mismatch } from './form.ts'

/** How many ids one statement looks for. */
const IDS_AT_ONCE = 1_000

/** A problem that exists only if all these rows are missing. */
export interface PossibleMismatch extends Mismatch {
  readonly unless: readonly Pick<NamedRow, 'table' | 'id'>[]
}

/**
 * Looks for rows.
 * @returns a function that tells whether one of some rows exists
 */
export async function presenceOf(
  db: Connection,
  workspaceId: string,
  named: readonly Pick<NamedRow, 'table' | 'id'>[],
): Promise<(row: Pick<NamedRow, 'table' | 'id'>) => boolean> {
  const wanted = Map.groupBy(named, ({ table }) => table)
  const existing = new Set<string>()
  for (const [table, rows] of wanted) {
    const ids = [...new Set(rows.map(({ id }) => id))].filter(isId)
    for (let start = 0; start < ids.length; start += IDS_AT_ONCE) {
      const found = await findRowsById(db, { id: 'text' }, table, workspaceId, ids.slice(start, start + IDS_AT_ONCE))
      for (const { id } of found) existing.add(`${table} ${id}`)
    }
  }
  return ({ table, id }) => existing.has(`${table} ${id}`)
}
