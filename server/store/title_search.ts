import { headOf, type IndexedWord, type TitleFit, type TitleQuery } from '../kernel/words.ts'
import { chunks, yieldToEventLoop } from '../kernel/yield_to_event_loop.ts'
import { allOf, anyOf } from './conditions.ts'
import type { Connection } from './database.ts'
import { rowOf } from './row_shape.ts'
import { raw, sql, type Sql } from './sql.ts'
import { fromStored, storedTitle, TITLE_COLUMNS, type TitleKind, type TitleRow } from './titles.ts'

/** The titles that a search covers. */
export interface TitleScope {
  readonly workspaceId: string
  /** The kinds of titles; at least one. */
  readonly kinds: readonly TitleKind[]
  readonly inTrash: boolean
}

export interface TitlePosition {
  readonly time: number
  readonly id: string
}

/** Which titles match: those that fit a query in one way, or in any way. */
export interface Matching {
  readonly query: TitleQuery
  readonly fit: TitleFit | 'any'
}

export type Direction = 'ascending' | 'descending'

/**
 * The rule of `fitOf` as an SQL condition. Words contain neither wildcards of `like` nor capital letters. @param words the column with the
 * words
 */
function fitCondition({ query, fit }: Matching, words: Sql): Sql {
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

/** A batch of titles in the order of their last edit. */
interface TitleBatch {
  readonly titles: readonly TitleRow[]
  /** The position after which to continue; undefined at the end. */
  readonly next: TitlePosition | undefined
  /** Whether the batch ended because it reached the limit of matches. */
  readonly isFull: boolean
}

/** The limits of a batch: how many titles it examines, and after how many matches it stops. */
interface ScanLimits {
  readonly titles: number
  readonly matches: number
}

const FIRST: Readonly<Record<Direction, TitlePosition>> = {
  ascending: { time: -1, id: '00000000-0000-0000-0000-000000000000' },
  descending: { time: Number.MAX_SAFE_INTEGER, id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' },
}

/**
 * A condition on the kinds of titles. It contains literals instead of parameters, so that the engine can choose the partial index of data
 * sources, which are few compared with pages.
 */
function kindCondition({ kinds }: TitleScope): Sql {
  return raw(`(${kinds.map((kind) => `t.kind = '${kind}'`).join(' or ')})`)
}

const LAST_CHARACTER = '\u{10ffff}'

/** A title of a batch, or the row at its end. */
const scannedTitle = rowOf({ ...storedTitle, is_end: 'integer' })

/** Scans titles in the order of their last edit, then by id. @param from the title after which to continue; undefined for the start */
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
  const columns = sql`t.id, t.kind, t.parent_id, ${db.wordsOfTitle(scope.workspaceId)} as words, t.last_edited_time, t.in_trash`
  const rows = sql`titles t where t.workspace_id = ${scope.workspaceId} and t.in_trash = ${Number(scope.inTrash)}
    and ${kindCondition(scope)} and (t.last_edited_time, t.id) ${beyond} (${start.time}, ${start.id})
    order by t.last_edited_time ${order}, t.id ${order}`
  const found = await db.all(
    scannedTitle,
    sql`select * from (select batch.*, 0 as is_end from (select ${columns} from ${rows} limit ${size.titles}) batch
       where ${matching ? fitCondition(matching, raw('batch.words')) : allOf([])} limit ${size.matches}) a
     union all select * from (select ${columns}, 1 as is_end from ${rows} limit 1 offset ${size.titles - 1}) b`,
  )
  const titles = found.filter((row) => row.is_end === 0)
  const isFull = titles.length === size.matches
  const last = isFull ? titles.at(-1) : found.find((row) => row.is_end === 1)
  return { titles: titles.map(fromStored), next: last && { time: last.last_edited_time, id: last.id }, isFull }
}

/** The titles in scope that begin with `start` or equal it, in no particular order; undefined if there are more than `limit`. */
export async function listTitlesWithStart(
  db: Connection,
  scope: TitleScope,
  start: string,
  match: 'begins' | 'equals',
  limit: number,
): Promise<TitleRow[] | undefined> {
  const from = headOf(start)
  const range = sql`from titles t where t.workspace_id = ${scope.workspaceId} and t.head >= ${from}
    and t.head < ${from + (match === 'equals' ? '!' : LAST_CHARACTER)} order by t.head limit ${limit + 1}`
  if ((await countOf(db, range)) > limit) return undefined
  const rows = await db.all(storedTitle, sql`select ${TITLE_COLUMNS} ${range}`)
  return rows.length > limit ? undefined : rows.map(fromStored).filter((row) => isInScope(row, scope))
}

/**
 * The titles in scope that have one of these words, in no particular order; undefined if the workspace has more than `limit` of them. A
 * title counts once for each of the words.
 */
export async function listTitlesWithWords(
  db: Connection,
  scope: TitleScope,
  words: readonly IndexedWord[],
  limit: number,
): Promise<TitleRow[] | undefined> {
  const numbers = new Set<number>()
  let left = limit
  for (const { text, isWhole } of words) {
    const condition = isWhole ? sql`word = ${text}` : sql`word >= ${text} and word < ${text + LAST_CHARACTER}`
    const range = sql`from title_words where workspace_id = ${scope.workspaceId} and ${condition} limit ${left + 1}`
    if ((await countOf(db, range)) > left) return undefined
    const rows = await db.all({ number: 'integer' }, sql`select number ${range}`)
    for (const { number } of rows) numbers.add(number)
    left -= rows.length
  }
  return readTitles(db, scope, [...numbers])
}

/** The number of rows in a range. Count them before reading them: reading takes ten times as long. */
async function countOf(db: Connection, range: Sql): Promise<number> {
  const row = await db.get({ count: 'integer' }, sql`select count(*) as count from (select 1 ${range}) as found`)
  return row?.count ?? 0
}

const ROWS_AT_ONCE = 2_000

async function readTitles(db: Connection, scope: TitleScope, numbers: readonly number[]): Promise<TitleRow[]> {
  const read: TitleRow[] = []
  for (const some of chunks(numbers, ROWS_AT_ONCE)) {
    if (read.length > 0) await yieldToEventLoop()
    const wanted = db.records(
      'wanted',
      { title_number: 'integer' },
      some.map((number) => ({ title_number: number })),
    )
    const rows = await db.all(
      storedTitle,
      sql`select ${TITLE_COLUMNS} from ${wanted}
        ${db.lookUp('titles', 't', sql`t.workspace_id = ${scope.workspaceId} and t.number = wanted.title_number`)}`,
    )
    read.push(...rows.map(fromStored))
  }
  return read.filter((row) => isInScope(row, scope))
}

/** Whether a title of the workspace is in scope. */
export function isInScope({ kind, inTrash }: TitleRow, scope: TitleScope): boolean {
  return scope.kinds.includes(kind) && inTrash === scope.inTrash
}
