import { createHash } from 'node:crypto'
import type { Connection, Database } from '../database.ts'
import type { NumberedTitle, Prefilter, TitleKeys } from '../title_keys.ts'

/** Titles in a portion. Of SQLite, 30,000 matches of one expression take some 3 ms, in which the process does nothing else. */
const PORTION = 1 << 15
const PORTION_DIGITS = 5

/** Symbols of ASCII are keys too. */
const SQLITE_TABLE = `create virtual table title_keys using fts5(
  keys, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '$+<=>^\`|~'")`

/** No list of pending entries: it would make one search in thousands slow, and the others slower until then. */
const POSTGRESQL_TABLE = [
  `create table title_keys (workspace_id uuid not null, id uuid not null, keys tsvector not null, primary key (workspace_id, id))`,
  `create index title_keys_by_key on title_keys using gin (keys) with (fastupdate = off)`,
]

/** What `titles` repeats of a block changes with the block, whoever changes it. */
const FOLLOW = `update titles set parent_id = new.parent_id, above_id = coalesce(new.page_id, new.parent_id), in_trash = new.in_trash,
  last_edited_time = new.last_edited_time where workspace_id = new.workspace_id and id = new.id`
const FOLLOWED = 'parent_id, page_id, in_trash, last_edited_time'
const IS_TITLED = `new.type in ('child_page', 'child_database')`

/** Tables and triggers of the index. */
export const titleKeysSchema: Readonly<Record<Database['engine'], readonly string[]>> = {
  sqlite: [
    // Whether a title matches is read from the index: its row is somewhere else in the file for each.
    `create index titles_by_edit on titles (workspace_id, in_trash, last_edited_time, id, kind, words)`,
    SQLITE_TABLE,
    `create trigger titles_follow_blocks after update of ${FOLLOWED} on blocks when ${IS_TITLED} begin ${FOLLOW}; end`,
  ],
  postgresql: [
    `create index titles_by_edit on titles (workspace_id, in_trash, last_edited_time, id, kind)`,
    ...POSTGRESQL_TABLE,
    `create unique index titles_by_number on titles (number)`,
    `create function follow_block() returns trigger language plpgsql as $$ begin ${FOLLOW}; return null; end $$`,
    `create trigger titles_follow_blocks after update of ${FOLLOWED} on blocks
     for each row when (${IS_TITLED}) execute function follow_block()`,
  ],
}

/** Data sources are found by their titles too. */
export const dataSourceTitlesSchema: Readonly<Record<Database['engine'], readonly string[]>> = {
  sqlite: [
    `create trigger titles_follow_data_sources after update of ${FOLLOWED} on blocks when new.type = 'data_source' begin ${FOLLOW}; end`,
  ],
  postgresql: [
    `create trigger titles_follow_data_sources after update of ${FOLLOWED} on blocks
     for each row when (new.type = 'data_source') execute function follow_block()`,
  ],
}

/** A row of an index has less than 2,704 bytes. */
const INDEXED_BYTES_MAX = 1_000

/** The index in the order of edits holds all that a search looks at: its rows are somewhere else in the file for each. */
export const titleWalkSchema: Readonly<Record<Database['engine'], readonly string[]>> = {
  sqlite: [
    `drop index titles_by_edit`,
    `create index titles_by_edit on titles (workspace_id, in_trash, last_edited_time, id, kind, parent_id, words)`,
  ],
  postgresql: [
    `drop index titles_by_edit`,
    `alter table titles add column short_words text collate "C" generated always as
      (case when octet_length(words) <= ${INDEXED_BYTES_MAX} then words end) stored`,
    `create index titles_by_edit on titles (workspace_id, in_trash, last_edited_time, id, kind) include (parent_id, short_words)`,
  ],
}

/** With its database a data source is in the trash too, and so it is shown. */
const IN_TRASH_WITH_DATABASE = `case when new.in_trash = 1 then 1 else coalesce(
  (select d.in_trash from blocks d where d.workspace_id = new.workspace_id and d.id = new.parent_id), 0) end`
const FOLLOW_DATA_SOURCE = `update titles set parent_id = new.parent_id, above_id = new.parent_id, in_trash = ${IN_TRASH_WITH_DATABASE},
  last_edited_time = new.last_edited_time where workspace_id = new.workspace_id and id = new.id`
const FOLLOW_DATABASE = `update titles set in_trash = case when new.in_trash = 1 then 1 else
  (select s.in_trash from blocks s where s.workspace_id = new.workspace_id and s.id = titles.id) end
  where workspace_id = new.workspace_id and above_id = new.id and kind = 'data_source'`

/** Triggers that follow the trash of databases. */
export const titlesInTrashSchema: Readonly<Record<Database['engine'], readonly string[]>> = {
  sqlite: [
    `drop trigger titles_follow_data_sources`,
    `create trigger titles_follow_data_sources after update of ${FOLLOWED} on blocks when new.type = 'data_source'
     begin ${FOLLOW_DATA_SOURCE}; end`,
    `create trigger titles_follow_databases after update of in_trash on blocks when new.type = 'child_database'
     begin ${FOLLOW_DATABASE}; end`,
  ],
  postgresql: [
    `drop trigger titles_follow_data_sources on blocks`,
    `create function follow_data_source() returns trigger language plpgsql as $$ begin ${FOLLOW_DATA_SOURCE}; return null; end $$`,
    `create function follow_database() returns trigger language plpgsql as $$ begin ${FOLLOW_DATABASE}; return null; end $$`,
    `create trigger titles_follow_data_sources after update of ${FOLLOWED} on blocks
     for each row when (new.type = 'data_source') execute function follow_data_source()`,
    `create trigger titles_follow_databases after update of in_trash on blocks
     for each row when (new.type = 'child_database') execute function follow_database()`,
  ],
}

/**
 * What a prefilter lets through is met by its number, and read from the index: numbers that were given together stand together, while ids
 * are somewhere else for each. The number of a row comes from its title, whoever adds the row.
 */
export const titleNumbersSchema: Readonly<Record<Database['engine'], readonly string[]>> = {
  sqlite: [],
  postgresql: [
    `create table numbered_keys (workspace_id uuid not null, id uuid not null, number bigint not null, keys tsvector not null)`,
    `insert into numbered_keys (workspace_id, id, number, keys) select k.workspace_id, k.id, t.number, k.keys
     from title_keys k join titles t on t.workspace_id = k.workspace_id and t.id = k.id order by t.number`,
    `drop table title_keys`,
    `alter table numbered_keys rename to title_keys`,
    `alter table title_keys add primary key (workspace_id, id)`,
    `create index title_keys_by_key on title_keys using gin (keys) with (fastupdate = off)`,
    `create function number_keys() returns trigger language plpgsql as $$ begin
       new.number := (select t.number from titles t where t.workspace_id = new.workspace_id and t.id = new.id); return new; end $$`,
    `create trigger keys_have_numbers before insert on title_keys for each row execute function number_keys()`,
    `drop index titles_by_number`,
    `create unique index titles_by_number on titles (number)
     include (workspace_id, id, kind, parent_id, in_trash, last_edited_time, short_words)`,
  ],
}

/**
 * The number of a title is its primary key, as it is in SQLite by itself: without one, PostgreSQL refuses to change rows of a table
 * that is published to replicas. The index is there, so that this takes no time however many titles there are.
 */
export const titleKeySchema: Readonly<Record<Database['engine'], readonly string[]>> = {
  sqlite: [],
  postgresql: [`alter table titles add constraint titles_by_number primary key using index titles_by_number`],
}

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
  const row = await db.get<{ number: number | null }>('select max(number) as number from titles')
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
    await db.run('delete from title_keys where rowid = ?', number)
  },
  passing: '(select rowid from title_keys where title_keys match ? limit ?) k cross join titles t on t.number = k.rowid',
  parameterOf: (workspaceId, [portion = 0], prefilter) =>
    expression(prefilter, prefixOf(workspaceId, portion), (key) => `"${key}"*`, ' AND ', ' OR '),
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
    await db.run('delete from title_keys where workspace_id = ? and id = ?', workspaceId, id)
  },
  passing: `unnest(?::text[]) as portion (prefilter) cross join lateral
    (select number from title_keys where keys @@ portion.prefilter::tsquery limit ?) k cross join lateral
    (select workspace_id, id, kind, parent_id, in_trash, last_edited_time, short_words from titles t where t.number = k.number
     limit 1) t`,
  parameterOf(workspaceId, portions, prefilter) {
    const each = portions.map((portion) =>
      expression(prefilter, prefixOf(workspaceId, portion), (key) => `'${key}':*`, ' & ', ' | '),
    )
    return `{${each.map((one) => `"${one}"`).join(',')}}`
  },
  portions,
}
