import type { Migration } from './migration.ts'

/** Queries of meeting notes are read in their order, or on the pages that a caller sees, whichever is shorter. */
export const noteOrders: Migration = {
  number: 30,
  name: 'orders of meeting notes',
  statements: ({ bytewise }) => [
    // What a note's title sorts by, which never changes; null for notes from before this step.
    `alter table meeting_notes add column title_key ${bytewise}`,
    `create index meeting_notes_by_title on meeting_notes (workspace_id, title_key, id)`,
    `create index meeting_notes_of_unknown_title on meeting_notes (workspace_id, id) where title_key is null`,
    // An expression, or PostgreSQL would take this index for the notes of one page, and read all of them.
    `create index notes_by_edit on blocks ((case when type = 'meeting_notes' then workspace_id end), last_edited_time, id) where type = 'meeting_notes'`,
    // What lies in one place is read in portions.
    `drop index titles_by_place`,
    `create index titles_by_place on titles (workspace_id, above_id, number)`,
  ],
}
