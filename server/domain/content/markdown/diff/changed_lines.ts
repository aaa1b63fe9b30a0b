/** Lines in which two texts differ, for each text: from `start` up to but excluding `end`. */
export interface ChangedLines {
  readonly old: LineRange
  readonly fresh: LineRange
}

interface LineRange {
  readonly start: number
  readonly end: number
}

/**
 * How many lines after a difference are compared, on either side, to find where the texts become equal again. A limit keeps the time linear
 * in the number of lines.
 */
const REACH = 64
/** The number of consecutive equal lines that end a difference: a single one may be a coincidence. */
const MEETING = 3

/**
 * Finds the differences between two texts, in order. All lines between two differences are equal. If the texts do not become equal again
 * soon, everything up to their common end counts as one difference.
 */
export function changedLines(old: readonly string[], fresh: readonly string[]): ChangedLines[] {
  const places: ChangedLines[] = []
  const last = lastDifference(old, fresh)
  let [at, freshAt] = [0, 0]
  while (true) {
    while (at < last.old && freshAt < last.fresh && old[at] === fresh[freshAt]) {
      at += 1
      freshAt += 1
    }
    if (at === last.old && freshAt === last.fresh) return places
    const next = meetingPoint(old, fresh, { old: at, fresh: freshAt }, last)
    places.push({ old: { start: at, end: next.old }, fresh: { start: freshAt, end: next.fresh } })
    ;[at, freshAt] = [next.old, next.fresh]
  }
}

/** The numbers of one line in the old text and one in the new text. */
interface Place {
  readonly old: number
  readonly fresh: number
}

/** The position at which the common end of two texts begins. The common end does not overlap the common start. */
function lastDifference(old: readonly string[], fresh: readonly string[]): Place {
  const max = Math.min(old.length, fresh.length)
  let [same, sameAtEnd] = [0, 0]
  while (same < max && old[same] === fresh[same]) same += 1
  while (sameAtEnd < max - same && old[old.length - 1 - sameAtEnd] === fresh[fresh.length - 1 - sameAtEnd]) sameAtEnd += 1
  return { old: old.length - sameAtEnd, fresh: fresh.length - sameAtEnd }
}

/** The nearest position after a difference from which the texts are equal for some lines; their common end if there is none nearby. */
function meetingPoint(old: readonly string[], fresh: readonly string[], from: Place, last: Place): Place {
  for (let distance = 1; distance <= 2 * REACH; distance += 1) {
    for (let skipped = Math.max(0, distance - REACH); skipped <= Math.min(distance, REACH); skipped += 1) {
      const place = { old: from.old + skipped, fresh: from.fresh + distance - skipped }
      if (meet(old, fresh, place, last)) return place
    }
  }
  return last
}

function meet(old: readonly string[], fresh: readonly string[], place: Place, last: Place): boolean {
  if (place.old + MEETING > last.old || place.fresh + MEETING > last.fresh) return false
  for (let line = 0; line < MEETING; line += 1) if (old[place.old + line] !== fresh[place.fresh + line]) return false
  return true
}
