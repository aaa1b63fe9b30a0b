import type { Migration } from './migration.ts'

/** Immediate changes are read in order, changes in windows by entity. Each entry is therefore in one of two partial indexes. */
export const eventIndexes: Migration = {
  number: 26,
  name: 'event indexes',
  statements: () => [
    `drop index outbox_by_entity`,
    `create index outbox_by_entity on outbox (workspace_id, stream, entity_id, time) where stream <> 'at_once'`,
    `create index outbox_at_once on outbox (workspace_id, number) where stream = 'at_once'`,
  ],
}
