import type { Command } from 'commander'
import { databaseExists } from '../store/backup.ts'
import { migrate, newestSchema, schemaState, schemaSteps } from '../store/migrations.ts'
import { openDatabase } from '../store/open.ts'
import type { DatabaseAddress } from '../kernel/addresses.ts'
import { describeAddress, deskOf, placeOf, type Desk } from './desk.ts'
import { CommandError, usageError } from './exit_codes.ts'

export function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('bring the database to the schema of this release; makes it if there is none')
    .option('--dry-run', 'only say what would be done')
    .addHelpText(
      'after',
      `
The service does the same by itself whenever it starts. Each step is done whole or not at all, and by one process alone.`,
    )
    .action(async ({ dryRun }: { dryRun?: true }, command: Command) => {
      const desk = deskOf(command)
      const address = placeOf(desk).DATABASE_URL
      if (address.engine === 'sqlite' && address.path === ':memory:')
        throw usageError('A database in memory is gone when this command ends. Set DATABASE_URL, or --database.')
      const done = dryRun ? await pendingSteps(address) : await carryOut(desk, address)
      desk.output.result({ schema: newestSchema, steps: done, dry_run: dryRun ?? false }, () =>
        done.length === 0
          ? [`The database is at schema ${newestSchema}; there is nothing to do.`]
          : done.map((name) => `${dryRun ? 'would do' : 'done'}: ${name}`),
      )
    })
}

async function pendingSteps(address: DatabaseAddress): Promise<readonly string[]> {
  // Opening a file makes it, and this is only a look.
  if (address.engine === 'sqlite' && !databaseExists(address.path)) return schemaSteps
  const database = openDatabase(address)
  const { pending, refusal } = await schemaState(database).finally(() => database.close())
  if (refusal !== undefined) throw new CommandError(refusal)
  return pending
}

async function carryOut({ output }: Desk, address: DatabaseAddress): Promise<readonly string[]> {
  const database = openDatabase(address)
  try {
    const { pending, refusal } = await schemaState(database)
    if (refusal !== undefined) throw new CommandError(refusal)
    const meter = output.meter(`Bringing ${describeAddress(address)} to schema ${newestSchema}`)
    const done: string[] = []
    await migrate(database, (name) => meter.at(done.push(name) / pending.length))
    meter.done('Done')
    return done
  } finally {
    await database.close()
  }
}
