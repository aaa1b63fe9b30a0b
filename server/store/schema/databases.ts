import type { ColumnTypes } from '../dialects/column_types.ts'

/**
 * Databases, data sources, and the values of rows.
 *
 * Blocks. A database is a `child_database` block. A data source is a `data_source` block below it (`parent_type` is `database_id`, and the
 * rank is its position in the database). A row is a `child_page` block below a data source (`parent_type` is `data_source_id`, without
 * `page_id`), and a template is the same with the `parent_type` `template_of`. So access, trash and moving work as for any block. Title,
 * author and times are in `blocks`, as for any page.
 *
 * Values are stored twice. `pages.row_values` is one JSON document for each row, `{property id: value}` without the title, so that one
 * lookup reads a page. It is authoritative. `cells` is the index of it, with a row for each value that is not empty, or for each element of
 * `multi_select`, `people` and `relation` (`position` is their order; it has gaps). Empty values and unchecked checkboxes have no cell.
 * Both are written in the same transaction, and only for properties that have changed.
 *
 * | Type | `number_key` (`end_key`) | `text_key` | `text` |
 * |---|---|---|---|
 * | title, rich_text, url, email, phone_number, place (name), files (first name) | – | collation key of the first 80 characters | lower case, up to 1,000 characters |
 * | number, unique_id | the number | – | – |
 * | checkbox | 1 | – | – |
 * | date | start, end (or start) as milliseconds; no time = 00:00 UTC | – | – |
 * | verification | end as milliseconds, the largest number if it has no end | – | – |
 * | select, status, multi_select | – | id of the option | – |
 * | people | – | id of the user or group | – |
 * | relation | – | id of the page | – |
 *
 * `is_whole` is 0 if `text` is truncated, or has mentions whose text depends on the reader. The document decides comparisons of such rows.
 * Sorting compares the first 80 characters only, so `text_key` always suffices.
 *
 * Queries. (a) In the order of a sort: scan `cells_by_number` or `cells_by_text` and test filters by the primary key (workspace, page,
 * property), or for a single key by `cells_by_text` where the engine `prefersIndexes`. Options are scanned one after the other, in the order of the schema, because their keys are ids: renaming, recoloring and
 * reordering options changes no row. `tie` is the negated creation time, so that `(key, tie, page_id)` is the contract's order of ties; a
 * descending scan sorts by `key desc, tie, page_id` (the engine sorts only within equal keys). Rows without a value follow: those in the
 * row index without a cell. (b) From a selective filter: scan the same indexes by equality or range, then test the rest by the primary
 * key. (c) Otherwise scan `rows_by_creation` or `rows_by_edit`. In every index `in_trash` comes before the keys, so that a scan of rows
 * does not touch those in the trash, and vice versa. Rows below something in the trash need no flag: the data source is checked first.
 *
 * Schema changes. `data_sources.properties` is the whole schema; values refer to properties and options by ids that are never reused. The
 * cells of a removed option are deleted by `cells_by_text`; values of removed properties and options in documents are ignored. Only a
 * change of a property's type converts documents and cells.
 *
 * Relations. The document has the first 100 links and whether there are more; `cells` has all of them, in order. A two-way relation has
 * cells on both sides.
 */
export const databaseTables = ({ id, time, double, bytewise, clustered }: ColumnTypes): readonly string[] => [
  `create table databases (
    workspace_id ${id} not null, id ${id} not null, description text not null, icon text, cover text,
    is_inline integer not null, is_locked integer not null, shares_words integer not null,
    primary key (workspace_id, id), foreign key (workspace_id, id) references blocks (workspace_id, id))`,
  `create table data_sources (
    workspace_id ${id} not null, id ${id} not null, description text not null, icon text, properties text not null,
    retired text not null,
    primary key (workspace_id, id), foreign key (workspace_id, id) references blocks (workspace_id, id))`,
  // Separate from the schema, which is large, because every new row updates the counters.
  `create table data_source_counters (
    workspace_id ${id} not null, id ${id} not null, last_number ${time} not null, row_count ${time} not null,
    primary key (workspace_id, id))`,
  `create table data_source_templates (
    workspace_id ${id} not null, data_source_id ${id} not null, page_id ${id} not null, is_default integer not null,
    created_time ${time} not null, primary key (workspace_id, data_source_id, page_id))`,
  `create table cells (
    workspace_id ${id} not null, page_id ${id} not null, property_id ${bytewise} not null, position ${time} not null,
    data_source_id ${id} not null, in_trash integer not null, tie ${time} not null,
    number_key ${double}, end_key ${double}, text_key ${bytewise}, text text, is_whole integer not null,
    primary key (workspace_id, page_id, property_id, position))${clustered}`,
  `create index cells_by_number on cells
    (workspace_id, data_source_id, property_id, in_trash, number_key, end_key, tie, page_id) where number_key is not null`,
  `create index cells_by_text on cells
    (workspace_id, data_source_id, property_id, in_trash, text_key, tie, page_id, position) where text_key is not null`,
]
