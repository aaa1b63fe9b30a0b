import type { Key, RowSet, Tie } from '../../../store/access_paths.ts'
import { isInOrder, scanRows, type Examined, type ScannedRow, type SortColumn, type KeyRange } from '../../../store/row_scans.ts'
import type { RowTest } from '../../../store/row_tests.ts'
import type { Scope } from '../../shared/index.ts'
import type { Batches } from './batches.ts'
import { bothOf, type ScanSegment } from './plan.ts'
import type { SortValue } from './sort_source.ts'

/** The input of a scan: the rows, the test that they must pass, and the sort columns to read. */
export interface Scan {
  readonly scope: Scope
  readonly rows: RowSet
  readonly test: RowTest
  readonly columns: readonly SortColumn[]
  readonly batches: Batches
}

/** The start of a scan: after a row, or at the first row of a key. */
export interface ScanStart {
  readonly key: Key
  readonly after?: Tie | undefined
}

/**
 * A batch of rows that do not fail the test; or, instead of further rows of a key, a segment that contains them and the position from which
 * to scan it.
 */
export type ScanResult = readonly ScannedRow[] | { readonly rest: ScanSegment; readonly start: ScanStart | undefined }

/** Scans a segment in order, in batches. */
export async function* scanSegment(scan: Scan, segment: ScanSegment, start: ScanStart | undefined): AsyncGenerator<ScanResult> {
  const own = segment.within === undefined ? scan : { ...scan, test: bothOf(segment.within, scan.test) }
  if (segment.key) return yield* scanKey(own, segment, { key: segment.key, after: start?.after })
  if (start) yield { rest: segmentOfKey(segment, start.key), start }
  yield* scanKeys(own, segment, start?.key)
}

function segmentOfKey(segment: ScanSegment, key: Key): ScanSegment {
  return { ...segment, key, values: segment.values.map((value) => (value === 'key' ? valueOfKey(key) : value)) }
}

/** The sort value of rows with a key. */
export function valueOfKey(key: Key): SortValue {
  return key.length === 1 ? (key[0] ?? null) : key
}

function step({ scope, rows, test, columns, batches }: Scan, { path }: ScanSegment, range: KeyRange): Promise<Examined> {
  return batches.step((limit) => scanRows(scope.db, rows, path, range, test, columns, limit))
}

async function* scanKey(scan: Scan, segment: ScanSegment, start: ScanStart): AsyncGenerator<readonly ScannedRow[]> {
  let { after } = start
  do {
    const { found, last } = await step(scan, segment, { key: start.key, after })
    yield found
    after = last
  } while (after)
}

/**
 * Scans the rows beyond a key. In the direction opposite to the index, rows with equal keys come in the wrong order and are reversed. If a
 * batch may have ended within a key, the remaining rows of the key are scanned separately; in the opposite direction, all rows of the key
 * are.
 */
async function* scanKeys(scan: Scan, segment: ScanSegment, after: Key | undefined): AsyncGenerator<ScanResult> {
  const { path, direction, bounds } = segment
  const isForward = isInOrder(path, direction)
  for (let afterKey = after; ;) {
    const { found, last } = await step(scan, segment, { afterKey, direction, bounds })
    if (isForward) yield found
    else
      yield groupsOf(last ? found.filter(({ key }) => !isSameKey(key, last.key)) : found).flatMap((group) => group.toReversed())
    if (!last) return
    yield { rest: segmentOfKey(segment, last.key), start: isForward ? { key: last.key, after: last } : undefined }
    afterKey = last.key
  }
}

function groupsOf(rows: readonly ScannedRow[]): ScannedRow[][] {
  const groups: ScannedRow[][] = []
  for (const row of rows) {
    const last = groups.at(-1)
    if (last?.[0] && isSameKey(last[0].key, row.key)) last.push(row)
    else groups.push([row])
  }
  return groups
}

function isSameKey(one: Key, other: Key): boolean {
  return one.every((part, place) => part === other[place])
}
