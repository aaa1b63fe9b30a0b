import type { Migration } from './migration.ts'

/**
 * Triggers of agents. The bot user of an agent has the id of the agent. `agent_schedules` has a row for each trigger with a schedule,
 * without a next time once it has ended, and `agent_triggers` has one for each type of change that triggers an agent; both are derived from
 * the agent's settings. `agent_mentions` lists the blocks and comments that mention an agent and have triggered it, so that further edits
 * of them do not trigger it again.
 *
 * `agent_watch` counts what the service pauses agents for: consecutive failures, and runs in a billing period. `agent_hours` has the
 * spending of an agent in each hour in which it spent anything.
 */
export const agentTriggers: Migration = {
  number: 28,
  name: 'agent triggers',
  statements: ({ id, time, bytewise }) => [
    `insert into users (workspace_id, id, kind, name, created_time, left_time)
       select workspace_id, id, 'bot', name, created_time, deleted_time from agents`,
    `create table agent_schedules (
      workspace_id ${id} not null, agent_id ${id} not null, position integer not null, schedule text not null,
      anchor_time ${time} not null, next_time ${time}, runs integer not null,
      primary key (workspace_id, agent_id, position))`,
    `create index agent_schedules_by_time on agent_schedules (next_time) where next_time is not null`,
    `create table agent_triggers (
      workspace_id ${id} not null, type ${bytewise} not null, agent_id ${id} not null, primary key (workspace_id, type, agent_id))`,
    `create index agent_triggers_by_agent on agent_triggers (workspace_id, agent_id)`,
    `create table agent_mentions (
      workspace_id ${id} not null, agent_id ${id} not null, place_id ${id} not null, primary key (workspace_id, agent_id, place_id))`,
    `create table agent_watch (
      workspace_id ${id} not null, agent_id ${id} not null, failures integer not null, period_start ${time} not null,
      runs integer not null, primary key (workspace_id, agent_id))`,
    `create table agent_hours (
      workspace_id ${id} not null, agent_id ${id} not null, hour_start ${time} not null, hundredths ${time} not null,
      primary key (workspace_id, agent_id, hour_start))`,
    `create index agent_hours_by_time on agent_hours (hour_start)`,
    // The agents whose runs led to the session, the first one first; null if a person began the session.
    `alter table sessions add column trigger_chain text`,
    // Sets up the triggers that were configured before triggers were implemented.
    `insert into jobs (workspace_id, id, kind, job_key, payload, state, due_time, attempts)
       select workspace_id, id, 'agent_triggers', cast(id as text), '{"agentId":"' || id || '"}', 'waiting', 0, 0 from agents
       where triggers <> '[]'`,
  ],
}
