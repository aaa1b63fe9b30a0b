import { firstIndex } from '../../../../kernel/first_index.ts'

/** The positions of an entry that both sequences contain. Pairs increase on both sides. */
export type Pair = readonly [old: number, fresh: number]

/**
 * Pairs equal entries of two sequences without crossing pairs: first the common prefix and suffix, then around entries that are
 * unique on both sides (patience diff), and the rest from left to right. Takes nearly linear time.
 */
export function pairSequences(old: readonly number[], fresh: readonly number[]): Pair[] {
  const pairs: Pair[] = []
  pairRange(old, fresh, { old: [0, old.length], fresh: [0, fresh.length] }, pairs, 0)
  return pairs
}

interface Range {
  readonly old: readonly [start: number, end: number]
  readonly fresh: readonly [start: number, end: number]
}

const ROUNDS_MAX = 10

function pairRange(old: readonly number[], fresh: readonly number[], range: Range, pairs: Pair[], round: number): void {
  let [oldStart, oldEnd] = range.old
  let [freshStart, freshEnd] = range.fresh
  while (oldStart < oldEnd && freshStart < freshEnd && old[oldStart] === fresh[freshStart]) pairs.push([oldStart++, freshStart++])
  const trailing: Pair[] = []
  while (oldStart < oldEnd && freshStart < freshEnd && old[oldEnd - 1] === fresh[freshEnd - 1])
    trailing.push([--oldEnd, --freshEnd])
  if (oldStart < oldEnd && freshStart < freshEnd) {
    const middle: Range = { old: [oldStart, oldEnd], fresh: [freshStart, freshEnd] }
    const anchors = round < ROUNDS_MAX ? anchorsIn(old, fresh, middle) : []
    if (anchors.length === 0) pairGreedily(old, fresh, middle, pairs)
    let [oldFrom, freshFrom] = [oldStart, freshStart]
    for (const [at, freshAt] of anchors) {
      pairRange(old, fresh, { old: [oldFrom, at], fresh: [freshFrom, freshAt] }, pairs, round + 1)
      pairs.push([at, freshAt])
      oldFrom = at + 1
      freshFrom = freshAt + 1
    }
    if (anchors.length > 0) pairRange(old, fresh, { old: [oldFrom, oldEnd], fresh: [freshFrom, freshEnd] }, pairs, round + 1)
  }
  pairs.push(...trailing.reverse())
}

/** The longest set of non-crossing pairs of entries that are unique on both sides. */
function anchorsIn(old: readonly number[], fresh: readonly number[], range: Range): Pair[] {
  const places = new Map<number, { old: number; fresh: number; count: number }>()
  for (let at = range.old[0]; at < range.old[1]; at += 1) {
    const place = places.get(old[at] ?? 0)
    places.set(old[at] ?? 0, { old: at, fresh: -1, count: (place?.count ?? 0) + 1 })
  }
  for (let at = range.fresh[0]; at < range.fresh[1]; at += 1) {
    const place = places.get(fresh[at] ?? 0)
    if (!place) continue
    if (place.fresh !== -1) place.count += 1
    place.fresh = at
  }
  const unique = [...places.values()].filter((place) => place.count === 1 && place.fresh !== -1)
  return longestGrowing(unique.map((place): Pair => [place.old, place.fresh]).sort((one, other) => one[1] - other[1]))
}

/** Of pairs ordered by their second position, the longest sequence in which the first position increases as well. */
export function longestGrowing(pairs: readonly Pair[]): Pair[] {
  const ends: number[] = []
  const previous = new Int32Array(pairs.length).fill(-1)
  for (const [index, [old]] of pairs.entries()) {
    const place = firstIndex(ends.length, (end) => (pairs[ends[end] ?? 0]?.[0] ?? 0) >= old)
    if (place > 0) previous[index] = ends[place - 1] ?? -1
    ends[place] = index
  }
  const found: Pair[] = []
  for (let index = ends.at(-1) ?? -1; index !== -1; index = previous[index] ?? -1) {
    const pair = pairs[index]
    if (pair) found.push(pair)
  }
  return found.reverse()
}

function pairGreedily(old: readonly number[], fresh: readonly number[], range: Range, pairs: Pair[]): void {
  const places = new Map<number, number[]>()
  for (let at = range.old[1] - 1; at >= range.old[0]; at -= 1) {
    const known = places.get(old[at] ?? 0)
    if (known) known.push(at)
    else places.set(old[at] ?? 0, [at])
  }
  let from = range.old[0]
  for (let at = range.fresh[0]; at < range.fresh[1]; at += 1) {
    const waiting = places.get(fresh[at] ?? 0)
    while (waiting && (waiting.at(-1) ?? from) < from) waiting.pop()
    const next = waiting?.pop()
    if (next === undefined) continue
    pairs.push([next, at])
    from = next + 1
  }
}
