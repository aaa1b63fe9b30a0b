import {
  applyDistributedSettings,
  isDistributable,
  placeTable,
  unplacedTables,
} from '@workspace-service/server/store/dialects/distribution.ts'
import type { Database } from '@workspace-service/server/store/database.ts'
import { schemaState } from '@workspace-service/server/store/migrations.ts'
import { openDatabase } from '@workspace-service/server/store/open.ts'
import { addressSettings, describeAddress, type CommandContext } from './command_context.ts'
import { CommandError, usageError } from './exit_codes.ts'
import type { ServiceCommand } from './service_command.ts'

export function addDatabaseCommands(program: ServiceCommand): void {
  program
    .command('database')
    .description('the database as a whole')
    .command('distribute')
    .description('distribute the tables of a PostgreSQL database over the nodes of Citus')
    .option('--dry-run', 'only show what would be done')
    .addHelpText(
      'after',
      `
All rows of a workspace are on one node. Stop the service first: while a table is distributed, its rows cannot be changed. Tables that are
already distributed stay as they are, so the command can be repeated, for example after it was interrupted. migrate distributes the tables
that later releases add.`,
    )
    .run(async (context, { dryRun }: { dryRun?: true }) => {
      const tables = await withUsableDatabase(context, (database) => distribute(context, database, dryRun ?? false))
      context.result({ tables, dry_run: dryRun ?? false }, () =>
        tables.length === 0
          ? ['All tables are already distributed.']
          : tables.map((name) => `${dryRun ? 'would distribute' : 'distributed'}: ${name}`),
      )
    })
}

async function withUsableDatabase<T>(context: CommandContext, work: (database: Database) => Promise<T>): Promise<T> {
  const address = addressSettings(context).DATABASE_URL
  if (address.engine === 'sqlite')
    throw usageError('Only PostgreSQL with Citus can be distributed. Set DATABASE_URL, or --database.')
  const database = openDatabase(address)
  try {
    const { schema, pending, refusal } = await schemaState(database)
    if (refusal !== undefined) throw new CommandError(refusal)
    if (schema === 0 || pending.length > 0)
      throw new CommandError('The database does not have the schema of this release. Run first: workspace-service migrate')
    if (!(await database.read(isDistributable)))
      throw new CommandError(
        `${describeAddress(address)} does not have the extension Citus. Create it on each node, add the workers on the coordinator, and set DATABASE_URL to the coordinator.`,
      )
    return await work(database)
  } finally {
    await database.close()
  }
}

/** @returns the names of the tables */
async function distribute({ output }: CommandContext, database: Database, isDryRun: boolean): Promise<readonly string[]> {
  const tables = await database.read(unplacedTables)
  if (isDryRun) return tables.map(({ name }) => name)
  await database.exclusively(applyDistributedSettings)
  const meter = output.meter('Distributing tables')
  // One transaction for each table: all together would need more locks than PostgreSQL has by default.
  for (const [index, table] of tables.entries()) {
    await database.exclusively((db) => placeTable(db, table))
    meter.at((index + 1) / tables.length)
  }
  meter.done('Done')
  return tables.map(({ name }) => name)
}
