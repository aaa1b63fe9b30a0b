import { databaseExists } from '@workspace-service/server/store/backup.ts'
import { migrate, newestSchema, schemaState, schemaSteps } from '@workspace-service/server/store/migrations.ts'
import { openDatabase } from '@workspace-service/server/store/open.ts'
import type { DatabaseAddress } from '@workspace-service/server/kernel/addresses.ts'
import { describeAddress, addressSettings, type CommandContext } from './command_context.ts'
import { CommandError, usageError } from './exit_codes.ts'
import type { ServiceCommand } from './service_command.ts'

export function addMigrateCommand(program: ServiceCommand): void {
  program
    .command('migrate')
    .description('update the database to the schema of this release, or create it')
    .option('--dry-run', 'only show what would be done')
    .addHelpText(
      'after',
      `
The service does the same whenever it starts. Each step is applied in full or not at all, by one process at a time.`,
    )
    .run(async (context, { dryRun }: { dryRun?: true }) => {
      const address = addressSettings(context).DATABASE_URL
      if (address.engine === 'sqlite' && address.path === ':memory:')
        throw usageError('A database in memory disappears when this command ends. Set DATABASE_URL, or --database.')
      const done = dryRun ? await pendingSteps(address) : await runMigrations(context, address)
      context.result({ schema: newestSchema, steps: done, dry_run: dryRun ?? false }, () =>
        done.length === 0
          ? [`The database is up to date (schema ${newestSchema}).`]
          : done.map((name) => `${dryRun ? 'would do' : 'done'}: ${name}`),
      )
    })
}

async function pendingSteps(address: DatabaseAddress): Promise<readonly string[]> {
  // Opening a file would create it, and a dry run must not.
  if (address.engine === 'sqlite' && !databaseExists(address.path)) return schemaSteps
  const database = openDatabase(address)
  const { pending, refusal } = await schemaState(database).finally(() => database.close())
  if (refusal !== undefined) throw new CommandError(refusal)
  return pending
}

async function runMigrations({ output }: CommandContext, address: DatabaseAddress): Promise<readonly string[]> {
  const database = openDatabase(address)
  try {
    const { pending, refusal } = await schemaState(database)
    if (refusal !== undefined) throw new CommandError(refusal)
    const meter = output.meter(`Updating ${describeAddress(address)} to schema ${newestSchema}`)
    const done: string[] = []
    await migrate(database, (name) => meter.at(done.push(name) / pending.length))
    meter.done('Done')
    return done
  } finally {
    await database.close()
  }
}
