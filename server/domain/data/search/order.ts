import { yieldToEventLoop } from '../../../kernel/yield_to_event_loop.ts'
import { fitOf, indexedWordOf, titleFits, type TitleFit, type TitleQuery } from '../../../kernel/words.ts'
import type { Connection } from '../../../store/database.ts'
import {
  isInScope,
  listTitlesWithStart,
  listTitlesWithWords,
  scanTitles,
  type Direction,
  type Matching,
  type TitleScope,
  type TitlePosition,
} from '../../../store/title_search.ts'
import type { TitleRow } from '../../../store/titles.ts'
import type { SearchLimits } from './limits.ts'
import type { TitleVisibility } from './title_visibility.ts'

export type Order = Direction | 'relevance'

/** One search, with its limits and what it has found out so far. */
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

export interface Hit {
  readonly row: TitleRow
  /** How well the title fits: an index in the list of all fits; 0 if results are ordered by time alone. */
  readonly rank: number
}

interface HitPosition extends TitlePosition {
  readonly rank: number
}

type Batches = AsyncGenerator<readonly Hit[] | 'too deep'>

/** The size of the first batch, which is enough for most searches. */
const FIRST_BATCH = 2_000
const BATCH_GROWTH = 4
/** The maximum number of words of a query that are tried, to find a rare one. */
const WORDS_TRIED_MAX = 4
/** The minimum number of hits in a batch whose visibility is checked together. */
const HITS_MIN = 100
/** The number of hits whose visibility is checked together, for titles that are sorted in memory. */
const HITS_AT_ONCE = 200
/** How many times more hits are checked than expected to be needed, so that a second batch is rarely necessary. */
const HITS_RESERVE = 1.2

/**
 * Matching titles in order, after a position; some of them may not be visible to the caller. If few titles are visible or contain the
 * words, these are sorted in memory. Otherwise matches are frequent, and a scan in the order of time finds them soon. If it does not, the
 * titles with the words are sorted in memory after all; if there are too many, the scan ends at a limit.
 */
export async function* ranked(search: Search, from: HitPosition | undefined): Batches {
  const { limits, order, query, visibility } = search
  const few =
    (await visibility.everything(limits.sorted)) ?? (query && (await withWords(search, { query, fit: 'any' }, limits.sorted)))
  if (few) return yield* inBatches(search, few, from)
  if (order === 'relevance' && query) return yield* byFit(search, query, from)
  const direction = order === 'ascending' ? order : 'descending'
  yield* byTime(search, query && { query, fit: 'any' }, 0, direction, from)
}

async function* byFit(search: Search, query: TitleQuery, from: HitPosition | undefined): Batches {
  for (const [rank, fit] of titleFits.entries()) {
    if (from && from.rank > rank) continue
    const after = from?.rank === rank ? from : undefined
    const few = await fewWithFit(search, query, fit)
    if (few) yield* inBatches(search, few, after, fit)
    else yield* byTime(search, { query, fit }, rank, 'descending', after)
  }
}

/** All titles that fit in this way, and possibly others; undefined if there are many. */
async function fewWithFit(search: Search, query: TitleQuery, fit: TitleFit): Promise<TitleRow[] | undefined> {
  const { db, field, limits } = search
  switch (fit) {
    case 'exact':
      return listTitlesWithStart(db, field, query.whole, 'equals', limits.sorted)
    case 'prefix':
      return listTitlesWithStart(db, field, query.whole.trimEnd(), 'begins', limits.sorted)
    case 'all':
      return withWords(search, { query, fit }, limits.sorted)
    case 'some':
      return undefined
  }
}

/** All matching titles, and possibly others; undefined if there are more than `limit`. */
async function withWords({ db, field }: Search, { query, fit }: Matching, limit: number): Promise<TitleRow[] | undefined> {
  const words = query.parts.map(indexedWordOf)
  if (fit === 'any' || fit === 'some') return listTitlesWithWords(db, field, words, limit)
  const rarestFirst = words.toSorted((a, b) => rarity(b.text) - rarity(a.text))
  for (const word of rarestFirst.slice(0, WORDS_TRIED_MAX)) {
    const few = await listTitlesWithWords(db, field, [word], limit)
    if (few) return few
  }
  return undefined
}

/** How rare a word probably is: long words are rarer than short ones, and words with digits rarer still. */
function rarity(word: string): number {
  return word.length + (/\p{N}/u.test(word) ? NUMBER_RARITY : 0)
}

const NUMBER_RARITY = 100

async function* byTime(
  search: Search,
  matching: Matching | undefined,
  rank: number,
  direction: Direction,
  from: HitPosition | undefined,
): Batches {
  const { db, field, limits } = search
  let position: TitlePosition | undefined = from
  let titles = Math.min(FIRST_BATCH, limits.batch)
  let hasTriedWords = false
  for (let scanned = 0; scanned < limits.scanned;) {
    const matches = hitsToCheck(search)
    const batch = await scanTitles(db, field, matching, direction, position, { titles, matches })
    yield batch.titles.map((row) => ({ row, rank }))
    if (batch.next === undefined) return
    position = batch.next
    scanned += batch.isFull ? matches : titles
    if (matching && !hasTriedWords && scanned >= limits.beforeWords && !isOnCourse(search, scanned)) {
      hasTriedWords = true
      const few = await withWords(search, matching, limits.withWords)
      if (few) return yield* inBatches(search, few, { ...position, rank }, matching.fit)
    }
    titles = Math.min(batch.isFull ? FIRST_BATCH : titles * BATCH_GROWTH, limits.batch)
    await yieldToEventLoop()
  }
  yield 'too deep'
}

/** Whether a scan finds enough within its limit, if visible hits remain as frequent as before. */
function isOnCourse({ visibility, wanted, limits }: Search, scanned: number): boolean {
  return visibility.seen * limits.scanned >= wanted * scanned
}

/** How many hits to check so that the wanted number are likely to be visible. */
function hitsToCheck({ visibility, wanted, limits }: Search): number {
  // A caller that requests another page has not found enough on the earlier ones.
  const missing = visibility.seen < wanted ? wanted - visibility.seen : wanted
  const hits = Math.ceil((missing * HITS_RESERVE) / visibility.share)
  return Math.min(Math.max(hits, HITS_MIN), limits.hits)
}

/** The index of a title's fit, or 0 if results are ordered by time alone; undefined if the title does not match. */
function rankOf({ words }: TitleRow, query: TitleQuery, order: Order): number | undefined {
  const fit = fitOf(words, query)
  if (fit === undefined) return undefined
  return order === 'relevance' ? titleFits.indexOf(fit) : 0
}

/**
 * Sorts titles in memory.
 * @param fit if given, only titles that fit in this way are returned
 */
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
