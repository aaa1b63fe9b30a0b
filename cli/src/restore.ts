import { existsSync, readdirSync, rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { filesAddress } from '@workspace-service/server/config.ts'
import { copyObjects, requireObjects, type CopiedObjects } from '@workspace-service/server/domain/files/index.ts'
import type { FilesAddress } from '@workspace-service/server/kernel/addresses.ts'
import { backupSqlite, databaseExists, isInUse, swapIn } from '@workspace-service/server/store/backup.ts'
import { openFiles } from '@workspace-service/server/store/files/open.ts'
import { newestSchema, schemaState } from '@workspace-service/server/store/migrations.ts'
import { openDatabase } from '@workspace-service/server/store/open.ts'
import { requireChecksum } from './checksum.ts'
import { addressSettings, type CommandContext } from './command_context.ts'
import { CommandError, usageError } from './exit_codes.ts'
import { requireExistingFile } from './file_problem.ts'
import type { ServiceCommand } from './service_command.ts'

interface RestoreOptions {
  readonly files?: string
  readonly force?: true
  readonly withoutChecksum?: true
}

export function addRestoreCommand(program: ServiceCommand): void {
  program
    .command('restore <file>')
    .description('replace the database with a backup, while the service is stopped')
    .option('--files <folder>', 'also restore the bytes of uploaded files, from the folder of backup --files')
    .option('--force', 'replace an existing database, which is kept beside the new one')
    .option('--without-checksum', 'accept a backup without checksums, such as those of earlier releases')
    .addHelpText(
      'after',
      `
The command first copies the backup and verifies its checksum, integrity and schema; with --files, also that no file is missing.
Only then does it replace the database. Restore PostgreSQL with pg_restore.`,
    )
    .example('restore /var/backups/workspace-2026-05-16.db --files /var/backups/workspace-files')
    .run(async (context, file: string, options: RestoreOptions) => {
      const [source, target] = [resolve(file), targetOf(context)]
      const address = filesAddress(addressSettings(context))
      await requireExistingFile(source)
      requireFree(target, options, address)
      if (!options.withoutChecksum) await context.output.during('Comparing its checksum', () => requireChecksum(source))
      const done = await restore(source, target, address, options)
      context.result({ file: target, ...done }, () => [
        `Restored ${source} to ${target}${options.files === undefined ? '' : `, and ${done.files} files`}.`,
        ...(done.replaced === null ? [] : [`The previous database was kept as ${done.replaced}.`]),
        ...(done.pending === 0 ? [] : ['The backup is of an older release. The next start updates it.']),
      ])
    })
}

function targetOf(context: CommandContext): string {
  const { DATABASE_URL: address } = addressSettings(context)
  if (address.engine === 'postgresql')
    throw new CommandError('Use the tools of PostgreSQL: pg_restore --clean --if-exists --dbname "$DATABASE_URL" <file>')
  if (address.path === ':memory:')
    throw usageError('A database in memory cannot be restored. Set DATABASE_URL, or --database, to a file.')
  return resolve(address.path)
}

/** @throws CommandError when the service is running, or something would be replaced */
function requireFree(target: string, { files, force }: RestoreOptions, address: FilesAddress): void {
  if (databaseExists(target) && isInUse(target)) throw new CommandError(`A process uses ${target}: stop the service first.`)
  if (force) return
  if (databaseExists(target))
    throw new CommandError(`The database ${target} already exists. Add --force to replace it; it is kept beside the new one.`)
  if (files !== undefined && address.kind === 'folder' && hasContent(address.path))
    throw new CommandError(
      `The folder ${resolve(address.path)} already contains files. Add --force to keep them and add the restored ones.`,
    )
}

function hasContent(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).length > 0
}

interface Restored extends CopiedObjects {
  /** The new path of the former database. */
  readonly replaced: string | null
  /** Migrations that the next start will run. */
  readonly pending: number
  readonly schema: number
  readonly [key: string]: string | number | null
}

async function restore(
  source: string,
  target: string,
  address: FilesAddress,
  { files: folder, withoutChecksum }: RestoreOptions,
): Promise<Restored> {
  const copy = `${target}.restored`
  await mkdir(dirname(target), { recursive: true })
  try {
    await backupSqlite(source, copy, () => undefined).catch((error: unknown) => {
      throw new CommandError(`The backup cannot be used: ${error instanceof Error ? error.message : String(error)}`)
    })
    const { pending, schema } = await checkSchema(copy)
    const copied =
      folder === undefined ? { files: 0, bytes: 0 } : await restoreFiles(copy, resolve(folder), address, withoutChecksum !== true)
    const replaced = swapIn(copy, target, `${target}.replaced-${new Date().toISOString().replaceAll(':', '')}`)
    return { ...copied, schema, pending, replaced: replaced ?? null }
  } finally {
    for (const end of ['', '-wal', '-shm']) rmSync(copy + end, { force: true })
  }
}

async function checkSchema(path: string): Promise<{ schema: number; pending: number }> {
  const database = openDatabase({ engine: 'sqlite', path })
  try {
    const { schema, pending, refusal } = await schemaState(database)
    if (schema === 0) throw new CommandError('The backup cannot be used: it is not a database of the service.')
    if (schema > newestSchema || refusal !== undefined) throw new CommandError(`The backup cannot be used: ${refusal ?? ''}`)
    return { schema, pending: pending.length }
  } finally {
    await database.close()
  }
}

/** Copies the bytes of files, if all of them exist. */
async function restoreFiles(path: string, folder: string, address: FilesAddress, verifies: boolean): Promise<CopiedObjects> {
  const database = openDatabase({ engine: 'sqlite', path })
  const [from, to] = [await openFiles({ kind: 'folder', path: folder }), await openFiles(address)]
  try {
    await requireObjects(database, from, verifies)
    return await copyObjects(database, from, to, false)
  } finally {
    for (const opened of [from, to, database]) await opened.close()
  }
}
