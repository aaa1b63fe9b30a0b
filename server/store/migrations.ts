import { ServiceError } from '../kernel/errors.ts'
import type { Connection, Database, Transaction } from './database.ts'
import { afterMigration } from './dialects/after_migration.ts'
import { columnTypes } from './dialects/column_types.ts'
import { UnusableDatabase } from './failures.ts'
import { migrations } from './migrations/index.ts'
import type { Migration } from './migrations/migration.ts'
import { openingSchema } from './migrations/opening_schema.ts'
import { sql } from './sql.ts'

/** The number of this release's schema. */
export const newestSchema = migrations.at(-1)?.number ?? 0

/** The names of all migrations, oldest first. */
export const schemaSteps: readonly string[] = migrations.map(({ name }) => name)

/**
 * Makes the settings of the database and upgrades it to the newest schema. Each migration is recorded in its transaction; a new database
 * gets all migrations in one transaction. Processes that start at the same time may all call this: one of them runs each migration while
 * the others wait.
 * @param onStep called with the name of each migration that this process runs
 * @throws UnusableDatabase if this release cannot use the database: see `SchemaState.refusal`
 */
export async function migrate(database: Database, onStep: (name: string) => void = () => undefined): Promise<void> {
  const { schema, pending } = await usableState(database)
  await database.configure()
  if (pending.length === 0) return
  const transactions = schema === 0 ? [migrations] : migrations.map((migration) => [migration])
  for (const transaction of transactions) {
    await database.exclusively(
      async (db) => {
        await db.run(sql`create table if not exists migrations (number integer primary key, name text not null)`)
        // Another process may have created the tables in the meantime.
        const isNew = (await schemaOf(db)) === 0
        for (const migration of transaction) await runMigration(db, database.engine, migration, isNew, onStep)
        await afterMigration(database.engine, db)
      },
      schema > 0 && transaction.some(({ rebuilds }) => rebuilds),
    )
  }
  // A newer release may have upgraded the database in the meantime.
  await usableState(database)
}

/** Runs a migration unless the database already has it. */
async function runMigration(
  db: Transaction,
  engine: Database['engine'],
  { number, name, rebuilds = false, statements }: Migration,
  isNew: boolean,
  onStep: (name: string) => void,
): Promise<void> {
  if ((await schemaOf(db)) >= number) return
  onStep(name)
  if (!isNew || !rebuilds) for (const statement of statements(columnTypes[engine], engine)) await db.run(statement)
  await db.run(sql`insert into migrations (number, name) values (${number}, ${name})`)
}

async function usableState(database: Database): Promise<SchemaState> {
  const state = await schemaState(database)
  if (state.refusal !== undefined) throw new UnusableDatabase(state.refusal)
  return state
}

interface SchemaState {
  /** The number of the last migration that was run; 0 in a new database. */
  readonly schema: number
  /** The names of the migrations still to be run. */
  readonly pending: readonly string[]
  /** Why this release cannot use the database, and what to do about it; undefined if it can. */
  readonly refusal: string | undefined
}

/**
 * The state of a database's schema.
 * @throws ServiceError if the database does not respond
 */
export async function schemaState(database: Database): Promise<SchemaState> {
  const schema = await database.read(schemaOf).catch((error: unknown) => {
    // In a new database the table is missing, which is an error of the engine. A `ServiceError` means that the database cannot be reached.
    if (error instanceof ServiceError) throw error
    return 0
  })
  const pending = migrations.filter(({ number }) => number > schema).map(({ name }) => name)
  return { schema, pending, refusal: refusalOf(schema) }
}

function refusalOf(schema: number): string | undefined {
  if (schema > newestSchema)
    return `The database has schema ${schema}, and this release supports schemas up to ${newestSchema}. Start a newer release.`
  if (schema > 0 && schema < openingSchema.number)
    return `The database has schema ${schema}, and this release supports schemas from ${openingSchema.number} (release 0.1.0). Restore a later backup, or start with an empty database.`
  return undefined
}

/** The number of the last migration. @throws an error of the engine in a new database */
async function schemaOf(db: Connection): Promise<number> {
  const row = await db.get({ number: 'integer?' }, sql`select max(number) as number from migrations`)
  return row?.number ?? 0
}
