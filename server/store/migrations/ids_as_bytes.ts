import { rebuildTables } from '../dialects/sqlite_rebuild.ts'
import type { Migration } from './migration.ts'

/**
 * Stores the ids of SQLite databases as bytes. PostgreSQL has always done so.
 * @param before the migrations before this one, which create the tables of a new database in their new form
 */
export const idsAsBytes = (before: readonly Migration[]): Migration => ({
  number: 32,
  name: 'ids as bytes',
  rebuilds: true,
  statements: (types, engine) =>
    engine === 'sqlite' ? rebuildTables(before.flatMap(({ statements }) => statements(types, engine))) : [],
})
