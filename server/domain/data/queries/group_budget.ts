import { yieldToEventLoop } from '../../../kernel/yield_to_event_loop.ts'
import type { RowSet } from '../../../store/access_paths.ts'
import type { Connection } from '../../../store/database.ts'
import { countRowsAlong, hasMoreRowsAlong } from '../../../store/row_scans.ts'
import type { QueryLimits } from './limits.ts'
import { keyRangeOf, type ScanSegment } from './plan.ts'

/** How many rows may be examined to find rows of a large group, before the group itself is read. */
export interface GroupBudget {
  /** @param examined the number of rows that the query has examined so far */
  allows(examined: number): Promise<boolean>
}

/** A budget grows by this factor, so that counting a group costs no more than what has been examined. */
const GROWTH = 4

/**
 * A budget of as many rows as the group has, and of no more than the limit; undefined for a small group. Few searches use up their first
 * share, so the rest of the group is counted only for those that do.
 * @param start the number of rows examined before
 * @param outer the budget of the group that contains this one
 */
export async function groupBudget(
  db: Connection,
  rows: RowSet,
  group: ScanSegment,
  { group: [least, most] }: QueryLimits,
  start: number,
  outer: GroupBudget | undefined,
): Promise<GroupBudget | undefined> {
  const { path } = group
  const range = keyRangeOf(group)
  const isLarge = await hasMoreRowsAlong(db, rows, path, range, least)
  await yieldToEventLoop()
  if (!isLarge) return undefined
  let [granted, isAll] = [least, false]
  return {
    async allows(examined) {
      while (examined - start > granted) {
        if (isAll) return false
        const next = Math.min(most, Math.max(1, granted) * GROWTH)
        granted = await countRowsAlong(db, rows, path, range, next)
        isAll = granted < next || next === most
        await yieldToEventLoop()
      }
      return outer?.allows(examined) ?? true
    },
  }
}
