import type { ColumnTypes } from '../dialects/column_types.ts'

/** Data that requests store: responses under idempotency keys, the counts of rate limits, and async tasks. */
export const requestTables = ({ id, time, bytes, bytewise, passingTable }: ColumnTypes): readonly string[] => [
  `create table idempotency_keys (
    workspace_id ${id} not null, actor_id ${id} not null, key ${bytewise} not null,
    fingerprint ${bytes} not null, request text not null, claim ${id} not null, changed_time ${time} not null,
    status integer, headers text, body text,
    primary key (workspace_id, actor_id, key))`,
  `create index idempotency_keys_by_actor on idempotency_keys (workspace_id, actor_id, changed_time, key)`,
  `create index idempotency_keys_by_time on idempotency_keys (changed_time)`,
  `create ${passingTable} budget_windows (key ${bytewise} primary key, used ${time} not null, end_time ${time} not null)`,
  `create table async_tasks (
    workspace_id ${id} not null references workspaces (id), id ${id} not null, actor_id ${id} not null,
    operation text not null, version text not null, request text,
    status text not null check (status in ('queued', 'running', 'retrying', 'succeeded', 'failed')),
    attempts integer not null default 0, due_time ${time} not null, claim ${id}, result text, error text,
    created_time ${time} not null, finished_time ${time},
    primary key (workspace_id, id))`,
  `create index async_tasks_by_due_time on async_tasks (due_time) where finished_time is null`,
  `create index async_tasks_by_end on async_tasks (finished_time) where finished_time is not null`,
]
