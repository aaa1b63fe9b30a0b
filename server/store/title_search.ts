import { fitOf, headOf, titleFits, type TitleFit, type TitleQuery } from '../kernel/words.ts'
import { allOf, anyOf } from './conditions.ts'
import type { Connection } from './database.ts'
import { fromStored, storedTitle, TITLE_COLUMNS, type StoredTitle, type TitleKind, type TitleRow } from './titles.ts'
import { findRowsById } from './rows_by_id.ts'
import { rowOf, type RowOf } from './row_shape.ts'
import { joinSql, raw, sql, type Sql } from './sql.ts'

/** The titles that a search covers. */
export interface TitleScope {
  readonly workspaceId: string
  /** At least one. */
  readonly kinds: readonly TitleKind[]
  readonly inTrash: boolean
}

export interface TitlePosition {
  readonly time: number
  readonly id: string
}

/** The titles that match: those with a certain fit to a query, or with any fit. */
export interface Matching {
  readonly query: TitleQuery
  readonly fit: TitleFit | 'any'
}

export type Direction = 'ascending' | 'descending'

/** The rule of `fitOf` in SQL. Words contain neither wildcards of `like` nor capitals. @param words the column of the words */
export function fitCondition({ query, fit }: Matching, words: Sql): Sql {
  const { whole, parts } = query
  const found = parts.map((part) => sql`${words} like ${`%${part}%`}`)
  const start = `${whole.trimEnd()}%`
  switch (fit) {
    case 'any':
      return anyOf(found)
    case 'exact':
      return sql`${words} = ${whole}`
    case 'prefix':
      return sql`${words} like ${start} and ${words} <> ${whole}`
    case 'all':
      return sql`${allOf(found)} and ${words} not like ${start}`
    case 'some':
      return sql`${anyOf(found)} and not ${allOf(found)} and ${words} not like ${start}`
  }
}

/** The index in `titleFits` of the fit of a title that matches. */
export function fitRank({ query, fit }: Matching, words: Sql): Sql {
  if (fit !== 'any') return raw(titleFits.indexOf(fit))
  const ranks = titleFits.map((one, rank) => sql`when ${fitCondition({ query, fit: one }, words)} then ${raw(rank)}`)
  return sql`case ${joinSql(ranks.slice(0, -1), ' ')} else ${raw(titleFits.length - 1)} end`
}

/** A batch of titles in the order of their last edit. */
interface TitleBatch {
  readonly titles: readonly TitleRow[]
  /** The position to continue after; undefined at the end. */
  readonly next: TitlePosition | undefined
  /** Whether it ended because it reached the limit of matches. */
  readonly isFull: boolean
}

/** The limits of a batch: the titles that it examines, and the matches after which it stops. */
export interface ScanLimits {
  readonly titles: number
  readonly matches: number
}

const FIRST: Readonly<Record<Direction, TitlePosition>> = {
  ascending: { time: -1, id: '00000000-0000-0000-0000-000000000000' },
  descending: { time: Number.MAX_SAFE_INTEGER, id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' },
}

/** Literals, not parameters, so that the engine can choose the partial index of data sources, which are few compared with pages. */
export function kindCondition({ kinds }: TitleScope): Sql {
  return raw(`(${kinds.map((kind) => `t.kind = '${kind}'`).join(' or ')})`)
}

const LAST_CHARACTER = '\u{10ffff}'

/** A title as in an index, where words that are too long are null. */
const indexedTitle = rowOf({ ...storedTitle, words: 'text?' })
type IndexedTitle = RowOf<typeof indexedTitle>

/** A title of a batch, or the row at its end. */
const scannedTitle = rowOf({ ...indexedTitle, is_end: 'integer' })

function indexedColumns({ titleKeys }: Connection): Sql {
  return sql`t.id, t.kind, t.parent_id, t.${raw(titleKeys.indexedWords)} as words, t.last_edited_time, t.in_trash`
}

/** Scans titles in the order of their last edit, then by id. @param from the title to continue after; undefined for the start */
export async function scanTitles(
  db: Connection,
  scope: TitleScope,
  matching: Matching | undefined,
  direction: Direction,
  from: TitlePosition | undefined,
  size: ScanLimits,
): Promise<TitleBatch> {
  const start = from ?? FIRST[direction]
  const [beyond, order] = direction === 'ascending' ? [raw('>'), raw('asc')] : [raw('<'), raw('desc')]
  const columns = indexedColumns(db)
  const rows = sql`titles t where t.workspace_id = ${scope.workspaceId} and t.in_trash = ${Number(scope.inTrash)}
    and ${kindCondition(scope)} and (t.last_edited_time, t.id) ${beyond} (${start.time}, ${start.id})
    order by t.last_edited_time ${order}, t.id ${order}`
  const found = await db.all(
    scannedTitle,
    sql`select * from (select batch.*, 0 as is_end from (select ${columns} from ${rows} limit ${size.titles}) batch
       where batch.words is null or (${matching ? fitCondition(matching, raw('batch.words')) : allOf([])}) limit ${size.matches}) a
     union all select * from (select ${columns}, 1 as is_end from ${rows} limit 1 offset ${size.titles - 1}) b`,
  )
  const end = found.find((row) => row.is_end === 1)
  const met = found.filter((row) => row.is_end === 0)
  const isFull = met.length === size.matches
  const last = isFull ? met.at(-1) : end
  const titles = await withWords(db, scope.workspaceId, met)
  return {
    titles: titles.filter((row) => fitsTo(row, matching)).map(fromStored),
    next: last && { time: last.last_edited_time, id: last.id },
    isFull,
  }
}

/** Adds the words that the index does not have. */
async function withWords(db: Connection, workspaceId: string, rows: readonly IndexedTitle[]): Promise<StoredTitle[]> {
  const long = rows.filter((row) => row.words === null).map(({ id }) => id)
  const found = await findRowsById(db, { id: 'text', words: 'text' }, 'titles', workspaceId, long)
  const words = new Map(found.map((row) => [row.id, row.words]))
  return rows.map((row) => ({ ...row, words: row.words ?? words.get(row.id) ?? '' }))
}

function fitsTo({ words }: StoredTitle, matching: Matching | undefined): boolean {
  if (matching === undefined) return true
  const fit = fitOf(words, matching.query)
  return fit !== undefined && (matching.fit === 'any' || matching.fit === fit)
}

/** The titles in scope that begin with `start` or equal it, in no particular order; undefined if there are more than `limit`. */
export async function listTitlesWithStart(
  db: Connection,
  scope: TitleScope,
  start: string,
  how: 'begins' | 'equals',
  limit: number,
): Promise<TitleRow[] | undefined> {
  const from = headOf(start)
  const range = sql`from titles t where t.workspace_id = ${scope.workspaceId} and t.head >= ${from}
    and t.head < ${from + (how === 'equals' ? '!' : LAST_CHARACTER)} order by t.head limit ${limit + 1}`
  // Counted first, because rows of many titles take ten times as long to read.
  const counted = await db.get({ titles: 'integer' }, sql`select count(*) as titles from (select 1 ${range}) as found`)
  if ((counted?.titles ?? 0) > limit) return undefined
  const rows = await db.all(storedTitle, sql`select ${TITLE_COLUMNS} ${range}`)
  return rows.length > limit ? undefined : rows.map(fromStored).filter((row) => isInScope(row, scope))
}

/** Whether a title of the workspace is in scope. */
export function isInScope({ kind, inTrash }: TitleRow, scope: TitleScope): boolean {
  return scope.kinds.includes(kind) && inTrash === scope.inTrash
}
