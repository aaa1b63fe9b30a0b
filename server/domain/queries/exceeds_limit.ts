import { random } from '../../kernel/random.ts'
import { yieldToEventLoop } from '../../kernel/yield_to_event_loop.ts'
import type { Key, AccessPath, RowSet, Tie } from '../../store/access_paths.ts'
import { countPassing, hasMoreRowsAlong } from '../../store/row_scans.ts'
import { hasUnknown, sizeOf, type RowTest } from '../../store/row_tests.ts'
import { countRows } from '../../store/data_sources.ts'
import { samplePassing } from '../../store/sample_passing.ts'
import type { Scope } from '../scope.ts'
import type { QueryLimits } from './limits.ts'
import { AdaptiveBatches } from './adaptive_batches.ts'
import { segmentsMeeting, keyRangeOf } from './plan.ts'
import { rowSetOf, type ParsedQuery } from './select.ts'

const ROWS_AT_FIRST = 1_000
const CREATION: AccessPath = { along: 'creation' }
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
  const count = await countRows(scope.db, scope.actor.workspaceId, dataSource.id)
  if (count <= limit) return false
  const rows = rowSetOf(scope, dataSource, inTrash)
  const parts = criterion.test.kind === 'all' ? criterion.test.tests : [criterion.test]
  let among: { readonly path: AccessPath; readonly key: Key; readonly test: RowTest } | undefined
  for (const test of parts) {
    const segments = segmentsMeeting(test) ?? []
    const [segment] = segments
    if (!segment || segments.length > 1) continue
    if (!(await hasMoreRowsAlong(scope.db, rows, segment.path, keyRangeOf(segment), limit))) return false
    if (segment.key) among ??= { path: segment.path, key: segment.key, test }
    await yieldToEventLoop()
  }
  if (hasUnknown(criterion.test)) return false
  const rest = { kind: 'all' as const, tests: parts.filter((test) => test !== among?.test) }
  if (rest.tests.length === 0) {
    return among !== undefined || hasMoreRowsAlong(scope.db, rows, CREATION, EVERY_ROW, limit)
  }
  const sampled = await estimateFromSample(scope, rows, criterion.test, count, limits)
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

/** A sample may give the wrong answer at most once in this many times. */
const WRONG_ONCE_IN = 1e9

/**
 * Estimates from a sample whether more rows match than a query returns; undefined where the sample is not conclusive. Counting is
 * slow because rows of equal values are scattered on the disk. The sample grows until it decides: by the inequality of Chernoff and
 * Hoeffding, n rows of which the share p passes mislead with a probability of at most exp(-n · divergence of p from the share asked for).
 */
async function estimateFromSample(
  scope: Scope,
  rows: RowSet,
  test: RowTest,
  count: number,
  { rows: limit, sample: { size, of } }: QueryLimits,
): Promise<boolean | undefined> {
  const asked = limit / count
  const parts = Math.ceil(of / size)
  const enough = Math.log(2 * parts * WRONG_ONCE_IN)
  const step = Math.ceil(size / Math.max(1, sizeOf(test)))
  let [looked, passed, unknown] = [0, 0, 0]
  let after: string | undefined = randomStart()
  for (let part = 0; part < parts && after !== undefined; part += 1) {
    scope.requireTime?.()
    const found = await samplePassing(scope.db, rows, test, after, step)
    await yieldToEventLoop()
    looked += found.looked
    passed += found.passed
    unknown += found.unknown
    const [least, most] = [passed / looked, (passed + unknown) / looked]
    if (least > asked && looked * divergence(least, asked) > enough) return true
    if (most < asked && looked * divergence(most, asked) > enough) return false
    after = found.last
  }
  return undefined
}

/** How far a share is from another one: the divergence of Kullback and Leibler between two coins. */
function divergence(one: number, other: number): number {
  const part = (share: number, of: number): number => (share === 0 ? 0 : share * Math.log(share / of))
  return part(one, other) + part(1 - one, 1 - other)
}

/** An id in the lower half of all ids, so that as many follow. */
function randomStart(): string {
  const start = random.int(0x8000)
  return `${start.toString(16).padStart(4, '0')}0000-0000-0000-0000-000000000000`
}
