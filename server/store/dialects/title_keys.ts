import { createHash } from 'node:crypto'
import type { Connection, NumberedTitle, Prefilter, TitleKeys } from '../database.ts'
import { sql } from '../sql.ts'

/** Titles in a portion. Of SQLite, 30,000 matches of one expression take some 3 ms, in which the process does nothing else. */
const PORTION = 1 << 15
const PORTION_DIGITS = 5

/** Keys lead with the workspace, by a digest (what two share is told apart later), and the portion. */
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

/** One expression of a prefilter. Keys hold letters, digits and symbols only, so that nothing in them needs an escape. */
function expression(prefilter: Prefilter, prefix: string, form: (key: string) => string, and: string, or: string): string {
  return prefilter.map((keys) => `(${keys.map((key) => form(prefix + key)).join(and)})`).join(or)
}

export const sqliteTitleKeys: TitleKeys = {
  indexedWords: 'words',
  titlesAtOnce: 8_000,
  portionsAtOnce: 1,
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
  titlesAtOnce: 32_000,
  portionsAtOnce: 16,
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
