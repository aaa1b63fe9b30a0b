import type { ColumnTypes } from '../dialects/column_types.ts'

/** Discussions on pages and blocks, and their comments. A comment has copies of the columns by which lists are filtered. */
export const commentTables = ({ id, time }: ColumnTypes): readonly string[] => [
  `create table discussions (
    workspace_id ${id} not null references workspaces (id), id ${id} not null, parent_id ${id} not null,
    created_time ${time} not null, resolved_time ${time}, primary key (workspace_id, id))`,
  `create table comments (
    workspace_id ${id} not null, id ${id} not null, discussion_id ${id} not null,
    parent_id ${id} not null, is_open integer not null default 1,
    rich_text text not null, display_name text not null, attachments text not null default '[]',
    created_time ${time} not null, created_by ${id} not null, connection_id ${id}, last_edited_time ${time} not null,
    primary key (workspace_id, id), foreign key (workspace_id, discussion_id) references discussions (workspace_id, id))`,
  `create index comments_by_place on comments (workspace_id, parent_id, is_open, created_time, id)`,
  `create index comments_by_discussion on comments (workspace_id, discussion_id)`,
]
