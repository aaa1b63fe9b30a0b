import { titleKeyByWorkspaceSchema } from '../dialects/titles_schema.ts'
import { usageFunctions } from '../dialects/usage_schema.ts'
import type { Migration } from './migration.ts'

/** The forms that a key and some triggers need in a distributed database. */
export const distributableTables: Migration = {
  number: 43,
  name: 'distributable tables',
  statements: (_types, engine) => [...titleKeyByWorkspaceSchema[engine], ...usageFunctions(engine)],
}
