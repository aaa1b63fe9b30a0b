import type { Migration } from './migration.ts'

/** What views showed at a moment: ids of rows in their order, a hundred to a piece, 32 hexadecimal digits each. */
export const viewQueries: Migration = {
  name: 'view queries',
  statements: ({ id, time, clustered }) => [
    `create table view_queries (
      workspace_id ${id} not null, id ${id} not null, view_id ${id} not null, owner_id ${id} not null,
      total_count integer not null, is_incomplete integer not null, created_time ${time} not null, expires_time ${time} not null,
      primary key (workspace_id, id))`,
    `create index view_queries_by_owner on view_queries (workspace_id, owner_id, created_time, id)`,
    `create index view_queries_by_end on view_queries (expires_time)`,
    `create table view_query_pieces (
      workspace_id ${id} not null, query_id ${id} not null, number integer not null, ids text not null,
      primary key (workspace_id, query_id, number))${clustered}`,
  ],
}
