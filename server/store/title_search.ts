import { fitOf, headOf, type TitleFit, type TitleQuery } from '../kernel/words.ts'
import { yieldToEventLoop } from '../kernel/yield_to_event_loop.ts'
import { allOf, anyOf } from './conditions.ts'
import type { Connection, Prefilter } from './database.ts'
import { fromStored, storedTitle, TITLE_COLUMNS, type StoredTitle, type TitleKind, type TitleRow } from './titles.ts'
import { findRowsById } from './rows_by_id.ts'
import { rowOf, type RowOf } from './row_shape.ts'
import { raw, sql, type Sql } from './sql.ts'

/** Among which titles is searched. */
export interface TitleField {
  readonly workspaceId: string
  /** One or several. */
  readonly kinds: readonly TitleKind[]
  readonly inTrash: boolean
}

export interface TitlePosition {
  readonly time: number
  readonly id: string
}

/** Which titles match: those with any fit to a query, or with this one. */
export interface Matching {
  readonly query: TitleQuery
  readonly fit: TitleFit | 'any'
}

export type Direction = 'ascending' | 'descending'

/** The rule of `fitOf` in SQL. No words hold a character that `like` takes for another, nor a capital. */
function conditionOf(matching: Matching | undefined): Sql {
  if (matching === undefined) return allOf([])
  const { whole, parts } = matching.query
  const found = parts.map((part) => sql`batch.words like ${`%${part}%`}`)
  const start = `${whole.trimEnd()}%`
  switch (matching.fit) {
    case 'any':
      return anyOf(found)
    case 'exact':
      return sql`batch.words = ${whole}`
    case 'prefix':
      return sql`batch.words like ${start} and batch.words <> ${whole}`
    case 'all':
      return sql`${allOf(found)} and batch.words not like ${start}`
    case 'some':
      return sql`${anyOf(found)} and not ${allOf(found)} and batch.words not like ${start}`
  }
}

/** A part of the titles in the order of their last edit. */
interface TitleBatch {
  readonly titles: readonly TitleRow[]
  /** Where the next one begins; undefined at the end. */
  readonly next: TitlePosition | undefined
  /** It ended at as many matches as were wanted. */
  readonly isFull: boolean
}

/** How far one batch goes: through so many titles, until so many match. */
export interface ScanLimits {
  readonly titles: number
  readonly matches: number
}

const FIRST: Readonly<Record<Direction, TitlePosition>> = {
  ascending: { time: -1, id: '00000000-0000-0000-0000-000000000000' },
  descending: { time: Number.MAX_SAFE_INTEGER, id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' },
}

/** Written out, so that the engine sees when an index of one kind will do. Pages are most of all there is, data sources are few. */
function kindCondition({ kinds }: TitleField): Sql {
  return raw(`(${kinds.map((kind) => `t.kind = '${kind}'`).join(' or ')})`)
}

const LAST_CHARACTER = '\u{10ffff}'
/** An engine inside the process does nothing else until it has them. */
const PASSING_AT_ONCE = 2_000

/** A title as an index has it: without words that are too long for it. */
const indexedTitle = rowOf({ ...storedTitle, words: 'text?' })
type IndexedTitle = RowOf<typeof indexedTitle>

/** A title of a batch, or what stands at its end. */
const scannedTitle = rowOf({ ...indexedTitle, is_end: 'integer' })

function indexedColumns({ titleKeys }: Connection): Sql {
  return sql`t.id, t.kind, t.parent_id, t.${raw(titleKeys.indexedWords)} as words, t.last_edited_time, t.in_trash`
}

/** Scans titles in the order of their last edit, ties by id. @param from the title to continue after; undefined at the start */
export async function scanTitles(
  db: Connection,
  field: TitleField,
  matching: Matching | undefined,
  direction: Direction,
  from: TitlePosition | undefined,
  size: ScanLimits,
): Promise<TitleBatch> {
  const start = from ?? FIRST[direction]
  const [behind, order] = direction === 'ascending' ? [raw('>'), raw('asc')] : [raw('<'), raw('desc')]
  const columns = indexedColumns(db)
  const rows = sql`titles t where t.workspace_id = ${field.workspaceId} and t.in_trash = ${Number(field.inTrash)}
    and ${kindCondition(field)} and (t.last_edited_time, t.id) ${behind} (${start.time}, ${start.id})
    order by t.last_edited_time ${order}, t.id ${order}`
  const found = await db.all(
    scannedTitle,
    sql`select * from (select batch.*, 0 as is_end from (select ${columns} from ${rows} limit ${size.titles}) batch
       where batch.words is null or (${conditionOf(matching)}) limit ${size.matches}) a
     union all select * from (select ${columns}, 1 as is_end from ${rows} limit 1 offset ${size.titles - 1}) b`,
  )
  const end = found.find((row) => row.is_end === 1)
  const met = found.filter((row) => row.is_end === 0)
  const isFull = met.length === size.matches
  const last = isFull ? met.at(-1) : end
  const titles = await withWords(db, field.workspaceId, met)
  return {
    titles: titles.filter((row) => fitsTo(row, matching)).map(fromStored),
    next: last && { time: last.last_edited_time, id: last.id },
    isFull,
  }
}

/** Adds the words that are too long for the index. */
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

/** Titles of the field that pass a prefilter, in no order; undefined when more than `limit` do, of whatever field, or seem to. */
export async function prefilterTitles(
  db: Connection,
  field: TitleField,
  prefilter: Prefilter,
  limit: number,
): Promise<TitleRow[] | undefined> {
  const { titleKeys } = db
  const found: TitleRow[] = []
  const portions = await titleKeys.portions(db)
  // More from the first one are many, wherever the others are.
  const first = Math.ceil((limit * 2) / (portions + 1))
  for (let end = portions, size = 1; end > 0; end -= size, size = Math.min(titleKeys.portionsPerStatement, end)) {
    const asked = Array.from({ length: size }, (_, index) => end - 1 - index)
    const max = Math.min(end === portions ? first : limit, PASSING_AT_ONCE * size, limit - found.length)
    const rows = await db.all(
      indexedTitle,
      sql`select ${indexedColumns(db)} from ${titleKeys.passing(field.workspaceId, asked, prefilter, max + 1)}
        where t.workspace_id = ${field.workspaceId} limit ${max + 1}`,
    )
    if (rows.length > max) return undefined
    found.push(...(await withWords(db, field.workspaceId, rows)).map(fromStored))
    await yieldToEventLoop()
  }
  return found.filter((row) => isInField(row, field))
}

/** Titles of the field that begin with `start`, or are just that, in no order; undefined when more than `limit` do. */
export async function listTitlesWithStart(
  db: Connection,
  field: TitleField,
  start: string,
  how: 'begins' | 'equals',
  limit: number,
): Promise<TitleRow[] | undefined> {
  const from = headOf(start)
  const rows = await db.all(
    storedTitle,
    sql`select ${TITLE_COLUMNS} from titles t where t.workspace_id = ${field.workspaceId} and t.head >= ${from}
      and t.head < ${from + (how === 'equals' ? '!' : LAST_CHARACTER)} order by t.head limit ${limit + 1}`,
  )
  return rows.length > limit ? undefined : rows.map(fromStored).filter((row) => isInField(row, field))
}

export function isInField({ kind, inTrash }: TitleRow, field: TitleField): boolean {
  return field.kinds.includes(kind) && inTrash === field.inTrash
}
