import type { Migration } from './migration.ts'

/** Work that outlasts its request. And the pages and databases on a page, which Markdown may not take away unasked. */
export const asyncTasks: Migration = {
  name: 'async tasks',
  statements: ({ id, time }) => [
    `create table async_tasks (
      workspace_id ${id} not null references workspaces (id), id ${id} not null, actor_id ${id} not null,
      operation text not null, version text not null, request text,
      status text not null check (status in ('queued', 'running', 'retrying', 'succeeded', 'failed')),
      attempts integer not null default 0, due_time ${time} not null, claim ${id}, result text, error text,
      created_time ${time} not null, finished_time ${time},
      primary key (workspace_id, id))`,
    `create index async_tasks_by_due_time on async_tasks (due_time) where finished_time is null`,
    `create index async_tasks_by_end on async_tasks (finished_time) where finished_time is not null`,
    `create index blocks_of_page on blocks (workspace_id, page_id) where type in ('child_page', 'child_database')`,
  ],
}
