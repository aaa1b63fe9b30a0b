import { outerRules } from '../../cli/src/outer_rules.ts'
import { damagedCells } from '../../server/store/stored/damaged_cells.ts'
import type { TestServer } from './server.ts'

/** Findings of `doctor` in the cells of a database. Requests must never cause any. */
export async function damageIn({ service: { database } }: TestServer): Promise<string[]> {
  return Array.fromAsync(damagedCells(database, await outerRules()))
}
