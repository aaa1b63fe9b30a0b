import type { ColumnTypes } from '../dialects/column_types.ts'

/**
 * Views. `position` is that of a tab, from 0, possibly with gaps. A widget is on the dashboard `dashboard_id`, whose settings have its
 * place; its `position` is after all tabs. `settings` is one document of filter, sorts, quick filters and configuration, which refer to
 * properties by id. References to deleted properties are ignored on read, so that schema changes need not update views. The data source of
 * a dashboard only determines which properties its filter may use.
 *
 * View queries are snapshots of the rows of a view: row ids in order, 100 in each piece, as 32 hexadecimal digits each.
 */
export const viewTables = ({ id, time, bytewise, clustered }: ColumnTypes): readonly string[] => [
  `create table views (
    workspace_id ${id} not null, id ${id} not null, database_id ${id} not null, data_source_id ${id} not null, dashboard_id ${id},
    position ${time} not null, type ${bytewise} not null, name text not null, settings text not null,
    created_time ${time} not null, created_by ${id} not null, last_edited_time ${time} not null, last_edited_by ${id} not null,
    primary key (workspace_id, id), foreign key (workspace_id, database_id) references blocks (workspace_id, id))`,
  `create index tabs_by_database on views (workspace_id, database_id, position, id) where dashboard_id is null`,
  `create index tabs_by_database_and_source on views (workspace_id, database_id, data_source_id, position, id)
    where dashboard_id is null and type <> 'dashboard'`,
  `create index views_by_source on views (workspace_id, data_source_id, position, created_time, id) where type <> 'dashboard'`,
  `create index widgets_by_dashboard on views (workspace_id, dashboard_id) where dashboard_id is not null`,
  `create table view_queries (
    workspace_id ${id} not null, id ${id} not null, view_id ${id} not null, owner_id ${id} not null,
    total_count integer not null, is_incomplete integer not null, created_time ${time} not null, expires_time ${time} not null,
    primary key (workspace_id, id))`,
  `create index view_queries_by_owner on view_queries (workspace_id, owner_id, created_time, id)`,
  `create index view_queries_by_end on view_queries (expires_time)`,
  `create table view_query_pieces (
    workspace_id ${id} not null, query_id ${id} not null, number integer not null, ids text not null,
    primary key (workspace_id, query_id, number))${clustered}`,
]
