import { ServiceError } from '../kernel/errors.ts'
import type { Connection, Database } from './database.ts'
import { afterMigration } from './dialects/after_migration.ts'
import { columnTypes } from './dialects/column_types.ts'
import { migrations } from './migrations/index.ts'
import { openingSchema } from './migrations/opening_schema.ts'
import { sql } from './sql.ts'

/** The schema of this release. */
export const newestSchema = migrations.at(-1)?.number ?? 0

/** The names of all steps, oldest first. */
export const schemaSteps: readonly string[] = migrations.map(({ name }) => name)

/**
 * Brings a database to the newest schema, each step in a transaction of its own, and remembers which steps were done. Processes
 * that start together may all call it: each step is done by one of them while the others wait.
 * @param onStep is called with the name of each step that this process does
 * @throws Error when this release cannot use the database: see `SchemaState.refusal`
 */
export async function migrate(database: Database, onStep: (name: string) => void = () => undefined): Promise<void> {
  if ((await usableState(database)).pending.length === 0) return
  await database.exclusively((db) =>
    db.run(sql`create table if not exists migrations (number integer primary key, name text not null)`),
  )
  const types = columnTypes[database.engine]
  for (const { number, name, statements } of migrations) {
    await database.exclusively(async (db) => {
      if ((await schemaOf(db)) >= number) return
      onStep(name)
      for (const statement of statements(types, database.engine)) await db.run(statement)
      await db.run(sql`insert into migrations (number, name) values (${number}, ${name})`)
      for (const statement of afterMigration[database.engine]) await db.run(statement)
    })
  }
  // A newer release may have been here meanwhile.
  await usableState(database)
}

async function usableState(database: Database): Promise<SchemaState> {
  const state = await schemaState(database)
  if (state.refusal !== undefined) throw new Error(state.refusal)
  return state
}

interface SchemaState {
  /** The number of the last step that was done, 0 in a database that no release has been on. */
  readonly schema: number
  /** Names of the steps that are still to be done. */
  readonly pending: readonly string[]
  /** Why this release cannot use the database, and what to do about it. */
  readonly refusal: string | undefined
}

/** How far a database is. Changes nothing. @throws ServiceError when it does not answer */
export async function schemaState(database: Database): Promise<SchemaState> {
  const schema = await database.read(schemaOf).catch((error: unknown) => {
    // What an engine itself complains about is the missing table; that it cannot be reached is another matter.
    if (error instanceof ServiceError) throw error
    return 0
  })
  const pending = migrations.filter(({ number }) => number > schema).map(({ name }) => name)
  return { schema, pending, refusal: refusalOf(schema) }
}

function refusalOf(schema: number): string | undefined {
  if (schema > newestSchema)
    return `The database is at schema ${schema}, this release knows ${newestSchema}. Start a newer release.`
  if (schema > 0 && schema < openingSchema.number)
    return `The database is at schema ${schema}, this release upgrades from ${openingSchema.number} on. Start release 0.1.0 on it once, then this one.`
  return undefined
}

/** @throws Error in a database that no release has been on */
async function schemaOf(db: Connection): Promise<number> {
  const row = await db.get({ number: 'integer?' }, sql`select max(number) as number from migrations`)
  return row?.number ?? 0
}
