import { stat, writeFile } from 'node:fs/promises'
import { basename, extname, resolve } from 'node:path'
import type { ImportCounts } from '@workspace-service/archive/import/import_pages.ts'
import type { ImportOutcome } from '@workspace-service/archive/import/import_into.ts'
import type { OmittedContent } from '@workspace-service/archive/manifest.ts'
import type { ArchiveReader } from '@workspace-service/archive/archive_reader.ts'
import type { CloneTarget } from '@workspace-service/cloning/clone_target.ts'
import { addressSettings, workspaceOf, type CommandContext } from './command_context.ts'
import { CommandError, usageError } from './exit_codes.ts'
import { itemNamed } from './names.ts'
import { textTable } from './output.ts'
import { withData } from './with_data.ts'

export interface PageImportOptions {
  readonly name?: string
  readonly ownerName?: string
  readonly email?: string
  readonly workspace?: string
  readonly page?: string
  readonly report?: string
  readonly progress?: string
}

export async function exportArchive(
  context: CommandContext,
  wanted: string,
  file: string,
  report: string | undefined,
): Promise<void> {
  const { exportPages } = await import('@workspace-service/archive/export/export_pages.ts')
  const origin = addressSettings(context).BASE_URL
  const manifest = await withData(context, async (database, storage) => {
    const id = await database.read((db) => workspaceOf(db, wanted))
    const work = () => exportPages({ database, storage, origin }, id, file, Date.now())
    return context.output.during(`Exporting the pages of ${id}`, work)
  })
  const { workspace, pages, databases, left_out: leftOut } = manifest
  const sources = databases.reduce((sum, { data_sources: list }) => sum + list.length, 0)
  await writeReport(report, leftOut)
  context.result({ ...workspace, file, pages: pages.length, data_sources: sources, left_out: shownOmissions(leftOut) }, () => [
    `Exported the workspace "${workspace.name ?? ''}" to ${file}: ${pages.length} pages, ${sources} data sources.`,
    '',
    ...omissionLines(leftOut),
  ])
}

/** Imports a zip file of Markdown and CSV, or resumes an interrupted import. */
export async function importArchive(context: CommandContext, file: string, options: PageImportOptions): Promise<void> {
  requireConsistentOptions(context, options)
  const [{ openArchive }, { CloneTarget }, { manifestOf, requireContent }] = await Promise.all([
    import('@workspace-service/archive/open_archive.ts'),
    import('@workspace-service/cloning/clone_target.ts'),
    import('@workspace-service/archive/import/import_pages.ts'),
  ])
  const archive = await openArchive(file)
  try {
    const manifest = await manifestOf(archive)
    if (!manifest) requireContent(archive)
    const title = options.name ?? manifest?.workspace.name ?? basename(file, extname(file))
    const parent = await parentOf(context, options)
    const target = await CloneTarget.open(context.environment)
    try {
      const outcome = await importFrom(context, { archive, target, file, title, parent }, options)
      await conclude(context, options.report, title, outcome)
    } finally {
      await target.close()
    }
  } finally {
    await archive.close()
  }
}

interface ImportRequest {
  readonly archive: ArchiveReader
  readonly target: CloneTarget
  readonly file: string
  readonly title: string
  readonly parent: { readonly workspaceId: string; readonly pageId: string | undefined } | undefined
}

async function importFrom(
  { output }: CommandContext,
  { archive, target, file, title, parent }: ImportRequest,
  { progress = `${file}.progress`, ownerName, email }: PageImportOptions,
): Promise<ImportOutcome> {
  const [{ ImportJournal }, { newHead, importAsWorkspace, importBelow }, { RefusedRequest }] = await Promise.all([
    import('@workspace-service/archive/import/import_journal.ts'),
    import('@workspace-service/archive/import/import_into.ts'),
    import('@workspace-service/cloning/clone_target.ts'),
  ])
  const journal = new ImportJournal(resolve(progress))
  const owner = ownerName !== undefined && email !== undefined ? { name: ownerName, email } : undefined
  try {
    const task = await taskOf(file, archive, title, { ...parent, ...owner })
    if (journal.head && journal.head.task !== task)
      throw new CommandError(
        `${journal.path} is the progress of another import. Choose another file with --progress, or delete it to start again.`,
      )
    if (journal.head) output.note('Resuming the interrupted import.')
    const head = journal.head ?? newHead(task, parent)
    if (!journal.head) journal.begin(head)
    const meter = output.meter('Importing')
    const [begun, onProgress] = [{ target, archive, journal, head }, (share: number) => meter.at(share)]
    const outcome = await (parent
      ? importBelow(begun, { ...parent, title }, onProgress)
      : importAsWorkspace(begun, { name: title, owner }, onProgress))
    meter.done('Imported')
    return outcome
  } catch (error) {
    if (!(error instanceof RefusedRequest)) throw error
    throw new CommandError(`The import failed: the service refused a request with ${error.status}: ${error.message}`)
  } finally {
    journal.close()
  }
}

/** Identifies the source and destination. A modified archive counts as another one. */
async function taskOf(file: string, archive: ArchiveReader, title: string, settings: object): Promise<string> {
  const { mtimeMs } = await stat(file)
  const size = archive.paths.reduce((sum, path) => sum + archive.sizeOf(path), 0)
  return JSON.stringify({ file, size, mtimeMs, title, ...settings })
}

function requireConsistentOptions(context: CommandContext, { workspace, page, ownerName, email }: PageImportOptions): void {
  const address = addressSettings(context).DATABASE_URL
  if (address.engine === 'sqlite' && address.path === ':memory:')
    throw usageError('A database in memory disappears when this command ends. Set DATABASE_URL, or --database.')
  if ((ownerName === undefined) !== (email === undefined))
    throw usageError('An owner has a name and an email address: give both --owner-name and --email.')
  const isNew = workspace === undefined && page === undefined
  if (!isNew && email !== undefined)
    throw usageError('Only a new workspace gets an owner: omit --workspace and --page, or --email.')
}

/** The destination of the import in an existing workspace; undefined for a new one. */
async function parentOf(
  context: CommandContext,
  { workspace, page }: PageImportOptions,
): Promise<{ readonly workspaceId: string; readonly pageId: string | undefined } | undefined> {
  if (workspace === undefined && page === undefined) return undefined
  return context.readIn(workspace, async (db, workspaceId) => {
    const pageId = page === undefined ? undefined : await itemNamed(db, workspaceId, page)
    return { workspaceId, pageId }
  })
}

async function conclude(
  context: CommandContext,
  report: string | undefined,
  title: string,
  outcome: ImportOutcome,
): Promise<void> {
  const { workspaceId, pageId, found, made: imported, leftOut } = outcome
  await writeReport(report, leftOut)
  const made = { workspace_id: workspaceId, page_id: pageId ?? null, ...shownCounts(imported), found: shownCounts(found) }
  context.result({ ...made, left_out: shownOmissions(leftOut) }, () => [
    `Imported ${imported.pages} pages, ${imported.dataSources} data sources, ${imported.rows} rows and ${imported.files} files.`,
    '',
    ...countLines(found, imported),
    '',
    pageId === undefined ? `  Workspace "${title}": ${workspaceId}` : `  Page "${title}": ${pageId}`,
    '',
    ...omissionLines(leftOut),
  ])
}

async function writeReport(report: string | undefined, leftOut: readonly OmittedContent[]): Promise<void> {
  if (report !== undefined) await writeFile(report, `${JSON.stringify({ left_out: leftOut }, null, 2)}\n`)
}

function shownOmissions(leftOut: readonly OmittedContent[]): { what: string; where: string; reason: string }[] {
  return leftOut.map(({ what, where, reason }) => ({ what, where, reason }))
}

function shownCounts({ dataSources, ...others }: ImportCounts): Record<string, number> {
  return { ...others, data_sources: dataSources }
}

/** Lines about contents of the archive that have not been imported. */
function countLines(found: ImportCounts, made: ImportCounts): string[] {
  const rows = COUNTED.map(([name, key]) => [name, String(found[key]), String(made[key])])
  return textTable(['WHAT', 'FOUND', 'IMPORTED'], rows, '')
}

const COUNTED = [
  ['pages', 'pages'],
  ['data sources', 'dataSources'],
  ['rows', 'rows'],
  ['files', 'files'],
  ['headings', 'headings'],
  ['pictures', 'pictures'],
  ['links', 'links'],
] as const

const ROWS_SHOWN = 20

function omissionLines(leftOut: readonly OmittedContent[]): string[] {
  if (leftOut.length === 0) return ['Nothing was left out.']
  const rows = leftOut.slice(0, ROWS_SHOWN).map(({ what, where, reason }) => [what, where, reason])
  const more = leftOut.length - rows.length
  return [
    `Left out: ${leftOut.length}`,
    '',
    ...textTable(['WHAT', 'WHERE', 'WHY'], rows, ''),
    ...(more > 0 ? [`… and ${more} more: --report writes them all to a file.`] : []),
  ]
}
