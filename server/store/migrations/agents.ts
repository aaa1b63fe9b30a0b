import type { Migration } from './migration.ts'

/** Agents, access to them, and the credits that they and their workspace spend. */
export const agents: Migration = {
  number: 21,
  name: 'agents',
  statements: ({ id, time }) => [
    // `lower_…` columns are for searches. A pause ends at its end time, even if the row has not been updated yet.
    `create table agents (
      workspace_id ${id} not null references workspaces (id), id ${id} not null,
      type text not null check (type in ('custom_agent', 'autofill_custom_agent', 'external')),
      name text not null, lower_name text not null, description text, lower_description text not null,
      instructions text, instructions_page_id ${id}, icon text,
      model_mode text not null check (model_mode in ('auto', 'pinned')), model_id text,
      connections text not null, server_hosts text not null, triggers text not null,
      pause_reason text, pause_end_time ${time}, deleted_time ${time}, credit_limit ${time},
      version_id ${id}, version_number integer, version_time ${time}, has_unpublished_changes integer not null default 0,
      created_by ${id}, created_time ${time} not null, last_edited_time ${time} not null, last_run_time ${time},
      primary key (workspace_id, id))`,
    `create index agents_by_deletion on agents (deleted_time) where deleted_time is not null`,
    `create index agents_by_pause on agents (workspace_id, pause_reason) where pause_reason is not null`,
    // The settings with which turns run. A version never changes.
    `create table agent_versions (
      workspace_id ${id} not null, id ${id} not null, agent_id ${id} not null, number integer not null, published_time ${time} not null,
      instructions text, instructions_page_id ${id}, model_mode text not null, model_id text,
      primary key (workspace_id, id), foreign key (workspace_id, agent_id) references agents (workspace_id, id))`,
    `create unique index agent_versions_by_number on agent_versions (workspace_id, agent_id, number)`,
    // The subject is a member, a bot, or the workspace for all its full members. Levels: 1 view, 2 edit, 3 full.
    `create table agent_access (
      workspace_id ${id} not null, subject_id ${id} not null, agent_id ${id} not null,
      level integer not null check (level in (1, 2, 3)), shared_by ${id}, created_time ${time} not null,
      primary key (workspace_id, subject_id, agent_id),
      foreign key (workspace_id, agent_id) references agents (workspace_id, id))`,
    `create index agent_access_by_agent on agent_access (workspace_id, agent_id)`,
    `create table agent_favorites (
      workspace_id ${id} not null, user_id ${id} not null, agent_id ${id} not null, primary key (workspace_id, user_id, agent_id),
      foreign key (workspace_id, agent_id) references agents (workspace_id, id))`,
    `create index agent_favorites_by_agent on agent_favorites (workspace_id, agent_id)`,
    `create table agent_limit_requests (
      workspace_id ${id} not null, agent_id ${id} not null, user_id ${id} not null, created_time ${time} not null,
      primary key (workspace_id, agent_id, user_id),
      foreign key (workspace_id, agent_id) references agents (workspace_id, id))`,
    // Credits are counted in hundredths. The agent is null for usage without an agent.
    `create table agent_usage (
      workspace_id ${id} not null references workspaces (id), source_id ${id} not null, turn integer not null, agent_id ${id},
      tokens ${time} not null, hundredths ${time} not null, completed integer not null, created_time ${time} not null,
      primary key (workspace_id, source_id, turn))`,
    `create index agent_usage_by_time on agent_usage (workspace_id, agent_id, created_time, hundredths, completed)`,
    // Sums over a billing period. For the workspace's own sum, the spender is the workspace.
    `create table credit_periods (
      workspace_id ${id} not null references workspaces (id), spender_id ${id} not null, period_start ${time} not null,
      hundredths ${time} not null, primary key (workspace_id, spender_id, period_start))`,
    `create table credit_terms (
      workspace_id ${id} not null references workspaces (id), credits ${time}, default_agent_limit ${time}, primary key (workspace_id))`,
  ],
}
