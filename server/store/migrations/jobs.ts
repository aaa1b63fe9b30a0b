import type { ColumnTypes } from '../dialects/column_types.ts'
import type { Migration } from './migration.ts'

/**
 * Work that goes on behind requests; that of the service itself stands under the id of no workspace. A row is there as long as its job
 * is unfinished or dead. `due_time` is when a job may begin (`waiting`), since when it could (`ready`), when its attempt counts as dead
 * (`running`), or when it died (`dead`).
 */
const table = ({ id, time, bytewise }: ColumnTypes): readonly string[] => [
  `create table jobs (
    workspace_id ${id} not null, id ${id} not null, kind ${bytewise} not null, job_key ${bytewise}, payload text not null,
    state text not null check (state in ('waiting', 'ready', 'running', 'dead')),
    due_time ${time} not null, attempts integer not null default 0, claim ${id}, again_time ${time}, error text,
    primary key (workspace_id, id))`,
  `create unique index jobs_by_key on jobs (workspace_id, kind, job_key) where job_key is not null and state <> 'dead'`,
  `create index jobs_by_due_time on jobs (kind, due_time) where state in ('waiting', 'running')`,
  `create index jobs_ready on jobs (kind, workspace_id, due_time) where state = 'ready'`,
  `create index jobs_dead on jobs (due_time, id) where state = 'dead'`,
]

/** Tasks and imports that an older release has left unfinished become jobs; one that was being carried out is due when it was given up. */
const takeover = [
  `insert into jobs (workspace_id, id, kind, job_key, payload, state, due_time, attempts)
     select workspace_id, id, 'async_task', cast(id as text), '{"id":"' || id || '"}', 'waiting', due_time, attempts
     from async_tasks where finished_time is null`,
  `insert into jobs (workspace_id, id, kind, job_key, payload, state, due_time, attempts)
     select workspace_id, id, 'file_import', cast(id as text), '{"id":"' || id || '"}', 'waiting', import_time, import_attempts
     from file_uploads where import_time is not null`,
  `drop index async_tasks_by_due_time`,
  ...['due_time', 'attempts', 'claim'].map((column) => `alter table async_tasks drop column ${column}`),
  `drop index file_uploads_by_import`,
  ...['import_time', 'import_attempts'].map((column) => `alter table file_uploads drop column ${column}`),
]

export const jobs: Migration = {
  number: 20,
  name: 'jobs',
  statements: (types) => [...table(types), ...takeover],
}
