import type { Migration } from './migration.ts'

/** Indexes of blocks that take less space for the same queries. */
export const smallerIndexes: Migration = {
  number: 33,
  name: 'smaller indexes',
  statements: () => [
    // The index is read backwards for the newest rows first. New rows are added at its end, so its pages are full; rows added at its
    // beginning would leave half of each page empty.
    `drop index rows_by_creation`,
    `create index rows_by_creation on blocks (workspace_id, parent_id, in_trash, created_time, id desc)
      where parent_type = 'data_source_id'`,
    // Without rows of data sources, which are not on a page.
    `drop index blocks_of_page`,
    `create index blocks_of_page on blocks (workspace_id, page_id)
      where type in ('child_page', 'child_database') and page_id is not null`,
  ],
}
