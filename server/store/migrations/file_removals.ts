import type { Migration } from './migration.ts'

/** How often removing the bytes of an object has failed: each time it waits longer, and from the first time on nobody can keep it. */
export const fileRemovals: Migration = {
  name: 'file removals',
  statements: () => ['alter table file_objects add column removal_failures integer not null default 0'],
}
