import type { Migration } from './migration.ts'

/**
 * What starts agents by itself. A bot user has the id of its agent. `agent_schedules` has a row for each trigger with a schedule,
 * without a next time where it has ended, and `agent_triggers` one for each kind of change that an agent waits for; both follow the agent's settings.
 * `agent_mentions` has the places that mention an agent and have started it, so that other edits there do not start it again.
 *
 * `agent_watch` has what the service itself pauses agents for: failures in a row, and runs in a billing period. `agent_hours` is what
 * an agent has spent in each hour in which it spent anything.
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
    // The agents, oldest first, whose runs have led to a session; null for one that nothing but a person began.
    `alter table sessions add column trigger_chain text`,
    // Triggers that were set before they could fire.
    `insert into jobs (workspace_id, id, kind, job_key, payload, state, due_time, attempts)
       select workspace_id, id, 'agent_triggers', cast(id as text), '{"agentId":"' || id || '"}', 'waiting', 0, 0 from agents
       where triggers <> '[]'`,
  ],
}
