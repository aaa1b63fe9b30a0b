import type { Migration } from './migration.ts'

/** Indexes for queries of meeting notes, which scan either in the order of the query or the pages that the viewer can see. */
export const noteOrders: Migration = {
  number: 30,
  name: 'orders of meeting notes',
  statements: ({ bytewise }) => [
    // The collation key of the title. Stored keys never change. Null for notes from before this migration.
    `alter table meeting_notes add column title_key ${bytewise}`,
    `create index meeting_notes_by_title on meeting_notes (workspace_id, title_key, id)`,
    `create index meeting_notes_of_unknown_title on meeting_notes (workspace_id, id) where title_key is null`,
    // The index is on an expression. Otherwise, PostgreSQL would choose it for the notes of one page, and read all of them.
    `create index notes_by_edit on blocks ((case when type = 'meeting_notes' then workspace_id end), last_edited_time, id) where type = 'meeting_notes'`,
    // Titles under one parent are read in batches.
    `drop index titles_by_place`,
    `create index titles_by_place on titles (workspace_id, above_id, number)`,
  ],
}
