import { writeFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import type { ImportOutcome } from '../archive/import/import_into.ts'
import type { OmittedContent } from '../archive/manifest.ts'
import { addressSettings, workspaceOf, type CommandContext } from './command_context.ts'
import { usageError } from './exit_codes.ts'
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
}

/** Exports the pages of a workspace to a zip file. */
export async function writePages(
  context: CommandContext,
  wanted: string,
  file: string,
  report: string | undefined,
): Promise<void> {
  const { exportPages } = await import('../archive/export/export_pages.ts')
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

/** Imports a zip file of Markdown and CSV. */
export async function readPages(context: CommandContext, file: string, options: PageImportOptions): Promise<void> {
  requireSense(context, options)
  const [{ ZipReader }, { CloneTarget }, { manifestOf }, { importAsWorkspace, importBelow }] = await Promise.all([
    import('../archive/zip_reader.ts'),
    import('../cloning/clone_target.ts'),
    import('../archive/import/import_pages.ts'),
    import('../archive/import/import_into.ts'),
  ])
  const zip = await ZipReader.open(file)
  try {
    const title = options.name ?? (await manifestOf(zip))?.workspace.name ?? basename(file, extname(file))
    const parent = await parentOf(context, options)
    const target = await CloneTarget.open(context.environment)
    try {
      const { ownerName, email } = options
      const owner = ownerName !== undefined && email !== undefined ? { name: ownerName, email } : undefined
      const work = () =>
        parent ? importBelow(target, zip, { ...parent, title }) : importAsWorkspace(target, zip, { name: title, owner })
      await conclude(context, options.report, title, await context.output.during(`Importing ${file}`, work))
    } finally {
      await target.close()
    }
  } finally {
    zip.close()
  }
}

function requireSense(context: CommandContext, { workspace, page, ownerName, email }: PageImportOptions): void {
  const address = addressSettings(context).DATABASE_URL
  if (address.engine === 'sqlite' && address.path === ':memory:')
    throw usageError('A database in memory disappears when this command ends. Set DATABASE_URL, or --database.')
  if ((ownerName === undefined) !== (email === undefined))
    throw usageError('An owner has a name and an e-mail address: --owner-name and --email go together.')
  const isNew = workspace === undefined && page === undefined
  if (!isNew && email !== undefined)
    throw usageError('Only a new workspace gets an owner: leave out --workspace and --page, or --email.')
}

/** Where the import goes in a workspace that is there; undefined for a new one. */
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
  const { workspaceId, pageId, pages, dataSources, rows, files, leftOut } = outcome
  await writeReport(report, leftOut)
  const made = { workspace_id: workspaceId, page_id: pageId ?? null, pages, data_sources: dataSources, rows, files }
  context.result({ ...made, left_out: shownOmissions(leftOut) }, () => [
    `Imported ${pages} pages, ${dataSources} data sources, ${rows} rows and ${files} files.`,
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
