import type { Migration } from './migration.ts'

/** Idempotency keys with the answers they stand for, and the counters behind the request budgets. */
export const limits: Migration = {
  name: 'limits',
  statements: ({ id, time, bytes, bytewise, passingTable }) => [
    `create table idempotency_keys (
      workspace_id ${id} not null, actor_id ${id} not null, key ${bytewise} not null,
      fingerprint ${bytes} not null, request text not null, claim ${id} not null, changed_time ${time} not null,
      status integer, headers text, body text,
      primary key (workspace_id, actor_id, key))`,
    `create index idempotency_keys_by_actor on idempotency_keys (workspace_id, actor_id, changed_time, key)`,
    `create index idempotency_keys_by_time on idempotency_keys (changed_time)`,
    `create ${passingTable} budget_windows (key ${bytewise} primary key, used ${time} not null, end_time ${time} not null)`,
    `alter table connections add column rate_limit integer`,
  ],
}
