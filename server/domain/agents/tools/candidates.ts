import { fitOf, titleFits, parseTitleQuery, type TitleQuery } from '../../../kernel/words.ts'
import { listTitlesBelow, type TitleRow } from '../../../store/titles.ts'
import type { TitleScope } from '../../../store/title_search.ts'
import type { Scope } from '../../shared/index.ts'
import { ranked, TitleVisibility, type SearchLimits, type Order } from '../../data/index.ts'
import type { Reach } from './reach.ts'

export interface CandidateCounts {
  /** Pages whose titles contain words of the query, best first. */
  readonly titles: number
  /** The pages edited last. */
  readonly recent: number
}

interface Candidates {
  readonly rows: readonly TitleRow[]
  /** Whether the agent can read no other pages. */
  readonly isComplete: boolean
}

/** Lower limits than for a person's search: an agent needs only a few hundred pages. */
const LIMITS: SearchLimits = {
  scanned: 40_000,
  checked: 4_000,
  batch: 4_000,
  hits: 1_600,
  sorted: 3_000,
  beforeWords: 8_000,
  withWords: 4_000,
}

/**
 * Pages that the agent may read for the caller: those with matching titles, and those edited last. Whatever the size of the
 * workspace, it examines no more titles than `LIMITS` allows.
 */
export async function listCandidates(scope: Scope, reach: Reach, text: string, wanted: CandidateCounts): Promise<Candidates> {
  const parsed = parseTitleQuery(text)
  const query = parsed?.parts.length === 0 ? undefined : parsed
  const few = await pagesBelowNamed(scope, reach)
  const pick = (query: CandidateQuery, count: number): Candidates | Promise<Candidates> =>
    few ? selectCandidates(few, query, count) : take(scope, reach, query, count)
  const fitting = query ? await pick({ query, order: 'relevance' }, wanted.titles) : NONE
  const recent = await pick({ query: undefined, order: 'descending' }, wanted.recent)
  const rows = new Map([...fitting.rows, ...recent.rows].map((row) => [row.id, row]))
  return { rows: [...rows.values()], isComplete: recent.isComplete }
}

const NONE: Candidates = { rows: [], isComplete: false }

interface CandidateQuery {
  readonly query: TitleQuery | undefined
  readonly order: Order
}

/** All pages in reach, if the permissions name single pages with few pages below them; otherwise undefined. */
async function pagesBelowNamed(scope: Scope, reach: Reach): Promise<TitleRow[] | undefined> {
  if (reach.isWide) return undefined
  const { db, actor } = scope
  const rows = await listTitlesBelow(db, actor.workspaceId, reach.namedPages('reader'), LIMITS.sorted)
  const pages = rows?.filter(({ kind, inTrash }) => kind === 'page' && !inTrash)
  const visible = pages && (await new TitleVisibility(db, actor, false).among(pages))
  return pages?.filter(({ id }) => visible?.has(id))
}

function selectCandidates(pages: readonly TitleRow[], { query }: CandidateQuery, count: number): Candidates {
  const rankOf = ({ words }: TitleRow): number => {
    const fit = query && fitOf(words, query)
    return fit === undefined ? titleFits.length : titleFits.indexOf(fit)
  }
  const rows = pages
    .map((row) => ({ row, rank: rankOf(row) }))
    .filter(({ rank }) => query === undefined || rank < titleFits.length)
    .sort((a, b) => a.rank - b.rank || b.row.time - a.row.time || (a.row.id < b.row.id ? -1 : 1))
    .map(({ row }) => row)
  return { rows: rows.slice(0, count), isComplete: rows.length <= count }
}

async function take(scope: Scope, reach: Reach, query: CandidateQuery, count: number): Promise<Candidates> {
  if (count === 0) return NONE
  const { db, actor } = scope
  const field: TitleScope = { workspaceId: actor.workspaceId, kinds: ['page'], inTrash: false }
  const visibility = new TitleVisibility(db, actor, false)
  const rows: TitleRow[] = []
  for await (const batch of ranked({ db, field, ...query, visibility, limits: LIMITS, wanted: count }, undefined)) {
    if (batch === 'too deep') return { rows, isComplete: false }
    const found = batch.map(({ row }) => row)
    const visible = await visibility.among(found)
    const open = await reach.among([...visible], 'reader')
    for (const row of found) {
      if (!open.has(row.id)) continue
      if (rows.length === count) return { rows, isComplete: false }
      rows.push(row)
    }
    if (visibility.checked > LIMITS.checked) return { rows, isComplete: false }
  }
  return { rows, isComplete: true }
}
