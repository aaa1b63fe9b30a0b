import type { ColumnTypes } from '../dialects/column_types.ts'

/**
 * The tree of blocks, and what else is known of those that are pages: their id is the id of their `child_page` block.
 *
 * A row of a data source is a page too; `pages.row_values` is described with the databases.
 */
export const blockTables = ({ id, time, bytewise }: ColumnTypes): readonly string[] => [
  // No reference to the workspace: checking it for each of a hundred rows takes a fifth of the time that PostgreSQL needs for them.
  `create table blocks (
    workspace_id ${id} not null, id ${id} not null, type text not null,
    parent_type text not null, parent_id ${id} not null, page_id ${id},
    rank ${bytewise} not null, content text not null, in_trash integer not null default 0,
    created_time ${time} not null, created_by ${id} not null, last_edited_time ${time} not null, last_edited_by ${id} not null,
    primary key (workspace_id, id))`,
  `create unique index blocks_by_place on blocks (workspace_id, parent_id, in_trash, rank)`,
  // The pages and databases on a page, which Markdown may not take away unasked.
  `create index blocks_of_page on blocks (workspace_id, page_id) where type in ('child_page', 'child_database')`,
  `create index rows_by_creation on blocks (workspace_id, parent_id, in_trash, created_time desc, id)
    where parent_type = 'data_source_id'`,
  `create index rows_by_edit on blocks (workspace_id, parent_id, in_trash, last_edited_time, created_time desc, id)
    where parent_type = 'data_source_id'`,
  `create table pages (
    workspace_id ${id} not null, id ${id} not null, icon text, cover text, is_locked integer not null default 0,
    is_archived integer not null default 0, row_values text,
    primary key (workspace_id, id), foreign key (workspace_id, id) references blocks (workspace_id, id))`,
  // Dropped in pieces, because a page may hold any number of blocks.
  `create table erased_blocks (workspace_id ${id} not null, id ${id} not null, primary key (workspace_id, id))`,
]
