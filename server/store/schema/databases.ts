import type { ColumnTypes } from '../dialects/column_types.ts'

/**
 * Databases, data sources, and the values of rows.
 *
 * What stands where. A database is a `child_database` block; a data source is a block of type `data_source` below it
 * (`parent_type` `database_id`, its rank is its position in the database); a row is a `child_page` block below a data source
 * (`parent_type` `data_source_id`, no `page_id`); a template is the same with `parent_type` `template_of`. So access, trash and
 * moving are those of the tree. Title, author and times stand in `blocks`, as for any page.
 *
 * Values twice. `pages.row_values` is one JSON document for each row, `{property id: value}` without the title: a page is read
 * with one look-up. It is the truth. `cells` is the index over it: a row for each value that is not empty, one for each element
 * of `multi_select`, `people` and `relation` (`position` is the order, not dense). What is empty has no cell; a checkbox that is
 * not checked has none either. Both are written in the same transaction, and only for properties that have changed.
 *
 * | Type | `number_key` (`end_key`) | `text_key` | `text` |
 * |---|---|---|---|
 * | title, rich_text, url, email, phone_number, place (name), files (first name) | – | collation key of the first 80 characters | lower case, up to 1,000 characters |
 * | number, unique_id | the number | – | – |
 * | checkbox | 1 | – | – |
 * | date | start, end (or start) as milliseconds; no time = 00:00 UTC | – | – |
 * | verification | end as milliseconds, the largest number where there is none | – | – |
 * | select, status, multi_select | – | id of the option | – |
 * | people | – | id of the user or group | – |
 * | relation | – | id of the page | – |
 *
 * `is_whole` is 0 where `text` is not all there is to compare: cut off, or with mentions whose words depend on who reads. Such
 * rows are decided by their document. Sorting looks at the first 80 characters, so that `text_key` alone decides it.
 *
 * How a query goes. (a) In the order of a sort: `cells_by_number` or `cells_by_text` from its end, probing filters by the
 * primary key (workspace, page, property); options are scanned in the order of the schema, one option after the other, since keys
 * are ids: renaming, recolouring and reordering options touches no row. `tie` is minus the time of creation, so that
 * `(key, tie, page_id)` is the promised order of ties; descending, sort `key desc, tie, page_id` (the engine sorts inside
 * equal keys only). Empty rows follow: those of the row index without a cell. (b) From a selective filter: the same indexes by
 * equality or range, then the rest by primary key. (c) Without either: `rows_by_creation`, `rows_by_edit`. Trashed rows are
 * beside the live ones in every index (`in_trash` before the keys), so that neither scan meets the other. Rows below something
 * trashed need no flag: who asks looks at the data source first.
 *
 * Schema changes. `data_sources.properties` holds the whole schema; values name properties and options by ids that are never used
 * again. Removed options lose their cells by `cells_by_text`; what documents still say about removed properties and options is
 * skipped on read. Only retyping converts documents and cells.
 *
 * Relations: the document keeps the first 100 links and whether there are more; `cells` has them all, in order. Two-way ones have a
 * cell on either side.
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
  // Beside the schema, which is large: every new row writes here.
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
