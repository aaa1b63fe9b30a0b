import type { Migration } from './migration.ts'

/**
 * Entries for writes through the API and for the command line: also with bots, the changed object, the request and its address. Entries
 * without a workspace are about the deployment. `number` orders entries of the same time.
 */
export const auditLogOfWrites: Migration = {
  number: 42,
  name: 'audit log of writes',
  statements: ({ id, time, number }, engine) => [
    `create table old_audit_log as select workspace_id, id, created_time, person_id, action, subject from audit_log`,
    `drop table audit_log`,
    `create table audit_log (
      number ${number}, workspace_id ${id}, created_time ${time} not null, person_id ${id}, bot_id ${id}, action text not null,
      object_type text, object_id ${id}, object_name text, address text, request_id ${id}
      ${engine === 'postgresql' ? ', primary key (number)' : ''})`,
    `create index audit_log_by_workspace on audit_log (workspace_id, created_time, number)`,
    `create index audit_log_by_time on audit_log (created_time, number)`,
    `insert into audit_log (workspace_id, created_time, person_id, action, object_name)
      select workspace_id, created_time, person_id, action, subject from old_audit_log order by created_time, id`,
    `drop table old_audit_log`,
  ],
}
