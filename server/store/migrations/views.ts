import type { Migration } from './migration.ts'

/**
 * Views. A tab has its place in `position`, from 0 without need of being dense; a widget stands on the dashboard that
 * `dashboard_id` names, whose settings say where, and counts behind all tabs. `settings` is one document: filter, sorts, quick
 * filters and configuration, which name properties by id. What they name may be gone: that is left out when they are read, so that
 * a change of the schema writes nothing here. The data source of a dashboard only decides what its filter may name.
 *
 * Databases that were there before get a view for each of their data sources, under the id of the data source.
 */
export const views: Migration = {
  name: 'views',
  statements: ({ id, time, bytewise }) => [
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
    `insert into views (workspace_id, id, database_id, data_source_id, dashboard_id, position, type, name, settings,
        created_time, created_by, last_edited_time, last_edited_by)
      select b.workspace_id, b.id, b.parent_id, b.id, null,
        (select count(*) from blocks s where s.workspace_id = b.workspace_id and s.parent_id = b.parent_id and s.rank < b.rank),
        'table', 'Default view', '{"filter":null,"sorts":null,"quickFilters":null,"configuration":{}}',
        b.created_time, b.created_by, b.created_time, b.created_by
      from blocks b where b.type = 'data_source'`,
  ],
}
