import type { Migration } from './migration.ts'

/** Sessions with agents: their turns, the events that clients see, and the tool calls, which clients do not see. */
export const sessions: Migration = {
  number: 22,
  name: 'sessions',
  statements: ({ id, time, bytewise, double }) => [
    `create table sessions (
      workspace_id ${id} not null references workspaces (id), id ${id} not null, agent_id ${id} not null,
      owner_id ${id}, title text not null, title_key text not null, status text not null check (status in
        ('queued', 'in_progress', 'requires_action', 'completed', 'failed', 'canceled', 'terminated')),
      creator_id ${id} not null, creator_kind text not null check (creator_kind in ('user', 'bot')),
      agent_version text, models text not null, trigger_type text not null, type_label text not null,
      turn integer not null, last_sequence integer not null, error text, writers text not null, tool_types text not null,
      tool_call_count integer not null default 0, credits_used ${double} not null default 0,
      runs_completed integer not null default 0, message_count integer not null default 0,
      created_time ${time} not null, updated_time ${time} not null,
      primary key (workspace_id, id))`,
    `create index sessions_by_creator on sessions (workspace_id, creator_id, updated_time, id)`,
    `create index sessions_by_agent on sessions (workspace_id, agent_id, updated_time, id)`,
    `create table session_turns (
      workspace_id ${id} not null, session_id ${id} not null, turn integer not null,
      actor_id ${id}, version text not null, agent text not null, prompt_context text,
      run integer not null, run_sequence integer not null, run_time ${time}, worked_time ${time} not null,
      input_tokens integer not null default 0, output_tokens integer not null default 0, credits ${double} not null default 0,
      primary key (workspace_id, session_id, turn))`,
    `create table session_events (
      workspace_id ${id} not null, session_id ${id} not null, sequence integer not null, id ${bytewise} not null,
      turn integer not null, type text not null, status text, created_time ${time} not null, content text not null,
      primary key (workspace_id, session_id, sequence))`,
    `create unique index session_events_by_id on session_events (workspace_id, session_id, id)`,
    `create table session_calls (
      workspace_id ${id} not null, session_id ${id} not null, turn integer not null, position integer not null,
      id ${id} not null, call_id text not null, tool text not null, kind text not null check (kind in ('read', 'write')),
      arguments text not null, title text, run integer not null,
      decision text check (decision in ('approve', 'reject')), decider_id ${id}, metadata text,
      result text, is_error integer, artifact text,
      primary key (workspace_id, session_id, turn, position))`,
    `create unique index session_calls_by_id on session_calls (workspace_id, session_id, id)`,
  ],
}
