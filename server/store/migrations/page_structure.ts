import type { Migration } from './migration.ts'

/**
 * Erased content that is dropped in pieces, because a page may hold any number of blocks; the rules of one member, which tell what a
 * guest sees; and the time zones of people, in which templates tell the time.
 */
export const pageStructure: Migration = {
  name: 'page structure',
  statements: ({ id }) => [
    `create table erased_blocks (workspace_id ${id} not null, id ${id} not null, primary key (workspace_id, id))`,
    `create index access_rules_by_subject on access_rules (workspace_id, subject_id, item_id)`,
    `alter table users add column time_zone text`,
  ],
}
