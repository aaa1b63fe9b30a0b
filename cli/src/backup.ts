import { existsSync, mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { filesAddress } from '@workspace-service/server/config.ts'
import { copyObjects, type CopiedObjects } from '@workspace-service/server/domain/files/index.ts'
import { backupSqlite, databaseExists, type BackupFigures } from '@workspace-service/server/store/backup.ts'
import { openFiles } from '@workspace-service/server/store/files/open.ts'
import { openDatabase } from '@workspace-service/server/store/open.ts'
import { removeChecksum, writeChecksum } from './checksum.ts'
import { addressSettings, type CommandContext } from './command_context.ts'
import { CommandError, usageError } from './exit_codes.ts'
import type { Output } from './output.ts'
import type { ServiceCommand } from './service_command.ts'

const MEGABYTE = 1_000_000

export function addBackupCommand(program: ServiceCommand): void {
  program
    .command('backup <file>')
    .description('copy the database to a file, even while the service is running')
    .option('--overwrite', 'replace an existing file')
    .option('--files <folder>', 'copy the bytes of uploaded files to a folder, too; existing files stay')
    .addHelpText(
      'after',
      `
The copy is a snapshot from the time when the command started. It gets its name only when it is complete and verified. Its SHA-256 is written to
<file>.sha256, which restore and sha256sum --check compare; each file of --files has its own. Several backups can share the folder of --files:
only new files are copied. To use a backup, run restore, or start the service with DATABASE_URL=sqlite:<file>.
Back up PostgreSQL with pg_dump.`,
    )
    .run(async (context, file: string, { overwrite, files }: { overwrite?: true; files?: string }) => {
      const address = addressSettings(context).DATABASE_URL
      if (address.engine === 'postgresql')
        throw new CommandError('Use the tools of PostgreSQL: pg_dump --format=custom --file=<file> "$DATABASE_URL"')
      if (address.path === ':memory:')
        throw usageError('A database in memory exists only inside the running service and cannot be backed up.')
      if (!databaseExists(address.path))
        throw new CommandError(`The database ${address.path} does not exist. Check DATABASE_URL, or add --database.`)
      const target = resolve(file)
      if (existsSync(target) && !overwrite)
        throw new CommandError(`${target} already exists. Choose another name, or add --overwrite.`)
      const startedAt = performance.now()
      const { bytes, pages } = await copy(context.output, address.path, target)
      const sha256 = await context.output.during('Computing its checksum', () => writeChecksum(target))
      const copied = files === undefined ? undefined : await copyFiles(context, target, resolve(files))
      const seconds = Math.round(performance.now() - startedAt) / 1000
      const figures = { file: target, bytes, pages, seconds, sha256 }
      context.result(copied ? { ...figures, new_files: copied.files, new_file_bytes: copied.bytes } : figures, () => [
        `Copied ${(bytes / MEGABYTE).toFixed(1)} MB to ${target} in ${seconds.toFixed(1)} s.`,
        ...(copied ? [`Copied ${copied.files} files that were not in ${files} yet.`] : []),
      ])
    })
}

/** Copies the files that the copy of the database refers to, without later uploads. */
async function copyFiles(context: CommandContext, copyPath: string, folder: string): Promise<CopiedObjects> {
  const database = openDatabase({ engine: 'sqlite', path: copyPath })
  const [from, to] = [await openFiles(filesAddress(addressSettings(context))), await openFiles({ kind: 'folder', path: folder })]
  try {
    return await context.output.during('Copying files', () => copyObjects(database, from, to, true))
  } finally {
    for (const opened of [from, to, database]) await opened.close()
  }
}

async function copy(output: Output, path: string, target: string): Promise<BackupFigures> {
  const meter = output.meter(`Copying ${path}`)
  try {
    mkdirSync(dirname(target), { recursive: true })
    await removeChecksum(target)
    const figures = await backupSqlite(path, target, (copied, total) => meter.at(copied / total))
    meter.done('Copied and checked')
    return figures
  } catch (error) {
    meter.done('Not copied')
    throw new CommandError(`The backup failed: ${error instanceof Error ? error.message : String(error)}`)
  }
}
