import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { filesAddress } from '../config.ts'
import type { Manifest } from '../domain/workspace_archive/archive.ts'
import { exportWorkspace } from '../domain/workspace_archive/export_workspace.ts'
import { importWorkspace, readManifest } from '../domain/workspace_archive/import_workspace.ts'
import type { Database } from '../store/database.ts'
import { openFiles } from '../store/files/open.ts'
import type { FileStorage } from '../store/files/storage.ts'
import { addressSettings, workspaceOf, type CommandContext } from './command_context.ts'
import { CommandError } from './exit_codes.ts'
import type { JsonResult } from './output.ts'
import type { ServiceCommand } from './service_command.ts'

export function addArchiveCommands(workspace: ServiceCommand): void {
  workspace
    .command('export <workspace> <folder>')
    .description('write a workspace with all its rows and files into a new folder')
    .addHelpText(
      'after',
      `
The folder holds a line of JSON for each row, as they were at one moment, and the bytes of files from FILES_URL. The service may be running. Digests of
passwords and tokens are in it: keep it as you keep the database.`,
    )
    .example('workspace export 62f746b4-84e6-4ceb-95bd-447e7184d454 ./boat-shed')
    .run(async (context, wanted: string, target: string) => {
      const folder = resolve(target)
      if (existsSync(folder)) throw new CommandError(`${folder} already exists. Choose another name.`)
      await mkdir(dirname(folder), { recursive: true })
      const manifest = await withData(context, async (database, storage) => {
        const id = await database.read((db) => workspaceOf(db, wanted))
        const work = (): Promise<Manifest> => exportWorkspace({ database, storage }, id, folder, Date.now())
        return context.output.during(`Exporting the workspace ${id}`, work)
      })
      const figures = figuresOf(manifest)
      context.result({ ...figures, folder }, () => [
        `Exported the workspace "${figures.name ?? ''}" to ${folder}: ${figures.rows} rows, ${figures.files} files.`,
      ])
    })
  workspace
    .command('import <folder>')
    .description('bring an exported workspace into this database, with the same ids')
    .addHelpText(
      'after',
      `
It comes from a database of the same release, on either engine; nothing of it may be here already. Tokens go on working. Webhooks that come from
another deployment have to be verified again. Should it be broken off, delete the workspace and import it again.`,
    )
    .example('workspace import ./boat-shed')
    .run(async (context, source: string) => {
      const folder = resolve(source)
      await readManifest(folder)
      const manifest = await withData(context, (database, storage) => {
        const work = (): Promise<Manifest> => importWorkspace({ database, storage }, folder, Date.now())
        return context.output.during(`Importing ${folder}`, work)
      })
      const figures = figuresOf(manifest)
      context.result(figures, () => [
        `Imported the workspace "${figures.name ?? ''}": ${figures.id} (${figures.rows} rows, ${figures.files} files)`,
      ])
    })
}

interface Figures extends JsonResult {
  readonly id: string
  readonly name: string | null
  readonly rows: number
  readonly files: number
}

function figuresOf({ workspace, tables, files }: Manifest): Figures {
  return { id: workspace.id, name: workspace.name, rows: tables.reduce((sum, { rows }) => sum + rows, 0), files }
}

/** Runs work on the database and the file storage of the service. */
async function withData<T>(context: CommandContext, work: (database: Database, storage: FileStorage) => Promise<T>): Promise<T> {
  const storage = await openFiles(filesAddress(addressSettings(context)))
  try {
    return await context.withDatabase((database) => work(database, storage))
  } finally {
    await storage.close()
  }
}
