import type { Key, Path, Tie } from '../../store/row_paths.ts'
import { countPassing, countRowsAlong } from '../../store/row_walks.ts'
import { asksDocuments, sizeOf, type RowTest } from '../../store/row_tests.ts'
import { countRows } from '../../store/data_sources.ts'
import type { Scope } from '../scope.ts'
import type { QueryLimits } from './limits.ts'
import { Pace } from './pace.ts'
import { segmentsMeeting, stretchOf } from './plan.ts'
import { rowSetOf, type ReadQuery } from './select.ts'

const ROWS_AT_FIRST = 1_000

/**
 * Whether more rows match than a query gives. Where that takes long to tell, or only the rows themselves can tell, the answer is no;
 * the last page then says so.
 */
export async function exceeds(scope: Scope, { schema, criterion, inTrash }: ReadQuery, limits: QueryLimits): Promise<boolean> {
  const limit = limits.rows
  const { dataSource } = schema
  if ((await countRows(scope.db, scope.actor.workspaceId, dataSource.id)) <= limit) return false
  const rows = rowSetOf(scope, dataSource, inTrash)
  const parts = criterion.test.kind === 'all' ? criterion.test.tests : [criterion.test]
  let among: { readonly path: Path; readonly key: Key; readonly test: RowTest } | undefined
  for (const test of parts) {
    const segments = segmentsMeeting(test) ?? []
    const [segment] = segments
    if (!segment || segments.length > 1) continue
    if ((await countRowsAlong(scope.db, rows, segment.path, stretchOf(segment), limit + 1)) <= limit) return false
    if (segment.key) among ??= { path: segment.path, key: segment.key, test }
  }
  if (asksDocuments(criterion.test)) return false
  const rest: RowTest = { kind: 'all', tests: parts.filter((test) => test !== among?.test) }
  const pace = new Pace(scope, limits, ROWS_AT_FIRST / (1 + sizeOf(criterion.test)))
  let [passed, after]: [number, Tie | undefined] = [0, undefined]
  for (let looked = 0; looked < limits.counted;) {
    const counted = await pace.step(async (count) => {
      looked += count
      return countPassing(scope.db, rows, among, after, rest, count)
    })
    passed += counted.passed
    after = counted.next
    if (passed > limit) return true
    if (!after) return false
  }
  return false
}
