import type { Database } from './database.ts'
import { migrate } from './migrations.ts'
import { openDatabase } from './open.ts'
import { sql } from './sql.ts'

/**
 * The differences between an SQLite schema and the one that the migrations create. Without this check, damage to the name of a column is
 * noticed only when a statement uses the column, perhaps months later. PostgreSQL checks its own catalog.
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

/** The definitions of a schema by `type name`, normalized so that spacing and quotes in their statements do not matter. */
async function schemaParts(database: Database): Promise<ReadonlyMap<string, string>> {
  const rows = await database.read((db) =>
    db.all(
      { part: 'text', definition: 'text' },
      sql`select type || ' ' || name as part, coalesce(sql, '') as definition from sqlite_master`,
    ),
  )
  return new Map(rows.map(({ part, definition }) => [part, definition.replaceAll(/[\s"]+/g, '')]))
}
