import { usageSchema } from '../dialects/usage_schema.ts'
import type { Migration } from './migration.ts'

/** Counters of what each workspace holds, which triggers keep, and limits of them. */
export const workspaceUsage: Migration = {
  number: 36,
  name: 'usage and quotas of workspaces',
  statements: (types, engine) => usageSchema(types, engine),
}
