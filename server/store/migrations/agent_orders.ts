import type { Migration } from './migration.ts'

/** Indexes in the orders of lists of agents and sessions, so that a page can be read from its start. */
export const agentOrders: Migration = {
  number: 29,
  name: 'orders of agents and sessions',
  statements: ({ time }) => [
    // The creation time of an agent never changes, so it can be copied into access rows.
    `alter table agent_access add column agent_created_time ${time} not null default 0`,
    `update agent_access set agent_created_time =
       (select a.created_time from agents a where a.workspace_id = agent_access.workspace_id and a.id = agent_access.agent_id)`,
    `create index agent_access_by_creation on agent_access (workspace_id, subject_id, agent_created_time, agent_id)`,
    // An agent may have an access row for every member. With the subject in the index, one row is found without reading the others.
    `drop index agent_access_by_agent`,
    `create index agent_access_by_agent on agent_access (workspace_id, agent_id, subject_id)`,
    `create index sessions_by_update on sessions (workspace_id, updated_time, id)`,
    `create index sessions_by_creation on sessions (workspace_id, created_time, id)`,
    `create index sessions_by_agent_creation on sessions (workspace_id, agent_id, created_time, id)`,
    `create index sessions_by_creator_creation on sessions (workspace_id, creator_id, created_time, id)`,
    `create index sessions_by_owner on sessions (workspace_id, owner_id, updated_time, id) where owner_id is not null`,
    `create index sessions_by_owner_creation on sessions (workspace_id, owner_id, created_time, id) where owner_id is not null`,
  ],
}
