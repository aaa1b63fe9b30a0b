import type { Key, RowSet, Tie } from '../../store/access_paths.ts'
import { isInOrder, scanRows, type ScannedRow, type SortColumn, type KeyRange } from '../../store/row_scans.ts'
import type { RowTest } from '../../store/row_tests.ts'
import type { Scope } from '../scope.ts'
import type { AdaptiveBatches } from './adaptive_batches.ts'
import type { ScanSegment } from './plan.ts'

/** What a scan reads: the rows, the test that they have to pass, and the sort columns to fetch. */
export interface Scan {
  readonly scope: Scope
  readonly rows: RowSet
  readonly test: RowTest
  readonly columns: readonly SortColumn[]
  readonly batches: AdaptiveBatches
}

/** Where a scan starts: after a row, or at the first row of a key. */
export interface ScanStart {
  readonly key: Key
  readonly after?: Tie | undefined
}

/** Scans a segment in order, in batches. Rows that fail the test are included. */
export async function* scanSegment(scan: Scan, segment: ScanSegment, start: ScanStart | undefined): AsyncGenerator<ScannedRow[]> {
  const own = segment.without === undefined ? scan : { ...scan, test: withoutValue(scan.test, segment.without) }
  if (segment.key) return yield* scanKey(own, segment, { key: segment.key, after: start?.after })
  if (start) yield* scanKey(own, segment, start)
  yield* isInOrder(segment.path, segment.direction)
    ? scanForward(own, segment, start?.key)
    : scanBackward(own, segment, start?.key)
}

function withoutValue(test: RowTest, propertyId: string): RowTest {
  return { kind: 'all', tests: [{ kind: 'not', test: { kind: 'has', propertyId, isText: false } }, test] }
}

interface Step {
  readonly found: ScannedRow[]
  /** Whether these are the last rows. */
  readonly isEnd: boolean
}

function step({ scope, rows, test, columns, batches }: Scan, { path }: ScanSegment, range: KeyRange): Promise<Step> {
  return batches.step(async (limit) => {
    const found = await scanRows(scope.db, rows, path, range, test, columns, limit)
    return { found, isEnd: found.length < limit }
  })
}

/** Scans the rows of one key. */
async function* scanKey(scan: Scan, segment: ScanSegment, start: ScanStart): AsyncGenerator<ScannedRow[]> {
  for (let after = start.after; ;) {
    const { found, isEnd } = await step(scan, segment, { key: start.key, after })
    yield found
    if (isEnd) return
    after = found.at(-1)
  }
}

/** Scans in the direction of the index. */
async function* scanForward(scan: Scan, segment: ScanSegment, after: Key | undefined): AsyncGenerator<ScannedRow[]> {
  const { direction, bounds } = segment
  for (let afterKey = after; ;) {
    const { found, isEnd } = await step(scan, segment, { afterKey, direction, bounds })
    yield found
    const last = found.at(-1)
    if (isEnd || !last) return
    yield* scanKey(scan, segment, { key: last.key, after: last })
    afterKey = last.key
  }
}

/** Scans against the index. Rows of equal keys come in the wrong order: they are reversed, or scanned separately if many. */
async function* scanBackward(scan: Scan, segment: ScanSegment, after: Key | undefined): AsyncGenerator<ScannedRow[]> {
  const { direction, bounds } = segment
  for (let afterKey = after; ;) {
    const { found, isEnd } = await step(scan, segment, { afterKey, direction, bounds })
    const groups = groupsOf(found)
    const last = isEnd ? undefined : groups.pop()
    yield groups.flatMap((group) => group.toReversed())
    if (!last?.[0]) return
    const { key } = last[0]
    if (groups.length > 0) afterKey = groups.at(-1)?.[0]?.key
    else {
      yield* scanKey(scan, segment, { key })
      afterKey = key
    }
  }
}

function groupsOf(rows: readonly ScannedRow[]): ScannedRow[][] {
  const groups: ScannedRow[][] = []
  for (const row of rows) {
    const last = groups.at(-1)
    if (last?.[0] && last[0].key.every((part, place) => part === row.key[place])) last.push(row)
    else groups.push([row])
  }
  return groups
}
