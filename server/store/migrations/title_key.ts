import { titleKeySchema } from '../dialects/titles_schema.ts'
import type { Migration } from './migration.ts'

/** Makes the number of a title its primary key. Without one, PostgreSQL refuses to change rows of a table that it publishes to replicas. */
export const titleKey: Migration = {
  number: 19,
  name: 'title key',
  statements: (_types, engine) => titleKeySchema[engine],
}
