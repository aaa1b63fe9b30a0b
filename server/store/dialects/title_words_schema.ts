import type { Database } from '../database.ts'
import { columnTypes } from './column_types.ts'

/** How many characters of a word are indexed: PostgreSQL limits a row of an index to 2,704 bytes. */
const WORD_LENGTH = 24

/** SQL for the words of a title, as rows `(word)`. */
const SQLITE_WORDS = (row: string): string =>
  `select distinct substr(value, 1, ${WORD_LENGTH}) as word from json_each('[' || replace(json_quote(trim(${row}.words)), ' ', '","') || ']')
   where value <> ''`
const POSTGRESQL_WORDS = (row: string): string =>
  `select distinct left(token, ${WORD_LENGTH}) as word from unnest(string_to_array(trim(${row}.words), ' ')) as token where token <> ''`

const table = ({ id, time, bytewise, clustered }: (typeof columnTypes)[Database['engine']]): string =>
  `create table title_words (workspace_id ${id} not null, word ${bytewise} not null, number ${time} not null,
    primary key (workspace_id, word, number))${clustered}`

const ADD = (words: string): string =>
  `insert into title_words (workspace_id, word, number) select new.workspace_id, w.word, new.number from (${words}) w`
const REMOVE = (words: string): string =>
  `delete from title_words where workspace_id = old.workspace_id and number = old.number and word in (select w.word from (${words}) w)`

/** The table of the words of all titles, which replaces the full-text index. From then on, triggers maintain it. */
export const titleWordsSchema: Readonly<Record<Database['engine'], readonly string[]>> = {
  sqlite: [
    'drop table title_keys',
    table(columnTypes.sqlite),
    `insert into title_words (workspace_id, word, number)
      select distinct t.workspace_id, substr(value, 1, ${WORD_LENGTH}), t.number
      from titles t, json_each('[' || replace(json_quote(trim(t.words)), ' ', '","') || ']') where value <> '' order by 1, 2, 3`,
    `create trigger words_of_new_titles after insert on titles begin ${ADD(SQLITE_WORDS('new'))}; end`,
    `create trigger words_of_changed_titles after update of words on titles
      begin ${REMOVE(SQLITE_WORDS('old'))}; ${ADD(SQLITE_WORDS('new'))}; end`,
    `create trigger words_of_removed_titles after delete on titles begin ${REMOVE(SQLITE_WORDS('old'))}; end`,
  ],
  postgresql: [
    'drop table title_keys',
    'drop function number_keys()',
    table(columnTypes.postgresql),
    `insert into title_words (workspace_id, word, number)
      select t.workspace_id, w.word, t.number from titles t cross join lateral (${POSTGRESQL_WORDS('t')}) w`,
    `create function index_title_words() returns trigger language plpgsql as $$ begin
      if tg_op <> 'INSERT' then ${REMOVE(POSTGRESQL_WORDS('old'))}; end if;
      if tg_op <> 'DELETE' then ${ADD(POSTGRESQL_WORDS('new'))}; end if;
      return null; end $$`,
    `create trigger words_follow_titles after insert or delete or update of words on titles
      for each row execute function index_title_words()`,
  ],
}
