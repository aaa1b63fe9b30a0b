import { schemaState } from '@workspace-service/server/store/migrations.ts'
import { damagedCells } from '@workspace-service/server/store/stored/damaged_cells.ts'
import { outerRules } from '../outer_rules.ts'
import { ok, problem, skipped, type CheckInput, type DoctorFinding } from './finding.ts'

const CHECK = 'content'
const SHOWN_MAX = 200

/** Whether every cell has a form that requests can store: ids, times, JSON, known words, references. */
export async function checkContent({ database }: CheckInput): Promise<DoctorFinding> {
  if (database === undefined) return skipped(CHECK, 'not checked without a database')
  if ((await schemaState(database)).pending.length > 0)
    return skipped(CHECK, 'not checked, because the schema is not that of this release')
  const found: string[] = []
  let count = 0
  for await (const text of damagedCells(database, await outerRules())) {
    count += 1
    if (found.length < SHOWN_MAX) found.push(text)
  }
  if (count === 0) return ok(CHECK, 'all stored values can be read')
  const more = count > found.length ? [`and ${count - found.length} more`] : []
  return problem(
    CHECK,
    [...found, ...more].join('; '),
    'Requests show these values as unreadable or empty. Restore the last good backup.',
  )
}
