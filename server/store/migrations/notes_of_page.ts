import type { Migration } from './migration.ts'

/** An index of the meeting notes on a page: when the page's content is erased, their transcripts need events. */
export const notesOfPage: Migration = {
  number: 27,
  name: 'notes of page',
  statements: () => [`create index notes_of_page on blocks (workspace_id, page_id, id) where type = 'meeting_notes'`],
}
