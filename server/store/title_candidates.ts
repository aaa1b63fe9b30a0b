import { fitOf, titleFits } from '../kernel/words.ts'
import { chunks, yieldToEventLoop } from '../kernel/yield_to_event_loop.ts'
import type { Connection, Prefilter } from './database.ts'
import { rowOf } from './row_shape.ts'
import { raw, sql, type Sql } from './sql.ts'
import { fitCondition, fitRank, isInScope, kindCondition, type Matching, type TitleScope } from './title_search.ts'
import { fromStored, storedTitle, TITLE_COLUMNS, type TitleRow } from './titles.ts'

/** A title that matches, with what it is sorted by. Its row is read only if the search gets so far: most candidates are never shown. */
export interface TitleCandidate {
  readonly number: number
  /** The time of the last edit. */
  readonly time: number
  /** The index of its fit in `titleFits`; 0 if fits do not count. */
  readonly rank: number
}

/** The most candidates from one portion; SQLite blocks the process while it collects them. */
const CANDIDATES_AT_ONCE = 4_000
/** Instead of the rank of a title whose words are not in the index. */
const UNKNOWN = -1

/**
 * The titles that match, from the word index, in no particular order.
 * @param prefilter a necessary condition of the match
 * @param byFit whether the rank is that of the fit
 * @returns undefined if more than `limit` titles of the workspace pass the prefilter, or are likely to
 */
export async function findTitleCandidates(
  db: Connection,
  scope: TitleScope,
  matching: Matching,
  prefilter: Prefilter,
  byFit: boolean,
  limit: number,
): Promise<TitleCandidate[] | undefined> {
  const { titleKeys } = db
  const found: TitleCandidate[] = []
  let passed = 0
  const portions = await titleKeys.portions(db)
  // If the first portion has more than this, the total is assumed to be above the limit.
  const first = Math.ceil((limit * 2) / (portions + 1))
  for (let end = portions, size = 1; end > 0; end -= size, size = Math.min(titleKeys.portionsPerStatement, end)) {
    const asked = Array.from({ length: size }, (_, index) => end - 1 - index)
    const max = Math.min(end === portions ? first : limit, CANDIDATES_AT_ONCE * size, limit - passed)
    const passing = titleKeys.passing(scope.workspaceId, asked, prefilter, max + 1)
    const row = await db.get({ passed: 'integer', matched: 'text?' }, candidatesOf(db, scope, matching, byFit, passing))
    passed += row?.passed ?? 0
    if ((row?.passed ?? 0) > max) return undefined
    const candidates = await withRanks(db, scope, matching, byFit, parsed(row?.matched ?? null))
    for (const candidate of candidates) found.push(candidate)
    await yieldToEventLoop()
  }
  return found
}

/** As one text for all of them: a row for each would take longer to return than to find. */
function candidatesOf(db: Connection, scope: TitleScope, matching: Matching, byFit: boolean, passing: Sql): Sql {
  const words = sql`t.${raw(db.titleKeys.indexedWords)}`
  // Whatever passes the prefilter nearly always has one of the words, so they are compared when its row is read.
  const isAny = matching.fit === 'any' && !byFit
  const rank = byFit ? fitRank(matching, words) : raw(0)
  const found = isAny ? rank : sql`case when ${words} is null then ${raw(UNKNOWN)} else ${rank} end`
  const matches = isAny ? sql`` : sql`and (${words} is null or (${fitCondition(matching, words)}))`
  return sql`select count(*) as passed, string_agg(t.number || ',' || t.last_edited_time || ',' || ${found}, ',')
      filter (where t.in_trash = ${Number(scope.inTrash)} and ${kindCondition(scope)} ${matches}) as matched
    from ${passing} where t.workspace_id = ${scope.workspaceId}`
}

function parsed(matched: string | null): TitleCandidate[] {
  const numbers = JSON.parse(`[${matched ?? ''}]`) as readonly number[]
  const candidates: TitleCandidate[] = []
  for (let at = 0; at < numbers.length; at += 3) {
    candidates.push({ number: numbers[at] ?? 0, time: numbers[at + 1] ?? 0, rank: numbers[at + 2] ?? 0 })
  }
  return candidates
}

/** Replaces the candidates whose words the index does not have: reads their rows and leaves out those that do not match. */
async function withRanks(
  db: Connection,
  scope: TitleScope,
  { query, fit }: Matching,
  byFit: boolean,
  candidates: readonly TitleCandidate[],
): Promise<readonly TitleCandidate[]> {
  const unknown = candidates.filter(({ rank }) => rank === UNKNOWN)
  if (unknown.length === 0) return candidates
  const ranks = new Map<number, number>()
  for (const row of await readTitles(db, scope, unknown)) {
    const found = fitOf(row.words, query)
    if (found !== undefined && (fit === 'any' || fit === found)) ranks.set(row.number, byFit ? titleFits.indexOf(found) : 0)
  }
  return candidates.flatMap((candidate) => {
    const rank = candidate.rank === UNKNOWN ? ranks.get(candidate.number) : candidate.rank
    return rank === undefined ? [] : [{ ...candidate, rank }]
  })
}

const numberedTitle = rowOf({ ...storedTitle, number: 'integer' })
interface NumberedTitleRow extends TitleRow {
  readonly number: number
}

const ROWS_AT_ONCE = 2_000

/** The rows of candidates that are still in scope, in no particular order. */
export async function readTitles(
  db: Connection,
  scope: TitleScope,
  candidates: readonly TitleCandidate[],
): Promise<NumberedTitleRow[]> {
  const read: NumberedTitleRow[] = []
  for (const some of chunks(candidates, ROWS_AT_ONCE)) {
    if (read.length > 0) await yieldToEventLoop()
    const wanted = db.records(
      'wanted',
      { title_number: 'integer' },
      some.map(({ number }) => ({ title_number: number })),
    )
    const rows = await db.all(
      numberedTitle,
      sql`select ${TITLE_COLUMNS}, t.number from ${wanted} ${db.lookUp('titles', 't', sql`t.number = wanted.title_number`)}
        where t.workspace_id = ${scope.workspaceId}`,
    )
    read.push(...rows.map((row) => ({ ...fromStored(row), number: row.number })))
  }
  return read.filter((row) => isInScope(row, scope))
}
