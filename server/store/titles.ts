import { idsOf } from '../kernel/ids.ts'
import { headOf, wordsOf, type Words } from '../kernel/words.ts'
import type { Connection, Transaction } from './database.ts'
import { findRowsById } from './rows_by_id.ts'
import { rowOf, type RowOf } from './row_shape.ts'
import { sql } from './sql.ts'

const titleKinds = ['page', 'database', 'data_source'] as const
export type TitleKind = (typeof titleKinds)[number]

/** The block types that have a title, with the kinds of their titles. */
export const titledTypes: ReadonlyMap<string, TitleKind> = new Map([
  ['child_page', 'page'],
  ['child_database', 'database'],
  ['data_source', 'data_source'],
])

/** A title to add to the search index. */
export interface NewTitle {
  readonly id: string
  readonly kind: TitleKind
  /** The block directly above the item; the workspace at the top. */
  readonly parentId: string
  /** The nearest page or database above the item; the workspace at the top. */
  readonly aboveId: string
  /** The title as stored rich text. */
  readonly title: unknown
  /** In milliseconds since 1970. */
  readonly lastEditedTime: number
  readonly inTrash: boolean
}

/** Adds titles to the search index. */
export async function addTitles(db: Transaction, workspaceId: string, titles: readonly NewTitle[]): Promise<void> {
  await db.insert({ table: 'titles', columns: COLUMNS, rows: titles.map((title) => valuesOf(workspaceId, title)) })
}

const COLUMNS = ['workspace_id', 'id', 'kind', 'parent_id', 'above_id', 'in_trash', 'last_edited_time', 'words', 'head'] as const

function valuesOf(workspaceId: string, title: NewTitle): (string | number)[] {
  const { id, kind, parentId, aboveId, inTrash, lastEditedTime } = title
  const words = wordsOf(titleText(title.title))
  return [workspaceId, id, kind, parentId, aboveId, Number(inTrash), lastEditedTime, words, headOf(words)]
}

/** Changes the title of a page, database or data source. Triggers update the other columns: its position, trash and time of edit. */
export async function retitle(db: Transaction, workspaceId: string, id: string, title: unknown): Promise<void> {
  const words = wordsOf(titleText(title))
  await db.run(
    sql`update titles set words = ${words}, head = ${headOf(words)} where workspace_id = ${workspaceId} and id = ${id}
      and words <> ${words}`,
  )
}

export interface TitleRow {
  readonly id: string
  readonly kind: TitleKind
  readonly parentId: string
  readonly words: Words
  /** The time of the last edit, in milliseconds since 1970. */
  readonly time: number
  readonly inTrash: boolean
}

export const storedTitle = rowOf({
  id: 'text',
  kind: titleKinds,
  parent_id: 'text',
  words: 'text',
  last_edited_time: 'integer',
  in_trash: 'integer',
})
export type StoredTitle = RowOf<typeof storedTitle>

export const TITLE_COLUMNS = sql`t.id, t.kind, t.parent_id, t.words, t.last_edited_time, t.in_trash`

export function fromStored(row: StoredTitle): TitleRow {
  return {
    id: row.id,
    kind: row.kind,
    parentId: row.parent_id,
    words: row.words,
    time: row.last_edited_time,
    inTrash: row.in_trash > 0,
  }
}

/** The titles of items and of everything below them; undefined if there are more than `limit`. */
export async function listTitlesBelow(
  db: Connection,
  workspaceId: string,
  itemIds: readonly string[],
  limit: number,
): Promise<TitleRow[] | undefined> {
  const found = new Set<string>()
  let level = itemIds
  while (level.length > 0) {
    for (const id of level) found.add(id)
    if (found.size > limit) return undefined
    const below = await listIdsBelow(db, workspaceId, level, limit + 1)
    level = below.filter((id) => !found.has(id))
  }
  return (await findRowsById(db, storedTitle, 'titles', workspaceId, [...found])).map(fromStored)
}

/** The ids of the items below. Only ids are read, because rows take several times as long. */
async function listIdsBelow(db: Connection, workspaceId: string, itemIds: readonly string[], limit: number): Promise<string[]> {
  const isBelow = sql`t.workspace_id = ${workspaceId} and t.above_id = wanted.id`
  const rows = await db.all(
    { id: 'text' },
    sql`select t.id from ${db.wanted(itemIds)} ${db.lookUpEach('titles', 't', isBelow)} limit ${limit}`,
  )
  return idsOf(rows)
}

/** A title in the list of titles directly below an item. */
export interface PlacedTitle {
  readonly id: string
  readonly number: number
}

/** The titles directly below items. @param after the number of the title after which to continue; only for a single item */
export async function listTitlesDirectlyBelow(
  db: Connection,
  workspaceId: string,
  itemIds: readonly string[],
  after: number | undefined,
  limit: number,
): Promise<PlacedTitle[]> {
  const [only] = itemIds
  return db.all(
    { id: 'text', number: 'integer' },
    itemIds.length === 1 && only !== undefined
      ? sql`select t.id, t.number from titles t where t.workspace_id = ${workspaceId} and t.above_id = ${only}
          and t.number > ${after ?? 0} order by t.number limit ${limit}`
      : sql`select t.id, t.number from ${db.wanted(itemIds)}
          ${db.lookUpEach('titles', 't', sql`t.workspace_id = ${workspaceId} and t.above_id = wanted.id`)} limit ${limit}`,
  )
}

/** The text of a stored title, without mentions of pages and people, whose text depends on the reader. */
export function titleText(stored: unknown): string {
  return Array.isArray(stored) ? stored.map(textOf).join('') : ''
}

/** The parts of stored rich text that contribute to its text. */
interface TextParts {
  readonly text?: { readonly content?: unknown }
  readonly equation?: { readonly expression?: unknown }
  readonly mention?: { readonly date?: { readonly start?: unknown; readonly end?: unknown } }
}

/** The text of one item. Equations and dates become separate words. */
function textOf({ text, equation, mention }: TextParts): string {
  if (typeof text?.content === 'string') return text.content
  const { start, end } = mention?.date ?? {}
  const written = [equation?.expression, start, end].filter((part) => typeof part === 'string')
  return ` ${written.join(' ')} `
}
