import type { Database } from './database.ts'
import { migrate } from './migrations.ts'
import { openDatabase } from './open.ts'
import { sql } from './sql.ts'

/**
 * Differences of an SQLite schema from the one that the migrations create: without this check, a damaged column name is found only by the
 * first statement that uses it, perhaps months later. PostgreSQL checks its own catalog.
 * @returns missing or different tables, indexes and triggers; additions by other programs do not count
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

/** The definitions of a schema by `type name`, regardless of the spacing and quotes in their original statements. */
async function schemaParts(database: Database): Promise<ReadonlyMap<string, string>> {
  const rows = await database.read((db) =>
    db.all(
      { part: 'text', definition: 'text' },
      sql`select type || ' ' || name as part, coalesce(sql, '') as definition from sqlite_master`,
    ),
  )
  return new Map(rows.map(({ part, definition }) => [part, definition.replaceAll(/[\s"]+/g, '')]))
}
