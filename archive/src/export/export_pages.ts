import { randomBytes } from 'node:crypto'
import { newestRelease } from '../../../generated/operations.ts'
import { capabilityOrder, type Actor, type Scope } from '@workspace-service/server/domain/shared/index.ts'
import { requireWhole } from '@workspace-service/server/domain/administration/index.ts'
import { plainText, gatherFacts, type StoredRichText } from '@workspace-service/server/domain/content/index.ts'
import { Cursors, ListCursors } from '@workspace-service/server/kernel/cursors.ts'
import { FileLinks } from '@workspace-service/server/kernel/file_links.ts'
import { countUnwritten } from '@workspace-service/server/store/archive_counts.ts'
import { findBlock } from '@workspace-service/server/store/blocks.ts'
import type { Connection, Database } from '@workspace-service/server/store/database.ts'
import { findDatabases } from '@workspace-service/server/store/databases.ts'
import type { FileStorage } from '@workspace-service/server/store/files/storage.ts'
import { findPageRecords } from '@workspace-service/server/store/pages.ts'
import { findWorkspace } from '@workspace-service/server/store/workspaces.ts'
import { ARCHIVE_ORIGIN } from '../archive_names.ts'
import {
  MANIFEST_PATH,
  makeManifest,
  type ArchiveManifest,
  type OmittedContent,
  type ManifestDatabase,
  type ManifestSource,
} from '../manifest.ts'
import { ZipWriter } from '../zip_writer.ts'
import type { ExportContext } from './export_context.ts'
import { appearanceOf, OwnFiles, copyFiles, writePage } from './page_writer.ts'
import { indexRecords, type IndexedRecord } from './record_index.ts'
import { writeSource } from './source_writer.ts'

export interface ExportSource {
  readonly database: Pick<Database, 'snapshot'>
  readonly storage: FileStorage
  readonly origin: string | undefined
}

/**
 * Writes the pages, data sources and files of a workspace to a zip file: Markdown, tables, and the files unchanged, all from one snapshot.
 * The zip file gets its name when it is complete.
 * @throws AdministrationError if the workspace is incomplete
 */
export async function exportPages(
  source: ExportSource,
  workspaceId: string,
  path: string,
  now: number,
): Promise<ArchiveManifest> {
  const zip = new ZipWriter(path)
  try {
    const manifest = await source.database.snapshot(async (db) => {
      await requireWhole(db, workspaceId)
      return writeAll(source, scopeOf(db, workspaceId, now), zip)
    })
    await zip.finish()
    return manifest
  } catch (error) {
    await zip.abandon()
    throw error
  }
}

async function writeAll({ storage, origin }: ExportSource, scope: Scope, zip: ZipWriter): Promise<ArchiveManifest> {
  const { db, actor, now } = scope
  const leftOut: OmittedContent[] = []
  const context: ExportContext = { scope, storage, zip, origin, leftOut, index: await indexRecords(scope) }
  const sources = new Map<string, ManifestSource[]>()
  const pages = []
  for (const record of context.index.records) {
    if (record.database) {
      const { id } = record.database
      sources.set(id, [...(sources.get(id) ?? []), await writeSource(context, record)])
    } else {
      await writeRecordPage(context, record)
      pages.push({ path: record.path, id: record.id, title: record.title })
    }
  }
  const databases = []
  for (const [id, list] of sources) databases.push(await databaseOf(context, id, list))
  for (const { what, count } of await countUnwritten(db, actor.workspaceId))
    if (count > 0)
      leftOut.push({ what: `${count} ${what}`, where: 'the workspace', reason: 'A Markdown archive cannot contain them.' })
  const workspace = { id: actor.workspaceId, name: (await findWorkspace(db, actor.workspaceId))?.name ?? null }
  const manifest = makeManifest({ workspace, pages, databases, left_out: leftOut })
  await zip.addText(MANIFEST_PATH, `${JSON.stringify(manifest, null, 1)}\n`, now)
  return manifest
}

async function writeRecordPage(context: ExportContext, { id, path, title }: IndexedRecord): Promise<void> {
  const { db, actor } = context.scope
  const block = await findBlock(db, actor.workspaceId, id)
  const details = (await findPageRecords(db, actor.workspaceId, [id])).get(id)
  if (!block || !details) throw new Error(`page ${id} is missing`)
  await writePage(context, { block, path, title, details, files: new OwnFiles(path) })
}

async function databaseOf(context: ExportContext, id: string, list: readonly ManifestSource[]): Promise<ManifestDatabase> {
  const { db, actor } = context.scope
  const [first] = list
  const [block, details] = [
    await findBlock(db, actor.workspaceId, id),
    (await findDatabases(db, actor.workspaceId, [id])).get(id),
  ]
  if (!first || !block || !details) throw new Error(`database ${id} is missing`)
  const files = new OwnFiles(first.path)
  const appearance = await appearanceOf(context, first.path, details, files)
  await copyFiles(
    context,
    files,
    block.lastEditedTime,
    (what, reason) => void context.leftOut.push({ what, where: first.path, reason }),
  )
  return {
    id,
    title: await plainTextOf(context.scope, block.content['title']),
    description: await plainTextOf(context.scope, details.description),
    is_inline: details.isInline,
    ...appearance,
    data_sources: list,
  }
}

async function plainTextOf(scope: Scope, stored: unknown): Promise<string> {
  return plainText((stored ?? []) as StoredRichText, await gatherFacts(scope, [stored]))
}

/** An actor who sees the whole workspace and changes nothing. */
function scopeOf(db: Connection, workspaceId: string, now: number): Scope {
  const actor: Actor = {
    workspaceId,
    userId: workspaceId,
    personId: undefined,
    connectionId: undefined,
    connectionName: undefined,
    tokenKind: 'installation',
    capabilities: new Set(capabilityOrder),
    rateLimit: undefined,
    callsApi: false,
    seesWholeWorkspace: true,
    memberLevel: undefined,
  }
  // Any secret will do: an export contains no cursors or signed links.
  const secret = randomBytes(32)
  return {
    db,
    actor,
    now,
    baseUrl: ARCHIVE_ORIGIN,
    cursors: new ListCursors(new Cursors(secret), [], () => [], now),
    version: newestRelease,
    files: { bytesMax: 0, links: new FileLinks(secret), brand: 'Service' },
  }
}
