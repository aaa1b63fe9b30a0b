import { headOf, type Fit, type TitleQuery } from '../kernel/words.ts'
import { breathe } from '../kernel/breathe.ts'
import type { Connection } from './database.ts'
import type { Sieve } from './title_keys.ts'
import { fromStored, TITLE_COLUMNS, type StoredTitle, type TitleKind, type TitleRow } from './titles.ts'

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
  readonly fit: Fit | 'any'
}

export type Direction = 'ascending' | 'descending'

interface Condition {
  readonly sql: string
  readonly parameters: readonly string[]
}

const EVERYTHING: Condition = { sql: '', parameters: [] }

/** The rule of `fitOf` in SQL. No words hold a character that `like` takes for another, nor a capital. */
function conditionOf(matching: Matching | undefined): Condition {
  if (matching === undefined) return EVERYTHING
  const { whole, parts } = matching.query
  const found = parts.map((part) => `%${part}%`)
  const each = (junction: string): string => parts.map(() => 't.words like ?').join(junction)
  const start = `${whole.trimEnd()}%`
  switch (matching.fit) {
    case 'any':
      return { sql: `and (${each(' or ')})`, parameters: found }
    case 'exact':
      return { sql: 'and t.words = ?', parameters: [whole] }
    case 'prefix':
      return { sql: 'and t.words like ? and t.words <> ?', parameters: [start, whole] }
    case 'all':
      return { sql: `and ${each(' and ')} and t.words not like ?`, parameters: [...found, start] }
    case 'some':
      return {
        sql: `and (${each(' or ')}) and not (${each(' and ')}) and t.words not like ?`,
        parameters: [...found, ...found, start],
      }
  }
}

/** A part of the titles in the order of their last edit. */
export interface Run {
  readonly titles: readonly TitleRow[]
  /** Where the next one begins; undefined at the end. */
  readonly next: TitlePosition | undefined
}

/** How far one run goes: through so many titles, until so many match. */
export interface RunSize {
  readonly titles: number
  readonly matches: number
}

const FIRST: Readonly<Record<Direction, TitlePosition>> = {
  ascending: { time: -1, id: '00000000-0000-0000-0000-000000000000' },
  descending: { time: Number.MAX_SAFE_INTEGER, id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' },
}

/** Written out, so that the engine sees when an index of one kind will do. Pages are most of all there is, data sources are few. */
function kindCondition({ kinds }: TitleField): string {
  return `(${kinds.map((kind) => `t.kind = '${kind}'`).join(' or ')})`
}

const LAST_CHARACTER = '\u{10ffff}'
const PORTIONS_AT_ONCE = 4
/** More from one portion are many, wherever the others are. */
const PASSING_AT_ONCE = 2_000

/** Goes through titles in the order of their last edit, ties by id. @param from the title to go on behind; undefined at the start */
export async function walkTitles(
  db: Connection,
  field: TitleField,
  matching: Matching | undefined,
  direction: Direction,
  from: TitlePosition | undefined,
  size: RunSize,
): Promise<Run> {
  const { workspaceId, inTrash } = field
  const start = from ?? FIRST[direction]
  const [behind, within, order] = direction === 'ascending' ? ['>', '<=', 'asc'] : ['<', '>=', 'desc']
  const rows = `titles t where t.workspace_id = ? and t.in_trash = ? and ${kindCondition(field)} and (t.last_edited_time, t.id) ${behind} (?, ?)`
  const parameters = [workspaceId, Number(inTrash), start.time, start.id] as const
  const ordered = `order by t.last_edited_time ${order}, t.id ${order}`
  const end = await db.get<{ last_edited_time: number; id: string }>(
    `select t.last_edited_time, t.id from ${rows} ${ordered} limit 1 offset ?`,
    ...parameters,
    size.titles - 1,
  )
  const until = end ? { time: end.last_edited_time, id: end.id } : FIRST[direction === 'ascending' ? 'descending' : 'ascending']
  const condition = conditionOf(matching)
  const found = await db.all<StoredTitle>(
    `select ${TITLE_COLUMNS} from ${rows} and (t.last_edited_time, t.id) ${within} (?, ?) ${condition.sql}
     ${ordered} limit ?`,
    ...parameters,
    until.time,
    until.id,
    ...condition.parameters,
    size.matches,
  )
  const titles = found.map(fromStored)
  const last = titles.at(-1)
  return { titles, next: titles.length < size.matches ? end && until : last && { time: last.time, id: last.id } }
}

/** Titles of the field that pass a sieve, in no order; undefined when more than `limit` do, of whatever field. */
export async function siftTitles(
  db: Connection,
  field: TitleField,
  sieve: Sieve,
  limit: number,
): Promise<TitleRow[] | undefined> {
  const { titleKeys } = db
  const { workspaceId } = field
  const found: TitleRow[] = []
  let passed = 0
  for (let portion = (await titleKeys.portions(db)) - 1; portion >= 0; portion -= 1) {
    const rows = await db.all<StoredTitle & { workspace_id: string }>(
      `select t.workspace_id, ${TITLE_COLUMNS} from ${titleKeys.passing}`,
      titleKeys.parameterOf(workspaceId, portion, sieve),
      Math.min(limit - passed, PASSING_AT_ONCE) + 1,
    )
    passed += rows.length
    if (passed > limit || rows.length > PASSING_AT_ONCE) return undefined
    found.push(...rows.filter((row) => row.workspace_id === workspaceId).map(fromStored))
    if (portion % PORTIONS_AT_ONCE === 0) await breathe()
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
  const rows = await db.all<StoredTitle>(
    `select ${TITLE_COLUMNS} from titles t where t.workspace_id = ? and t.head >= ? and t.head < ? order by t.head limit ?`,
    field.workspaceId,
    from,
    // Words end with a blank: behind it, no character of a word comes before the exclamation mark.
    from + (how === 'equals' ? '!' : LAST_CHARACTER),
    limit + 1,
  )
  return rows.length > limit ? undefined : rows.map(fromStored).filter((row) => isInField(row, field))
}

export function isInField({ kind, inTrash }: TitleRow, field: TitleField): boolean {
  return field.kinds.includes(kind) && inTrash === field.inTrash
}
