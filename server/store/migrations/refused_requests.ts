import type { Migration } from './migration.ts'

/** The latest refused requests of all workspaces. `caller_workspace_id` is null for callers that were not authenticated. */
export const refusedRequests: Migration = {
  number: 35,
  name: 'refused requests',
  statements: ({ id, time, number, passingTable }, engine) => [
    `create ${passingTable} refused_requests (
      number ${number}, request_id ${id} not null, time ${time} not null, status integer not null, code text not null,
      method text not null, path text not null, operation text not null,
      caller_workspace_id ${id}, connection_id ${id}, member_id ${id},
      message text not null, places text not null, body text
      ${engine === 'postgresql' ? ', primary key (number)' : ''})`,
    `create index refused_requests_by_id on refused_requests (request_id)`,
  ],
}
