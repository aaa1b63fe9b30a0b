import type { ColumnTypes } from '../dialects/column_types.ts'
import type { Migration } from './migration.ts'

/**
 * Background jobs; jobs of the service itself have a workspace id of zeros. The row of a job exists until the job has succeeded. The
 * meaning of `due_time` depends on the state: when the job may start (`waiting`), since when it may start (`ready`), when its lease ends
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

/** Turns unfinished tasks and imports of an older release into jobs. A task that was running is due when its former lease ends. */
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
