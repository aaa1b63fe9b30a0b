import type { Migration } from './migration.ts'

/** The meeting notes on a page, whose transcripts are told of when the content of the page is erased. */
export const notesOfPage: Migration = {
  number: 27,
  name: 'notes of page',
  statements: () => [`create index notes_of_page on blocks (workspace_id, page_id, id) where type = 'meeting_notes'`],
}
