import type { ColumnTypes } from '../dialects/column_types.ts'

/**
 * The tree of blocks, and the details of those that are pages. The id of a page is the id of its `child_page` block.
 *
 * A row of a data source is a page, too; `pages.row_values` is described in `databases.ts`.
 */
export const blockTables = ({ id, time, bytewise }: ColumnTypes): readonly string[] => [
  // There is no foreign key to the workspace: when PostgreSQL inserts a hundred rows, checking it would take a fifth of the time.
  `create table blocks (
    workspace_id ${id} not null, id ${id} not null, type text not null,
    parent_type text not null, parent_id ${id} not null, page_id ${id},
    rank ${bytewise} not null, content text not null, in_trash integer not null default 0,
    created_time ${time} not null, created_by ${id} not null, last_edited_time ${time} not null, last_edited_by ${id} not null,
    primary key (workspace_id, id))`,
  `create unique index blocks_by_place on blocks (workspace_id, parent_id, in_trash, rank)`,
  // For the pages and databases on a page, which an update of its Markdown must not delete without permission.
  `create index blocks_of_page on blocks (workspace_id, page_id) where type in ('child_page', 'child_database')`,
  `create index rows_by_creation on blocks (workspace_id, parent_id, in_trash, created_time desc, id)
    where parent_type = 'data_source_id'`,
  `create index rows_by_edit on blocks (workspace_id, parent_id, in_trash, last_edited_time, created_time desc, id)
    where parent_type = 'data_source_id'`,
  `create table pages (
    workspace_id ${id} not null, id ${id} not null, icon text, cover text, is_locked integer not null default 0,
    is_archived integer not null default 0, row_values text,
    primary key (workspace_id, id), foreign key (workspace_id, id) references blocks (workspace_id, id))`,
  // Blocks below erased blocks are deleted in batches, because a page may have any number of them.
  `create table erased_blocks (workspace_id ${id} not null, id ${id} not null, primary key (workspace_id, id))`,
]
