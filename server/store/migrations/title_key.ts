import { titleKeySchema } from '../dialects/title_keys.ts'
import type { Migration } from './migration.ts'

/** Every table has a primary key: what replicates a database tells the rows that change by it. */
export const titleKey: Migration = {
  name: 'title key',
  statements: (_types, engine) => titleKeySchema[engine],
}
