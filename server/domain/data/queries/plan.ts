import { yieldToEventLoop } from '../../../kernel/yield_to_event_loop.ts'
import type { Key, AccessPath, RowSet } from '../../../store/access_paths.ts'
import { countRowsAlong, type KeyRange } from '../../../store/row_scans.ts'
import { ANY_ROW, type Bound, type RowTest } from '../../../store/row_tests.ts'
import type { Scope } from '../../shared/index.ts'
import type { QueryLimits } from './limits.ts'
import type { SortValue } from './sort_source.ts'
import type { ParsedSort } from './sorts.ts'

/** One range of an index that a query scans. */
export interface ScanSegment {
  readonly path: AccessPath
  /** Restricts the range to rows with this key. */
  readonly key?: Key
  readonly direction: 'ascending' | 'descending'
  readonly bounds: readonly Bound[]
  /** Restricts the range to rows that pass this test. */
  readonly within?: RowTest
  /** The values of the first sorts, which all rows of the segment share. A last entry `key` stands for each row's index key. */
  readonly values: readonly (SortValue | 'key')[]
}

export interface Plan {
  readonly segments: readonly ScanSegment[]
  /**
   * Whether the segments and the values of their rows are in the order of the query, with the remaining sorts deciding between equal
   * values. Otherwise, rows are in no particular order and may occur twice.
   */
  readonly isSorted: boolean
}

/** Chooses the access path of a query: the segments to scan and the order in which they yield rows. */
export async function planOf(
  scope: Scope,
  rows: RowSet,
  test: RowTest,
  sorts: readonly ParsedSort[],
  { candidates }: QueryLimits,
): Promise<Plan> {
  const few = await fewCandidates(scope, rows, test, candidates)
  if (few) return { segments: few, isSorted: false }
  const [first] = sorts
  const path: AccessPath = { along: 'creation' }
  const all: ScanSegment = { path, direction: 'descending', bounds: boundsAlong(path, test), values: [] }
  const segments = first ? segmentsOf(first, all, test) : [all]
  return { segments: segments ?? [all], isSorted: segments !== undefined }
}

/**
 * The segments of a group of rows with equal values, in the order of the next sort. They examine few rows of a large group, unless the
 * values of the next sort depend on the group.
 */
export function segmentsOfGroup(
  group: ScanSegment,
  sorts: readonly ParsedSort[],
  test: RowTest,
): readonly ScanSegment[] | undefined {
  const next = sorts[group.values.length]
  return next && !group.values.includes('key') ? segmentsOf(next, group, test) : undefined
}

/** The segments for some rows, given as `all`, in the order of a sort; undefined if no index has that order. */
function segmentsOf({ source, direction }: ParsedSort, all: ScanSegment, test: RowTest): ScanSegment[] | undefined {
  const within = membershipOf(all)
  if (within === undefined) return undefined
  const along = (path: AccessPath): ScanSegment => {
    return { path, direction, bounds: boundsAlong(path, test), within, values: [...all.values, 'key'] }
  }
  const fixed = (path: AccessPath, key: Key, value: SortValue): ScanSegment => {
    return { path, key, direction: 'ascending', bounds: [], within, values: [...all.values, value] }
  }
  /** The rows without a value for a property; none if the test requires a value. */
  const without = (propertyId: string, value: SortValue): ScanSegment[] => {
    if (conjuncts(test).some((part) => 'propertyId' in part && part.propertyId === propertyId)) return []
    const none: RowTest = { kind: 'not', test: { kind: 'has', propertyId, isText: false } }
    return [{ ...all, within: bothOf(all.within ?? ANY_ROW, none), values: [...all.values, value] }]
  }
  switch (source.kind) {
    case 'numbers':
    case 'dates':
    case 'texts':
      return [along({ along: source.kind, propertyId: source.propertyId }), ...without(source.propertyId, null)]
    case 'creation':
    case 'edits':
      return [along({ along: source.kind })]
    case 'checkbox': {
      const checked = fixed({ along: 'numbers', propertyId: source.propertyId }, [1], 1)
      const unchecked = without(source.propertyId, 0)
      return direction === 'ascending' ? [...unchecked, checked] : [checked, ...unchecked]
    }
    case 'options': {
      const path: AccessPath = { along: 'texts', propertyId: source.propertyId }
      const asked = conjuncts(test).find((part) => part.kind === 'keys' && part.propertyId === source.propertyId)
      const segments = source.order.flatMap((id, place) =>
        asked?.kind === 'keys' && !asked.keys.includes(id) ? [] : [fixed(path, [id], place)],
      )
      return [...(direction === 'ascending' ? segments : segments.toReversed()), ...without(source.propertyId, null)]
    }
    case 'verification':
    case 'people':
    case 'pages':
    case 'author':
    case 'value':
      return undefined
  }
}

/** The test that exactly the rows of a segment pass, for use on any access path, or undefined. */
function membershipOf({ path, key, within = ANY_ROW }: ScanSegment): RowTest | undefined {
  if (key === undefined) return within
  const [first = ''] = key
  if (path.along === 'texts') return bothOf(within, { kind: 'keys', propertyId: path.propertyId, keys: [String(first)] })
  if (path.along !== 'numbers') return undefined
  const bounds = [{ operator: '=', value: Number(first) }] as const
  return bothOf(within, { kind: 'number', propertyId: path.propertyId, along: 'numbers', bounds })
}

export function bothOf(one: RowTest, other: RowTest): RowTest {
  return { kind: 'all', tests: [one, other].flatMap(conjuncts) }
}

/** The conjuncts of a test: every matching row passes all of them. */
function conjuncts(test: RowTest): readonly RowTest[] {
  return test.kind === 'all' ? test.tests.flatMap(conjuncts) : [test]
}

/** The bounds that a test puts on the first key of an access path. */
function boundsAlong(path: AccessPath, test: RowTest): Bound[] {
  return conjuncts(test).flatMap((part) => {
    if (part.kind === 'number') return 'propertyId' in path && part.propertyId === path.propertyId ? part.bounds : []
    if (part.kind !== 'time') return []
    return path.along === (part.column === 'created_time' ? 'creation' : 'edits') ? part.bounds : []
  })
}

/** Segments that contain every row that may pass, if an index can narrow them down to at most `most`. */
async function fewCandidates(scope: Scope, rows: RowSet, test: RowTest, most: number): Promise<ScanSegment[] | undefined> {
  let best: { readonly segments: ScanSegment[]; readonly count: number } | undefined
  for (const part of conjuncts(test)) {
    const segments = segmentsMeeting(part)
    if (segments === undefined) continue
    let count = 0
    for (const segment of segments) {
      if (count > most) break
      count += await countRowsAlong(scope.db, rows, segment.path, keyRangeOf(segment), most + 1 - count)
    }
    if (count <= (best?.count ?? most)) best = { segments, count }
    await yieldToEventLoop()
  }
  return best?.segments
}

/** Segments that contain exactly the rows that pass a test; undefined if no index range does. */
export function segmentsMeeting(test: RowTest): ScanSegment[] | undefined {
  const along = (path: AccessPath): ScanSegment[] => {
    return [{ path, direction: 'ascending', bounds: boundsAlong(path, test), values: [] }]
  }
  if (test.kind === 'keys') {
    const path: AccessPath = { along: 'texts', propertyId: test.propertyId }
    return test.keys.map((key) => ({ path, key: [key], direction: 'ascending', bounds: [], values: [] }))
  }
  if (test.kind === 'number') return along({ along: test.along, propertyId: test.propertyId })
  return test.kind === 'time' ? along({ along: test.column === 'created_time' ? 'creation' : 'edits' }) : undefined
}

export function keyRangeOf({ key, direction, bounds }: ScanSegment): KeyRange {
  return key ? { key } : { afterKey: undefined, direction, bounds }
}
