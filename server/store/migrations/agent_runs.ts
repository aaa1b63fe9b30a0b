import type { Migration } from './migration.ts'

/** Indexes access to agents by their last run, which is -1 for subjects that may not see it. */
export const agentRuns: Migration = {
  number: 31,
  name: 'runs of agents',
  statements: ({ time }) => [
    // The agent's last run; -1 if it has never run or the subject may not see that.
    `alter table agent_access add column agent_run_time ${time} not null default -1`,
    `update agent_access set agent_run_time = coalesce((select a.last_run_time from agents a
       where a.workspace_id = agent_access.workspace_id and a.id = agent_access.agent_id and 2 <=
         case when agent_access.shared_by is null then agent_access.level else
           (select case when s.level < agent_access.level then s.level else agent_access.level end from agent_access s
            where s.workspace_id = agent_access.workspace_id and s.agent_id = agent_access.agent_id
            and s.subject_id in (agent_access.shared_by, agent_access.workspace_id)
            order by case when s.subject_id = s.workspace_id then 1 else 0 end limit 1) end), -1)`,
    `create index agent_access_by_run on agent_access (workspace_id, subject_id, agent_run_time, agent_id)`,
    `create index agent_access_without_run on agent_access (workspace_id, subject_id, agent_created_time, agent_id)
       where agent_run_time = -1`,
    // Many subjects may be able to view an agent, but few may see when it ran.
    `create index agent_access_of_editors on agent_access (workspace_id, agent_id) where level >= 2`,
  ],
}
