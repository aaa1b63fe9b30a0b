import { createHash } from 'node:crypto'
import type { Connection, NumberedTitle, Prefilter, TitleKeys } from '../database.ts'
import { sql } from '../sql.ts'

/** Titles in a portion. SQLite blocks the process for about 3 ms to collect 30,000 matches of an expression. */
const PORTION = 1 << 15
const PORTION_DIGITS = 5

/** Keys begin with a digest of the workspace and the portion. Titles of workspaces with the same digest are told apart later. */
function prefixOf(workspaceId: string, portion: number): string {
  const workspace = createHash('sha256').update(workspaceId).digest('hex').slice(0, 8)
  return workspace + portion.toString(16).padStart(PORTION_DIGITS, '0')
}

function fullKeys({ workspaceId, number, keys }: NumberedTitle): string[] {
  const prefix = prefixOf(workspaceId, portionOf(number))
  return keys.map((key) => prefix + key)
}

function portionOf(number: number): number {
  return Math.floor(number / PORTION)
}

async function portions(db: Connection): Promise<number> {
  const row = await db.get({ number: 'integer?' }, 'select max(number) as number from titles')
  return portionOf(row?.number ?? 0) + 1
}

/** A prefilter as a full-text expression. Keys consist of letters, digits and symbols that need no escaping. */
function expression(prefilter: Prefilter, prefix: string, form: (key: string) => string, and: string, or: string): string {
  return prefilter.map((keys) => `(${keys.map((key) => form(prefix + key)).join(and)})`).join(or)
}

export const sqliteTitleKeys: TitleKeys = {
  indexedWords: 'words',
  titlesPerStatement: 8_000,
  portionsPerStatement: 1,
  rowsOf: (titles) => ({
    table: 'title_keys',
    columns: ['rowid', 'keys'],
    rows: titles.map((title) => [title.number, fullKeys(title).join(' ')]),
  }),
  async remove(db, { number }) {
    await db.run(sql`delete from title_keys where rowid = ${number}`)
  },
  passing(workspaceId, [portion = 0], prefilter, limit) {
    const asked = expression(prefilter, prefixOf(workspaceId, portion), (key) => `"${key}"*`, ' AND ', ' OR ')
    return sql`(select rowid from title_keys where title_keys match ${asked} limit ${limit}) k
      cross join titles t on t.number = k.rowid`
  },
  portions,
}

export const postgresqlTitleKeys: TitleKeys = {
  indexedWords: 'short_words',
  titlesPerStatement: 32_000,
  portionsPerStatement: 16,
  rowsOf: (titles) => ({
    table: 'title_keys',
    columns: ['workspace_id', 'id', 'keys'],
    rows: titles.map((title) => [
      title.workspaceId,
      title.id,
      fullKeys(title)
        .map((key) => `'${key}'`)
        .join(' '),
    ]),
  }),
  async remove(db, { workspaceId, id }) {
    await db.run(sql`delete from title_keys where workspace_id = ${workspaceId} and id = ${id}`)
  },
  passing(workspaceId, portions, prefilter, limit) {
    const each = portions.map((portion) =>
      expression(prefilter, prefixOf(workspaceId, portion), (key) => `'${key}':*`, ' & ', ' | '),
    )
    return sql`unnest(${`{${each.map((one) => `"${one}"`).join(',')}}`}::text[]) as portion (prefilter) cross join lateral
      (select number from title_keys where keys @@ portion.prefilter::tsquery limit ${limit}) k cross join lateral
      (select workspace_id, id, kind, parent_id, in_trash, last_edited_time, short_words from titles t where t.number = k.number
       limit 1) t`
  },
  portions,
}
