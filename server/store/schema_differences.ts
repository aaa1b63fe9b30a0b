import type { Database } from './database.ts'
import { migrate } from './migrations.ts'
import { openDatabase } from './open.ts'
import { sql } from './sql.ts'

/**
 * Differences of an SQLite schema from the one that the migrations make: a damaged name of a column is found by the first statement that
 * uses it, which may be months later. PostgreSQL checks its own catalogue.
 * @returns tables, indexes and triggers that are missing or others; what other programs have made does not count
 */
export async function schemaDifferences(database: Database): Promise<readonly string[]> {
  if (database.engine !== 'sqlite') return []
  const fresh = openDatabase({ engine: 'sqlite', path: ':memory:' })
  try {
    await migrate(fresh)
    const [own, wanted] = [await schemaParts(database), await schemaParts(fresh)]
    return [...wanted.keys()].filter((name) => own.get(name) !== wanted.get(name)).toSorted()
  } finally {
    await fresh.close()
  }
}

/** The definitions of a schema by `type name`, however they were spaced and quoted when they were made. */
async function schemaParts(database: Database): Promise<ReadonlyMap<string, string>> {
  const rows = await database.read((db) =>
    db.all(
      { part: 'text', definition: 'text' },
      sql`select type || ' ' || name as part, coalesce(sql, '') as definition from sqlite_master`,
    ),
  )
  return new Map(rows.map(({ part, definition }) => [part, definition.replaceAll(/[\s"]+/g, '')]))
}
