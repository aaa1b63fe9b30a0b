import type { Key, RowSet, Tie } from '../../store/row_paths.ts'
import { isInOrder, lookAt, type LookedAt, type SortColumn, type Stretch } from '../../store/row_walks.ts'
import type { RowTest } from '../../store/row_tests.ts'
import type { Scope } from '../scope.ts'
import type { Pace } from './pace.ts'
import type { Segment } from './plan.ts'

/** What is looked for along a walk. */
export interface Search {
  readonly scope: Scope
  readonly rows: RowSet
  readonly test: RowTest
  readonly columns: readonly SortColumn[]
  readonly pace: Pace
}

/** Where a walk begins: at a row, which is left out, or at the first row of a key. */
export interface Start {
  readonly key: Key
  readonly after?: Tie | undefined
}

/** The rows of a segment in order, a few at a time, whether they pass or not. */
export async function* walkSegment(search: Search, segment: Segment, start: Start | undefined): AsyncGenerator<LookedAt[]> {
  const own = segment.without === undefined ? search : { ...search, test: withoutValue(search.test, segment.without) }
  if (segment.key) return yield* walkKey(own, segment, { key: segment.key, after: start?.after })
  if (start) yield* walkKey(own, segment, start)
  yield* isInOrder(segment.path, segment.direction) ? walkOn(own, segment, start?.key) : walkBack(own, segment, start?.key)
}

function withoutValue(test: RowTest, propertyId: string): RowTest {
  return { kind: 'all', tests: [{ kind: 'not', test: { kind: 'has', propertyId, isText: false } }, test] }
}

interface Step {
  readonly found: LookedAt[]
  /** There are no rows behind these. */
  readonly isEnd: boolean
}

function step({ scope, rows, test, columns, pace }: Search, { path }: Segment, stretch: Stretch): Promise<Step> {
  return pace.step(async (limit) => {
    const found = await lookAt(scope.db, rows, path, stretch, test, columns, limit)
    return { found, isEnd: found.length < limit }
  })
}

/** Rows of one key. */
async function* walkKey(search: Search, segment: Segment, start: Start): AsyncGenerator<LookedAt[]> {
  for (let after = start.after; ;) {
    const { found, isEnd } = await step(search, segment, { key: start.key, after })
    yield found
    if (isEnd) return
    after = found.at(-1)
  }
}

/** In the direction of the index. */
async function* walkOn(search: Search, segment: Segment, behind: Key | undefined): AsyncGenerator<LookedAt[]> {
  const { direction, bounds } = segment
  for (let beyond = behind; ;) {
    const { found, isEnd } = await step(search, segment, { beyond, direction, bounds })
    yield found
    const last = found.at(-1)
    if (isEnd || !last) return
    yield* walkKey(search, segment, { key: last.key, after: last })
    beyond = last.key
  }
}

/** Against the index, where rows of equal keys come in the wrong order: they are turned around, or walked by themselves when many. */
async function* walkBack(search: Search, segment: Segment, behind: Key | undefined): AsyncGenerator<LookedAt[]> {
  const { direction, bounds } = segment
  for (let beyond = behind; ;) {
    const { found, isEnd } = await step(search, segment, { beyond, direction, bounds })
    const groups = groupsOf(found)
    const last = isEnd ? undefined : groups.pop()
    yield groups.flatMap((group) => group.toReversed())
    if (!last?.[0]) return
    const { key } = last[0]
    if (groups.length > 0) beyond = groups.at(-1)?.[0]?.key
    else {
      yield* walkKey(search, segment, { key })
      beyond = key
    }
  }
}

function groupsOf(rows: readonly LookedAt[]): LookedAt[][] {
  const groups: LookedAt[][] = []
  for (const row of rows) {
    const last = groups.at(-1)
    if (last?.[0] && last[0].key.every((part, place) => part === row.key[place])) last.push(row)
    else groups.push([row])
  }
  return groups
}
