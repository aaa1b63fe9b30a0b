import type { Migration } from './migration.ts'

/** A log of what people have done in the console, by workspace; and the browsers' descriptions of themselves, for the list of sessions. */
export const auditLog: Migration = {
  number: 40,
  name: 'audit log',
  statements: ({ id, time }) => [
    `create table audit_log (
      workspace_id ${id} not null, id ${id} not null, created_time ${time} not null, person_id ${id} not null,
      action text not null, subject text,
      primary key (workspace_id, id))`,
    `create index audit_log_by_time on audit_log (workspace_id, created_time, id)`,
    `alter table browser_sessions add column user_agent text`,
    `create index browser_sessions_by_account on browser_sessions (account_id)`,
  ],
}
