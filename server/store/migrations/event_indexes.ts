import type { Migration } from './migration.ts'

/** What is told at once is read in its order, and what lies in windows by its entity: each entry stands in one index. */
export const eventIndexes: Migration = {
  number: 26,
  name: 'event indexes',
  statements: () => [
    `drop index outbox_by_entity`,
    `create index outbox_by_entity on outbox (workspace_id, stream, entity_id, time) where stream <> 'at_once'`,
    `create index outbox_at_once on outbox (workspace_id, number) where stream = 'at_once'`,
  ],
}
