import { yieldToEventLoop } from '../../kernel/yield_to_event_loop.ts'
import type { Key, AccessPath, RowSet, Tie } from '../../store/access_paths.ts'
import { countPassing, countRowsAlong, samplePassing } from '../../store/row_scans.ts'
import { hasUnknown, usesBlock, sizeOf, type RowTest } from '../../store/row_tests.ts'
import { countRows } from '../../store/data_sources.ts'
import type { Scope } from '../scope.ts'
import type { QueryLimits } from './limits.ts'
import { AdaptiveBatches } from './adaptive_batches.ts'
import { segmentsMeeting, keyRangeOf } from './plan.ts'
import { rowSetOf, type ParsedQuery } from './select.ts'

const ROWS_AT_FIRST = 1_000
const EVERY_ROW = { afterKey: undefined, direction: 'descending', bounds: [] } as const

/**
 * Whether more rows match than a query returns. False where the answer would be expensive or would need the documents of the rows;
 * the last page then reports the limit.
 */
export async function exceedsLimit(
  scope: Scope,
  { schema, criterion, inTrash }: ParsedQuery,
  limits: QueryLimits,
): Promise<boolean> {
  const limit = limits.rows
  const { dataSource } = schema
  if ((await countRows(scope.db, scope.actor.workspaceId, dataSource.id)) <= limit) return false
  const rows = rowSetOf(scope, dataSource, inTrash)
  const parts = criterion.test.kind === 'all' ? criterion.test.tests : [criterion.test]
  let among: { readonly path: AccessPath; readonly key: Key; readonly test: RowTest } | undefined
  for (const test of parts) {
    const segments = segmentsMeeting(test) ?? []
    const [segment] = segments
    if (!segment || segments.length > 1) continue
    if ((await countRowsAlong(scope.db, rows, segment.path, keyRangeOf(segment), limit + 1)) <= limit) return false
    if (segment.key) among ??= { path: segment.path, key: segment.key, test }
    await yieldToEventLoop()
  }
  if (hasUnknown(criterion.test)) return false
  const rest = { kind: 'all' as const, tests: parts.filter((test) => test !== among?.test) }
  if (rest.tests.length === 0) {
    return among !== undefined || (await countRowsAlong(scope.db, rows, { along: 'creation' }, EVERY_ROW, limit + 1)) > limit
  }
  const sampled = usesBlock(rest) ? undefined : await estimateFromSample(scope, rows, among, rest, limits)
  if (sampled !== undefined) return sampled
  const size = sizeOf(criterion.test)
  const batches = new AdaptiveBatches(scope, limits, ROWS_AT_FIRST / (1 + size))
  let [passed, after]: [number, Tie | undefined] = [0, undefined]
  for (let looked = 0; looked < limits.counted / (1 + size / 2);) {
    const counted = await batches.step(async (count) => {
      looked += count
      return countPassing(scope.db, rows, among, after, rest, count)
    })
    passed += counted.passed
    after = counted.last
    if (passed > limit) return true
    if (!after) return false
  }
  return false
}

/** A sample is read in one statement. With more tests it would have to be too small to be conclusive. */
const SAMPLED_TESTS_MAX = 4

/** A sample may give the wrong answer at most once in this many times. */
const WRONG_ONCE_IN = 1e9

/**
 * Estimates from a sample whether more rows match than a query returns; undefined where the sample is not conclusive. Counting is
 * slow because the rows are scattered on the disk. Ids are random, so a range of ids is a fair sample; Hoeffding's inequality
 * bounds its error.
 */
async function estimateFromSample(
  scope: Scope,
  rows: RowSet,
  among: { readonly path: AccessPath; readonly key: Key } | undefined,
  test: RowTest,
  { rows: limit, sample: { size, of } }: QueryLimits,
): Promise<boolean | undefined> {
  const tests = sizeOf(test)
  if (tests > SAMPLED_TESTS_MAX) return undefined
  const { total, looked, passed, unknown } = await samplePassing(scope.db, rows, among, test, idRange(size / of / tests), of)
  await yieldToEventLoop()
  if (looked === 0) return undefined
  const error = Math.sqrt(Math.log(2 * WRONG_ONCE_IN) / (2 * looked))
  if (total * (passed / looked - error) > limit) return true
  return total < of && total * ((passed + unknown) / looked + error) <= limit ? false : undefined
}

/** A range that holds this share of all ids, starting at a random place. */
function idRange(share: number): { from: string; to: string } {
  const STARTS = 0x10000
  const width = Math.min(STARTS, Math.max(1, Math.round(STARTS * share)))
  const start = Math.floor(Math.random() * (STARTS - width + 1))
  const hex = (place: number): string => place.toString(16).padStart(4, '0')
  return {
    from: `${hex(start)}0000-0000-0000-0000-000000000000`,
    to: `${hex(start + width - 1)}ffff-ffff-ffff-ffff-ffffffffffff`,
  }
}
