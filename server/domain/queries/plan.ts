import { yieldToEventLoop } from '../../kernel/yield_to_event_loop.ts'
import type { Key, AccessPath, RowSet } from '../../store/access_paths.ts'
import { countRowsAlong, type KeyRange } from '../../store/row_scans.ts'
import type { Bound, RowTest } from '../../store/row_tests.ts'
import type { Scope } from '../scope.ts'
import type { QueryLimits } from './limits.ts'
import type { SortValue } from './sort_source.ts'
import type { ParsedSort } from './sorts.ts'

/** One range of an index that a query scans. */
export interface ScanSegment {
  readonly path: AccessPath
  /** Restricts the range to rows of this key. */
  readonly key?: Key
  readonly direction: 'ascending' | 'descending'
  readonly bounds: readonly Bound[]
  /** Restricts the range to rows without a value for this property. */
  readonly without?: string
  /** The value of the first sort for all rows of the segment; `key` if it is the index key of each row. */
  readonly value: SortValue | 'key'
}

export interface Plan {
  readonly segments: readonly ScanSegment[]
  /**
   * `exact`: the scan yields rows in the order of the query. `grouped`: in the order of the first sort; the other sorts order rows
   * with equal values. `none`: in no particular order, and a row may occur twice.
   */
  readonly order: 'exact' | 'grouped' | 'none'
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
  if (few) return { segments: few, order: 'none' }
  const [first, second] = sorts
  const segments = first ? segmentsOf(first, test) : [segment({ along: 'creation' }, 'descending', test)]
  if (segments === undefined) return { segments: [segment({ along: 'creation' }, 'descending', test)], order: 'none' }
  return { segments, order: second ? 'grouped' : 'exact' }
}

/** The segments that yield rows in the order of a sort; undefined where no index has that order. */
function segmentsOf({ source, direction }: ParsedSort, test: RowTest): ScanSegment[] | undefined {
  switch (source.kind) {
    case 'numbers':
    case 'dates':
    case 'texts': {
      const path: AccessPath = { along: source.kind, propertyId: source.propertyId }
      return [segment(path, direction, test), ...without(source.propertyId, null, test)]
    }
    case 'creation':
    case 'edits':
      return [segment({ along: source.kind }, direction, test)]
    case 'checkbox': {
      const checked = fixed({ along: 'numbers', propertyId: source.propertyId }, [1], 1)
      const unchecked = without(source.propertyId, 0, test)
      return direction === 'ascending' ? [...unchecked, checked] : [checked, ...unchecked]
    }
    case 'options': {
      const path: AccessPath = { along: 'texts', propertyId: source.propertyId }
      const asked = conjuncts(test).find((part) => part.kind === 'keys' && part.propertyId === source.propertyId)
      const segments = source.order.flatMap((id, place) =>
        asked?.kind === 'keys' && !asked.keys.includes(id) ? [] : [fixed(path, [id], place)],
      )
      return [...(direction === 'ascending' ? segments : segments.toReversed()), ...without(source.propertyId, null, test)]
    }
    case 'verification':
    case 'people':
    case 'pages':
    case 'author':
    case 'value':
      return undefined
  }
}

function segment(path: AccessPath, direction: ScanSegment['direction'], test: RowTest): ScanSegment {
  return { path, direction, bounds: boundsAlong(path, test), value: 'key' }
}

function fixed(path: AccessPath, key: Key, value: SortValue | 'key'): ScanSegment {
  return { path, key, direction: 'ascending', bounds: [], value }
}

/** The segment of rows without a value for a property; none where the test requires a value. */
function without(propertyId: string, value: SortValue, test: RowTest): ScanSegment[] {
  const asksForOne = conjuncts(test).some((part) => 'propertyId' in part && part.propertyId === propertyId)
  const path: AccessPath = { along: 'creation' }
  return asksForOne ? [] : [{ path, direction: 'descending', bounds: [], without: propertyId, value }]
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

/** Segments that hold every row which may pass, where an index can narrow them down to at most `most`. */
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

/** Segments that hold exactly the rows which pass a test; undefined where no index range does. */
export function segmentsMeeting(test: RowTest): ScanSegment[] | undefined {
  if (test.kind === 'keys') {
    return test.keys.map((key) => fixed({ along: 'texts', propertyId: test.propertyId }, [key], 'key'))
  }
  if (test.kind === 'number') return [segment({ along: test.along, propertyId: test.propertyId }, 'ascending', test)]
  if (test.kind !== 'time') return undefined
  return [segment({ along: test.column === 'created_time' ? 'creation' : 'edits' }, 'ascending', test)]
}

export function keyRangeOf({ key, direction, bounds }: ScanSegment): KeyRange {
  return key ? { key } : { afterKey: undefined, direction, bounds }
}
