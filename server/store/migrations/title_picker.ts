import type { Migration } from './migration.ts'

/** The picker of the consent page goes through titles as search does: pages in the order of edits stand in the index of titles alone. */
export const titlePicker: Migration = {
  name: 'title picker',
  statements: () => ['drop index blocks_by_edit'],
}
