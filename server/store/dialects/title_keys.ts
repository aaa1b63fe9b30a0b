import { hash } from 'node:crypto'
import type { Connection, Prefilter, TitleKeys } from '../database.ts'
import { findRowsById } from '../rows_by_id.ts'
import { raw, sql } from '../sql.ts'

/** Titles in a portion. SQLite blocks the process for about 3 ms to collect 30,000 matches of an expression. */
const PORTION = 1 << 15
const PORTION_DIGITS = 5

/** Keys begin with a digest of the workspace and the portion. Titles of workspaces with the same digest are told apart later. */
function prefixOf(workspaceId: string, portion: number): string {
  return digestOf(workspaceId) + portion.toString(16).padStart(PORTION_DIGITS, '0')
}

function digestOf(workspaceId: string): string {
  return hash('sha256', workspaceId, 'hex').slice(0, 8)
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
  async add(db, workspaceId, titles) {
    const keys = new Map(titles.map((title) => [title.id, title.keys]))
    const numbered = await findRowsById(db, { id: 'text', number: 'integer' }, 'titles', workspaceId, [...keys.keys()])
    const rows = numbered.map(({ id, number }) => {
      const prefix = prefixOf(workspaceId, portionOf(number))
      return [number, (keys.get(id) ?? []).map((key) => prefix + key).join(' ')]
    })
    await db.insert({ table: 'title_keys', columns: ['rowid', 'keys'], rows })
  },
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
  /** The server numbers titles, so it makes the prefixes, too: nothing has to be read before. */
  async add(db, workspaceId, titles) {
    const rows = titles.map(({ id, keys }) => ({ id, keys: keys.join(' ') }))
    const prefix = sql`${digestOf(workspaceId)} || lpad(to_hex(t.number / ${raw(PORTION)}), ${raw(PORTION_DIGITS)}, '0')`
    await db.run(
      sql`insert into title_keys (workspace_id, id, keys)
        select t.workspace_id, t.id, array_to_tsvector(array(select ${prefix} || key from unnest(string_to_array(n.keys, ' ')) as key))
        from ${db.records('n', { id: 'id', keys: 'text' }, rows)}
        ${db.lookUp('titles', 't', sql`t.workspace_id = ${workspaceId} and t.id = n.id`)}`,
    )
  },
  async remove(db, { workspaceId, id }) {
    await db.run(sql`delete from title_keys where workspace_id = ${workspaceId} and id = ${id}`)
  },
  passing(workspaceId, portions, prefilter, limit) {
    const each = portions.map((portion) =>
      expression(prefilter, prefixOf(workspaceId, portion), (key) => `'${key}':*`, ' & ', ' | '),
    )
    return sql`(select of_portion.number
        from unnest(${`{${each.map((one) => `"${one}"`).join(',')}}`}::text[]) as portion (prefilter) cross join lateral
          (select number from title_keys where keys @@ portion.prefilter::tsquery limit ${limit}) of_portion
        limit ${limit}) k cross join lateral
      (select number, workspace_id, id, kind, parent_id, in_trash, last_edited_time, short_words from titles t where t.number = k.number
       limit 1) t`
  },
  portions,
}
