import { ServiceError } from '../kernel/errors.ts'
import type { Connection, Database } from './database.ts'
import { afterMigration } from './dialects/after_migration.ts'
import { columnTypes } from './dialects/column_types.ts'
import { migrations } from './migrations/index.ts'

/**
 * Brings a database to the newest schema, each step in a transaction of its own, and remembers which steps were done. Processes
 * that start together may all call it: each step is done by one of them while the others wait.
 * @param onStep hears the name of each step that this process does
 * @throws Error when the database was made by a newer release
 */
export async function migrate(database: Database, onStep: (name: string) => void = () => undefined): Promise<void> {
  const types = columnTypes[database.engine]
  if ((await database.read(stepsDone).catch(() => 0)) < migrations.length) {
    await database.exclusively((db) =>
      db.run('create table if not exists migrations (number integer primary key, name text not null)'),
    )
    for (const [index, migration] of migrations.entries()) {
      await database.exclusively(async (db) => {
        if ((await stepsDone(db)) > index) return
        onStep(migration.name)
        for (const statement of migration.statements(types, database.engine)) await db.run(statement)
        await migration.fill?.(db)
        await db.run('insert into migrations (number, name) values (?, ?)', index + 1, migration.name)
        for (const statement of afterMigration[database.engine]) await db.run(statement)
      })
    }
  }
  const newest = await database.read(stepsDone)
  if (newest > migrations.length) {
    throw new Error(`The database is at schema ${newest}, this release knows ${migrations.length}. Start a newer release.`)
  }
}

/** The names of all steps, oldest first. */
export const schemaSteps: readonly string[] = migrations.map(({ name }) => name)

export interface SchemaState {
  /** Steps that were done; more than `known` when a newer release was here. */
  readonly done: number
  readonly known: number
  /** Names of the steps that are still to be done. */
  readonly pending: readonly string[]
}

/** How far a database is. Changes nothing. @throws ServiceError when it does not answer */
export async function schemaState(database: Database): Promise<SchemaState> {
  const done = await database.read(stepsDone).catch((error: unknown) => {
    // What an engine itself complains about is the missing table; that it cannot be reached is another matter.
    if (error instanceof ServiceError) throw error
    return 0
  })
  return { done, known: migrations.length, pending: schemaSteps.slice(done) }
}

/** @throws Error in a database that no release has been on */
async function stepsDone(db: Connection): Promise<number> {
  const row = await db.get<{ number: number | null }>('select max(number) as number from migrations')
  return row?.number ?? 0
}
