import { yieldToEventLoop } from '../../kernel/yield_to_event_loop.ts'
import { fitOf, titleFits, prefilterOf, type TitleQuery } from '../../kernel/words.ts'
import type { Connection } from '../../store/database.ts'
import {
  isInScope,
  listTitlesWithStart,
  prefilterTitles,
  scanTitles,
  type Direction,
  type Matching,
  type TitleScope,
  type TitlePosition,
} from '../../store/title_search.ts'
import type { TitleRow } from '../../store/titles.ts'
import type { SearchLimits } from './limits.ts'
import type { TitleVisibility } from './title_visibility.ts'

export type Order = Direction | 'relevance'

/** A search, with the limits and lookups that it uses. */
export interface Search {
  readonly db: Connection
  readonly field: TitleScope
  /** Undefined matches every title. */
  readonly query: TitleQuery | undefined
  readonly order: Order
  readonly visibility: TitleVisibility
  readonly limits: SearchLimits
}

/** A matching title. */
export interface Hit {
  readonly row: TitleRow
  /** The index of its fit among all fits; 0 if the order is by time alone. */
  readonly rank: number
}

interface HitPosition extends TitlePosition {
  readonly rank: number
}

type Batches = AsyncGenerator<readonly Hit[] | 'too deep'>

/** The first batch, which is enough for most searches. */
const FIRST_BATCH = 2_000
const BATCH_GROWTH = 4
/** After so many titles with less than one match in `RARE`, the word index may be faster. */
const SCANNED_BEFORE_INDEX = 8_000
const RARE = 300
/** The number of words of a query for which a rare one is looked for. */
const WORDS_TRIED_MAX = 4
/** The number of hits in a batch whose visibility is checked together. Larger if many of them turn out to be hidden. */
const HITS = 200
const HITS_MAX = 1_600

/**
 * Matching titles in order, after a position, whether or not they are visible to the caller; some access paths lead only to
 * visible ones. Which access path is fastest depends on the query and the caller, and becomes clear during the scan. If many
 * titles match, a scan in the order of time soon finds them; if few match, the word index has them; if little is visible to the
 * caller, everything visible is sorted in memory. If none of these applies, all titles are scanned in small batches, up to a
 * limit.
 */
export function ranked(search: Search, from: HitPosition | undefined): Batches {
  const { order, query } = search
  if (order !== 'relevance' || query === undefined) {
    const direction = order === 'ascending' ? order : 'descending'
    return byTime(search, query && { query, fit: 'any' }, 0, direction, from)
  }
  return byFit(search, query, from)
}

async function* byFit(search: Search, query: TitleQuery, from: HitPosition | undefined): Batches {
  const few = (await search.visibility.everything(search.limits.sorted)) ?? (await prefiltered(search, query, 'any'))
  if (few) return yield* inBatches(search, few, from)
  for (const [rank, fit] of titleFits.entries()) {
    if (from && from.rank > rank) continue
    const after = from?.rank === rank ? from : undefined
    const fitting = fit === 'some' ? undefined : await prefiltered(search, query, fit)
    if (fitting) yield* inBatches(search, fitting, after, fit)
    else yield* byTime(search, { query, fit }, rank, 'descending', after)
  }
}

async function* byTime(
  search: Search,
  matching: Matching | undefined,
  rank: number,
  direction: Direction,
  from: HitPosition | undefined,
): Batches {
  const { db, field, limits } = search
  let position: TitlePosition | undefined = from
  const titlesMax = Math.min(limits.batch, db.titleKeys.titlesPerStatement)
  let titles = Math.min(FIRST_BATCH, titlesMax)
  let matches = HITS
  const progress: ScanProgress = { turns: 0, scanned: 0, met: 0, isPrefiltered: false }
  while (progress.scanned < limits.scanned) {
    const batch = await scanTitles(db, field, matching, direction, position, { titles, matches })
    yield batch.titles.map((row) => ({ row, rank }))
    if (batch.next === undefined) return
    position = batch.next
    progress.turns += 1
    progress.scanned += batch.isFull ? matches : titles
    progress.met += batch.titles.length
    const few = await fasterAccessPath(search, matching, progress)
    if (few) return yield* inBatches(search, few, { ...position, rank }, matching?.fit)
    titles = Math.min(batch.isFull ? FIRST_BATCH : titles * BATCH_GROWTH, titlesMax)
    if (batch.isFull) matches = Math.min(matches * 2, HITS_MAX)
    await yieldToEventLoop()
  }
  yield 'too deep'
}

/** The progress of a scan, in titles. */
interface ScanProgress {
  turns: number
  scanned: number
  met: number
  isPrefiltered: boolean
}

/** A faster access path for the rest, which is looked for if the first batches were not enough. */
async function fasterAccessPath(
  search: Search,
  matching: Matching | undefined,
  progress: ScanProgress,
): Promise<TitleRow[] | undefined> {
  if (progress.turns === 1)
    return search.visibility.isMuchVisible ? undefined : search.visibility.everything(search.limits.sorted)
  if (
    progress.isPrefiltered ||
    matching?.fit !== 'any' ||
    progress.scanned < SCANNED_BEFORE_INDEX ||
    progress.met * RARE > progress.scanned
  )
    return undefined
  progress.isPrefiltered = true
  return prefiltered(search, matching.query, 'any')
}

/** Titles that may match, if they are few; undefined if they are many or their number is unknown. */
async function prefiltered(
  { db, field, limits }: Search,
  query: TitleQuery,
  fit: Matching['fit'],
): Promise<TitleRow[] | undefined> {
  const prefilters = query.parts.map(prefilterOf)
  if (fit === 'exact') return listTitlesWithStart(db, field, query.whole, 'equals', limits.sorted)
  if (fit === 'prefix') return listTitlesWithStart(db, field, query.whole.trimEnd(), 'begins', limits.sorted)
  if (fit !== 'all') return prefilterTitles(db, field, prefilters, limits.prefiltered)
  // Long words are likely to be rare.
  const longestFirst = [...prefilters].sort((a, b) => b.join('').length - a.join('').length)
  for (const prefilter of longestFirst.slice(0, WORDS_TRIED_MAX)) {
    const few = await prefilterTitles(db, field, [prefilter], limits.prefiltered)
    if (few) return few
  }
  return prefilterTitles(db, field, [prefilters.flat()], limits.prefiltered)
}

/** Sorts titles in memory. @param fit the only fit that is wanted */
async function* inBatches(
  { field, query, order }: Search,
  rows: readonly TitleRow[],
  from: HitPosition | undefined,
  fit: Matching['fit'] = 'any',
): Batches {
  const hits = rows.flatMap((row): Hit[] => {
    const found = query === undefined ? 'some' : fitOf(row.words, query)
    if (found === undefined || (fit !== 'any' && found !== fit) || !isInScope(row, field)) return []
    return [{ row, rank: order === 'relevance' && query ? titleFits.indexOf(found) : 0 }]
  })
  const compare = order === 'ascending' ? oldestFirst : bestFirst
  hits.sort((a, b) => compare(positionOf(a), positionOf(b)))
  const remaining = from === undefined ? hits : hits.filter((hit) => compare(positionOf(hit), from) > 0)
  for (let start = 0; start < remaining.length; start += HITS) yield remaining.slice(start, start + HITS)
}

function positionOf({ rank, row }: Hit): HitPosition {
  return { rank, time: row.time, id: row.id }
}

function bestFirst(a: HitPosition, b: HitPosition): number {
  return a.rank - b.rank || -oldestFirst(a, b)
}

function oldestFirst(a: HitPosition, b: HitPosition): number {
  return a.time - b.time || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}
