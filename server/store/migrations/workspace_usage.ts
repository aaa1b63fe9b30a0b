import { usageSchema } from '../dialects/usage_schema.ts'
import type { Migration } from './migration.ts'

/** Counters of the contents of each workspace, which triggers maintain, and quotas for them. */
export const workspaceUsage: Migration = {
  number: 36,
  name: 'usage and quotas of workspaces',
  statements: (types, engine) => usageSchema(types, engine),
}
