import type { Migration } from './migration.ts'
import { openingSchema } from './opening_schema.ts'

/** Every step of the schema, oldest first. */
export const migrations: readonly Migration[] = [openingSchema]
