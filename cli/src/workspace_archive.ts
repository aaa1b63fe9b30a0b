import { Option } from 'commander'
import { existsSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Manifest } from '@workspace-service/server/domain/workspace_archive/index.ts'
import { workspaceOf } from './command_context.ts'
import { CommandError } from './exit_codes.ts'
import { requireExistingFile, requireFolderOf } from './file_problem.ts'
import type { JsonResult } from './output.ts'
import type { ServiceCommand } from './service_command.ts'
import { withData } from './with_data.ts'
import { importArchive, exportArchive, type PageImportOptions } from './workspace_pages.ts'
import { outerRules } from './outer_rules.ts'

const FORMATS = ['json', 'markdown'] as const
type Format = (typeof FORMATS)[number]

export function addArchiveCommands(workspace: ServiceCommand): void {
  workspace
    .command('export <workspace> <target>')
    .description('write a workspace into a new folder, with all its rows and files, or its pages into a zip file')
    .addOption(formatOption('json: everything, for another database; markdown: pages, tables and files to read').default('json'))
    .option('--report <file>', 'with markdown: write a list of what was left out to this JSON file')
    .addHelpText(
      'after',
      `
As json, the folder contains a snapshot: a line of JSON for each row, and the bytes of files from FILES_URL. It contains digests of passwords and
tokens, so protect it as you protect the database. As markdown, the zip file contains a Markdown file for each page, a CSV file for each data source and
the files of pages, in folders like the tree of pages. The command ends with a list of what was left out. The service may be running.`,
    )
    .example('workspace export 62f746b4-84e6-4ceb-95bd-447e7184d454 ./boat-shed')
    .example('workspace export "Boat shed" boat-shed.zip --format markdown')
    .run(async (context, wanted: string, target: string, { format, report }: { format: Format; report?: string }) => {
      const path = resolve(target)
      if (existsSync(path)) throw new CommandError(`${path} already exists. Choose another name.`)
      await mkdir(dirname(path), { recursive: true })
      if (format === 'markdown') return exportArchive(context, wanted, path, report)
      const { exportWorkspace } = await import('@workspace-service/server/domain/workspace_archive/index.ts')
      const manifest = await withData(context, async (database, storage) => {
        const id = await database.read((db) => workspaceOf(db, wanted))
        const work = (): Promise<Manifest> => exportWorkspace({ database, storage }, id, path, Date.now())
        return context.output.during(`Exporting the workspace ${id}`, work)
      })
      const figures = countsOf(manifest)
      context.result({ ...figures, folder: path }, () => [
        `Exported the workspace "${figures.name ?? ''}" to ${path}: ${figures.rows} rows, ${figures.files} files.`,
      ])
    })
  workspace
    .command('import <source>')
    .description('import an exported workspace, or create pages from Markdown, HTML and CSV')
    .addOption(
      formatOption(
        'json: a folder of rows, keeping ids; markdown: pages and tables, with new ids; detected from the source by default',
      ),
    )
    .option(
      '--with-credentials',
      'with json: import connections, tokens, grants, webhooks and passwords, too, from an export that you trust',
    )
    .option('-n, --name <name>', 'with markdown: name of the new workspace; by default, that of the archive')
    .option('--owner-name <name>', 'with markdown: display name of its owner')
    .option('-e, --email <email>', 'with markdown: email address of its owner')
    .option('--workspace <workspace>', 'with markdown: import into this workspace, below a new page')
    .option('--page <page>', 'with markdown: the page of that workspace below which the new page is created')
    .option('--report <file>', 'with markdown: write what was not imported to this JSON file')
    .option('--progress <file>', 'with markdown: file for the progress of the import; by default, beside the source')
    .addHelpText(
      'after',
      `
A folder of rows must come from a database of the same release, on either engine. Its workspace must not exist here. The command checks all rows before
it stores any. By default, connections, tokens, grants, webhooks and passwords are not imported: people sign in by a link, bots remain the
authors of their content, and queued tasks fail, because they need the rights of a token. The command prints their number. With --with-credentials,
tokens remain valid, and webhooks of another deployment have to be verified again.

All other sources become pages and data sources with new ids: archives of this service (--format markdown), Markdown, CSV and HTML exports of other
services, Obsidian vaults, folders of Markdown, zip files of these, and single tables (CSV, TSV). OPERATIONS.md lists what is kept of each. The
command ends with counts of the items found and imported, and a list of those left out. If it fails, it removes everything that it created.

If the command is interrupted or its process killed, run it again: it resumes the import.`,
    )
    .example('workspace import ./boat-shed')
    .example('workspace import ./boat-shed --with-credentials')
    .example('workspace import notes.zip --workspace "Boat shed" --page "Reading"')
    .run(async (context, source: string, options: FolderImportOptions) => {
      const path = resolve(source)
      await requireExistingFile(path)
      await requireFolderOf(options.report)
      if ((options.format ?? (await formatOf(path))) === 'markdown') return importArchive(context, path, options)
      const { importWorkspace, readManifest } = await import('@workspace-service/server/domain/workspace_archive/index.ts')
      const { version } = await readManifest(path)
      const meter = context.output.meter(`Importing ${path}`)
      const { manifest, unauthorizedTasks } = await withData(context, async (database, storage) =>
        importWorkspace(
          { database, storage },
          path,
          { rules: await outerRules(), now: Date.now(), withCredentials: options.withCredentials ?? false },
          (share) => meter.at(share),
        ),
      )
      meter.done(`Imported ${path}`)
      const figures = countsOf(manifest)
      context.result({ ...figures, verified: version > 1, unauthorized_tasks: unauthorizedTasks }, () => [
        ...(version > 1
          ? []
          : [
              'This export has format 1, without checksums. Each row was checked, but changed and missing rows cannot be detected.',
            ]),
        `Imported the workspace "${figures.name ?? ''}": ${figures.id} (${figures.rows} rows, ${figures.files} files)`,
        ...(unauthorizedTasks === 0 ? [] : [unauthorizedMessage(unauthorizedTasks, options.withCredentials ?? false)]),
      ])
    })
}

/** A folder with a manifest of rows contains rows; any other folder contains pages, and so does a file. */
async function formatOf(path: string): Promise<Format> {
  if (!(await stat(path)).isDirectory()) return 'markdown'
  const { isFolderOfPages } = await import('@workspace-service/archive/open_archive.ts')
  return (await isFolderOfPages(path)) ? 'markdown' : 'json'
}

function unauthorizedMessage(count: number, withCredentials: boolean): string {
  const tasks = count === 1 ? '1 queued task fails' : `${count} queued tasks fail`
  const reason = withCredentials ? 'are no longer valid' : 'are not imported without --with-credentials'
  return `${tasks} with "unauthorized": the tokens of the bots and people who started them ${reason}.`
}

interface FolderImportOptions extends PageImportOptions {
  readonly format?: Format
  readonly withCredentials?: true
}

function formatOption(description: string): Option {
  return new Option('--format <format>', description).choices(FORMATS)
}

interface ArchiveCounts extends JsonResult {
  readonly id: string
  readonly name: string | null
  readonly rows: number
  readonly files: number
}

function countsOf({ workspace, tables, files }: Manifest): ArchiveCounts {
  return { id: workspace.id, name: workspace.name, rows: tables.reduce((sum, { rows }) => sum + rows, 0), files }
}
