import type { ColumnTypes } from '../dialects/column_types.ts'
import type { Migration } from './migration.ts'

/**
 * Subscriptions and their deliveries belong to the home workspace of their connection. `webhook_workspaces` lists the workspaces in which a
 * connection has or had a bot, whose changes may concern its subscriptions.
 *
 * A delivery has a due time until it has ended; after that it is an entry of the log. A delivery with a lower `activation` than its
 * subscription is void, because the subscription has been paused since.
 */
const tables = ({ id, time, bytes, clustered }: ColumnTypes): readonly string[] => [
  `create table webhook_subscriptions (
    workspace_id ${id} not null, id ${id} not null, connection_id ${id} not null, name text, url text not null,
    event_types text not null, api_version text not null,
    status text not null check (status in ('pending_verification', 'active', 'paused')),
    pause_reason text check (pause_reason in ('requested', 'delivery_failures')),
    sealed_token ${bytes}, wrong_tries integer not null default 0,
    created_time ${time} not null, last_edited_time ${time} not null, verified_time ${time},
    activation integer not null default 0, active_since ${time},
    verification_time ${time}, verification_status integer, verification_error text,
    failing_since ${time}, lost_events integer not null default 0, is_slow integer not null default 0,
    primary key (workspace_id, id))`,
  `create index webhook_subscriptions_by_connection on webhook_subscriptions (workspace_id, connection_id, created_time, id)`,
  `create table webhook_workspaces (
    workspace_id ${id} not null, home_id ${id} not null, subscription_id ${id} not null,
    primary key (workspace_id, home_id, subscription_id))${clustered}`,
  `create index webhook_workspaces_by_subscription on webhook_workspaces (home_id, subscription_id)`,
  `create table webhook_deliveries (
    workspace_id ${id} not null, subscription_id ${id} not null, event_id ${id} not null, event_type text not null,
    event text not null, activation integer not null, created_time ${time} not null, due_time ${time},
    attempts integer not null default 0, status_code integer, error text, attempt_time ${time}, ended_time ${time},
    is_delivered integer,
    primary key (workspace_id, subscription_id, event_id))${clustered}`,
  `create index webhook_deliveries_by_due_time on webhook_deliveries (workspace_id, subscription_id, activation, due_time)
    where due_time is not null`,
  `create index webhook_deliveries_by_end on webhook_deliveries (workspace_id, subscription_id, ended_time)
    where ended_time is not null`,
  `create index webhook_deliveries_to_sweep on webhook_deliveries (ended_time) where ended_time is not null`,
]

export const webhooks: Migration = {
  number: 25,
  name: 'webhooks',
  statements: tables,
}
