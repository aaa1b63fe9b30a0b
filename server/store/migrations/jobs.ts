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

export const jobs: Migration = {
  number: 20,
  name: 'jobs',
  statements: (types) => table(types),
}
