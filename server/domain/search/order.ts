import { yieldToEventLoop } from '../../kernel/yield_to_event_loop.ts'
import { fitOf, titleFits, prefilterOf, type TitleQuery } from '../../kernel/words.ts'
import type { Connection, Prefilter } from '../../store/database.ts'
import { findTitleCandidates, readTitles, type TitleCandidate } from '../../store/title_candidates.ts'
import {
  isInScope,
  listTitlesWithStart,
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
  /** The number of visible titles after which the caller needs no more. */
  readonly wanted: number
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
/** How many titles a scan examines in the time that the word index takes to find one. */
const SCANNED_PER_CANDIDATE = 5
/** The word index is asked again if it is worth so many times as many candidates as before. */
const WORTH_GROWTH = 2
/** The most candidates that the word index is asked for before many titles have been scanned. */
const CANDIDATES_AT_FIRST_MAX = 12_000
/** The number of words of a query for which a rare one is looked for. */
const WORDS_TRIED_MAX = 4
/** The least number of hits in a batch whose visibility is checked together. */
const HITS_MIN = 100
/** In a list that is in memory. */
const HITS_AT_ONCE = 200
/** Some more than are expected to be needed, so that a second batch rarely is. */
const HITS_RESERVE = 1.2

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
  const { limits, visibility } = search
  const few = await visibility.everything(limits.sorted)
  if (few) return yield* inBatches(search, few, from)
  const max = Math.min(limits.prefiltered, CANDIDATES_AT_FIRST_MAX)
  const candidates = await fromWords(search, { query, fit: 'any' }, max)
  if (candidates) return yield* inOrder(search, candidates, from)
  for (const [rank, fit] of titleFits.entries()) {
    if (from && from.rank > rank) continue
    const after = from?.rank === rank ? from : undefined
    const alike = fit === 'exact' || fit === 'prefix' ? await withStart(search, query, fit) : undefined
    const found = fit === 'all' ? await fromWords(search, { query, fit }, max) : undefined
    if (alike) yield* inBatches(search, alike, after, fit)
    else if (found) yield* inOrder(search, found, after)
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
  const progress: ScanProgress = { turns: 0, scanned: 0, met: 0, worth: 0 }
  while (progress.scanned < limits.scanned) {
    const matches = hitsToCheck(search)
    const batch = await scanTitles(db, field, matching, direction, position, { titles, matches })
    yield batch.titles.map((row) => ({ row, rank }))
    if (batch.next === undefined) return
    position = batch.next
    progress.turns += 1
    progress.scanned += batch.isFull ? matches : titles
    progress.met += batch.titles.length
    const rest = await fasterAccessPath(search, matching, progress, { ...position, rank })
    if (rest) return yield* rest
    titles = Math.min(batch.isFull ? FIRST_BATCH : titles * BATCH_GROWTH, titlesMax)
    await yieldToEventLoop()
  }
  yield 'too deep'
}

/** How many visible titles are still wanted. A caller who has seen enough and goes on has not been content with them. */
function stillWanted({ visibility, wanted }: Search): number {
  return visibility.seen < wanted ? wanted - visibility.seen : wanted
}

/** The number of hits among which as many are expected to be visible as are still wanted. */
function hitsToCheck(search: Search): number {
  const hits = Math.ceil((stillWanted(search) * HITS_RESERVE) / search.visibility.share)
  return Math.min(Math.max(hits, HITS_MIN), search.limits.hits)
}

/** The progress of a scan, in titles. */
interface ScanProgress {
  turns: number
  scanned: number
  met: number
  /** The number of candidates from the word index that the rest of the scan was worth when it was last asked. */
  worth: number
}

/** A faster access path for the rest, if there is one. */
async function fasterAccessPath(
  search: Search,
  matching: Matching | undefined,
  progress: ScanProgress,
  from: HitPosition,
): Promise<Batches | undefined> {
  const { visibility, limits } = search
  if (progress.turns === 1 && !visibility.isMuchVisible) {
    const few = await visibility.everything(limits.sorted)
    if (few) return inBatches(search, few, from, matching?.fit)
  }
  if (matching === undefined) return undefined
  const worth = Math.min(
    titlesToScan(search, progress) / SCANNED_PER_CANDIDATE,
    // However rare matches seem to be, others may follow soon: what the index costs stays in proportion to what the scan has cost.
    Math.max(progress.scanned, CANDIDATES_AT_FIRST_MAX),
    limits.prefiltered,
  )
  if (worth < progress.worth * WORTH_GROWTH || worth < 1) return undefined
  progress.worth = worth
  const candidates = await fromWords(search, matching, Math.floor(worth))
  return candidates && inOrder(search, candidates, from)
}

/** How many titles the scan is expected to examine until there are enough hits, if matches are as frequent as before. */
function titlesToScan(search: Search, { scanned, met }: ScanProgress): number {
  const titles = (stillWanted(search) * scanned) / ((met + 1) * search.visibility.share)
  return Math.min(titles, search.limits.scanned - scanned)
}

/** The titles that match, by the word index; undefined if they are probably more than `limit`. */
async function fromWords(
  { db, field, order }: Search,
  matching: Matching,
  limit: number,
): Promise<readonly TitleCandidate[] | undefined> {
  const byRelevance = order === 'relevance'
  const prefilters = matching.query.parts.map(prefilterOf)
  const ask = (prefilter: Prefilter): Promise<TitleCandidate[] | undefined> =>
    findTitleCandidates(db, field, matching, prefilter, byRelevance, limit)
  if (matching.fit === 'any' || matching.fit === 'some') return ask(prefilters)
  const rarestFirst = prefilters.toSorted((a, b) => rarity(b) - rarity(a))
  for (const prefilter of rarestFirst.slice(0, WORDS_TRIED_MAX)) {
    const few = await ask([prefilter])
    if (few) return few
  }
  return ask([prefilters.flat()])
}

/** Long words are likely to be rare, and numbers rarer. */
function rarity(keys: readonly string[]): number {
  const word = keys.join('')
  return word.length + (/\p{N}/u.test(word) ? NUMBER_RARITY : 0)
}

const NUMBER_RARITY = 100

function withStart(
  { db, field, limits }: Search,
  { whole }: TitleQuery,
  fit: 'exact' | 'prefix',
): Promise<TitleRow[] | undefined> {
  return fit === 'exact'
    ? listTitlesWithStart(db, field, whole, 'equals', limits.sorted)
    : listTitlesWithStart(db, field, whole.trimEnd(), 'begins', limits.sorted)
}

/** Reads the rows of candidates batch by batch, best first. */
async function* inOrder(search: Search, candidates: readonly TitleCandidate[], from: HitPosition | undefined): Batches {
  const { db, field, query, order } = search
  const keyed = candidates.map((candidate) => ({ candidate, key: sortKey(order, candidate) }))
  const keys = Float64Array.from(keyed, ({ key }) => key).sort()
  // Keys are integers. Candidates with the same key are in one batch, because only their rows have the ids by which they are sorted.
  let before = from === undefined ? -Infinity : sortKey(order, from) - 1
  for (let start = keys.findIndex((key) => key > before); start >= 0 && start < keys.length;) {
    const last = keys[Math.min(start + hitsToCheck(search), keys.length) - 1] ?? Infinity
    const chosen = keyed.filter(({ key }) => key > before && key <= last).map(({ candidate }) => candidate)
    const ranks = new Map(chosen.map(({ number, rank }) => [number, rank]))
    const rows = await readTitles(db, field, chosen)
    const hits = rows.flatMap((row): Hit[] => {
      const rank = query && rankOf(row, query, order)
      // It may have got another title meanwhile.
      return rank !== undefined && rank === ranks.get(row.number) ? [{ row, rank }] : []
    })
    yield sorted(order, hits, from)
    before = last
    start += chosen.length
    await yieldToEventLoop()
  }
}

/** The index of the fit of a title, or 0 if fits do not count; undefined if it does not match. */
function rankOf({ words }: TitleRow, query: TitleQuery, order: Order): number | undefined {
  const fit = fitOf(words, query)
  if (fit === undefined) return undefined
  return order === 'relevance' ? titleFits.indexOf(fit) : 0
}

/** Less for what comes first; an integer. */
function sortKey(order: Order, { rank, time }: { readonly rank: number; readonly time: number }): number {
  return rank * TIME_BEYOND + (order === 'ascending' ? time : -time)
}

/** A power of two above all times, and small enough for exact keys. */
const TIME_BEYOND = 2 ** 50

/** Sorts titles in memory. @param fit the only fit that is wanted */
async function* inBatches(
  { field, query, order }: Search,
  rows: readonly TitleRow[],
  from: HitPosition | undefined,
  fit: Matching['fit'] = 'any',
): Batches {
  const hits = rows.flatMap((row): Hit[] => {
    const rank = query === undefined ? 0 : rankOf(row, query, order)
    if (rank === undefined || !isInScope(row, field)) return []
    return fit === 'any' || titleFits[rank] === fit ? [{ row, rank }] : []
  })
  const remaining = sorted(order, hits, from)
  for (let start = 0; start < remaining.length; start += HITS_AT_ONCE) yield remaining.slice(start, start + HITS_AT_ONCE)
}

/** The hits after a position, in order. */
function sorted(order: Order, hits: readonly Hit[], from: HitPosition | undefined): Hit[] {
  const compare = order === 'ascending' ? oldestFirst : bestFirst
  const remaining = from === undefined ? hits : hits.filter((hit) => compare(positionOf(hit), from) > 0)
  return remaining.toSorted((a, b) => compare(positionOf(a), positionOf(b)))
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
