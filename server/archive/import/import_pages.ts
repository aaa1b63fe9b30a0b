import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import type { CloneTarget } from '../../cloning/clone_target.ts'
import { RequestForm, type SchemaDocument } from '../../contract/request_form.ts'
import { findAccountByEmail } from '../../store/accounts.ts'
import { findEmojisByName } from '../../store/custom_emojis.ts'
import { findMember } from '../../store/members.ts'
import { folderOf } from '../archive_names.ts'
import { MANIFEST_PATH, parseManifest, type OmittedContent } from '../manifest.ts'
import type { ZipReader } from '../zip_reader.ts'
import { ArchiveFiles } from './archive_files.ts'
import { ArchiveTree, isIgnored } from './archive_tree.ts'
import type { ImportParts } from './import_parts.ts'
import { makeDatabase, makeLaterProperties, makePage, relateRow, type MadeSource } from './make_records.ts'
import { fillPage } from './page_text.ts'

/** Most bytes of a manifest: the names of some hundred thousand pages. */
const MANIFEST_BYTES_MAX = 64 * 1024 * 1024

/** Where an import goes. */
export interface ImportPlace {
  readonly workspaceId: string
  /** Undefined for the top of the workspace. */
  readonly rootId: string | undefined
}

/** What an import has made. */
export interface ImportedPages {
  readonly pages: number
  readonly dataSources: number
  readonly rows: number
  readonly files: number
  readonly leftOut: readonly OmittedContent[]
}

/** The manifest of an archive; undefined for one that another program has made. @throws AdministrationError for a damaged one */
export async function manifestOf(zip: ZipReader): Promise<ReturnType<typeof parseManifest> | undefined> {
  return zip.has(MANIFEST_PATH) ? parseManifest(await zip.text(MANIFEST_PATH, MANIFEST_BYTES_MAX)) : undefined
}

/**
 * Makes pages, data sources and files of an archive, through the API: its rules hold for whatever somebody has put into the archive.
 *
 * pages and databases → rows → properties that lead elsewhere, and their values → texts and files
 */
export async function importPages(target: CloneTarget, zip: ZipReader, place: ImportPlace): Promise<ImportedPages> {
  const manifest = await manifestOf(zip)
  const leftOut: OmittedContent[] = []
  const tree = new ArchiveTree(zip.paths, manifest, randomUUID())
  const files = await ArchiveFiles.open(target, zip, leftOut)
  const { rootId, workspaceId } = place
  const form = new RequestForm(contract())
  const origin = target.service.url
  const parts: ImportParts = {
    target,
    origin,
    zip,
    manifest,
    tree,
    files,
    form,
    rootId,
    ...lookUps(target, workspaceId),
    leftOut,
  }
  try {
    const made: MadeSource[] = []
    for (const record of tree.records) {
      if (record.kind === 'page') await makePage(parts, record)
      else made.push(...(await makeDatabase(parts, record)))
    }
    await makeLaterProperties(parts, made)
    const rows = await fillRows(parts, made)
    const pages = tree.records.flatMap((record) => (record.kind === 'page' ? [record.path] : []))
    const children = childrenByFolder(tree)
    for (const path of pages) await fillPage(parts, path, children.get(folderOf(path)) ?? [])
    noteUnused(parts)
    return { pages: pages.length, dataSources: made.length, rows, files: files.count, leftOut }
  } finally {
    await files.close()
  }
}

/** @returns how many rows there are */
async function fillRows(parts: ImportParts, made: readonly MadeSource[]): Promise<number> {
  const children = childrenByFolder(parts.tree)
  let count = 0
  for (const source of made) {
    const hasRelations = source.reader.columns.some(({ type }) => type === 'relation')
    for await (const row of source.reader.rows()) {
      count += 1
      if (hasRelations) await relateRow(parts, source, row)
      if (parts.zip.has(row.path)) await fillPage(parts, row.path, children.get(folderOf(row.path)) ?? [])
    }
  }
  return count
}

/** The pages and databases in each page, by its folder. */
function childrenByFolder({ records }: ArchiveTree): ReadonlyMap<string, readonly string[]> {
  return Map.groupBy(
    records.map(({ path }) => path),
    (path) => posix.dirname(path),
  )
}

/** Members and emojis of the workspace, looked up once each. */
function lookUps({ service: { database } }: CloneTarget, workspaceId: string): Pick<ImportParts, 'personOf' | 'emojiOf'> {
  return {
    personOf: remembering(async (email) =>
      database.read(async (db) => {
        const account = await findAccountByEmail(db, email)
        const member = account && (await findMember(db, workspaceId, account.id))
        return account && member?.left_time === null ? account.id : undefined
      }),
    ),
    emojiOf: remembering(async (name) =>
      database.read(async (db) => (await findEmojisByName(db, workspaceId, [name])).get(name)),
    ),
  }
}

/** Most answers that are remembered. */
const REMEMBERED_MAX = 10_000

function remembering(lookUp: (key: string) => Promise<string | undefined>): (key: string) => Promise<string | undefined> {
  const known = new Map<string, string | undefined>()
  return async (key) => {
    if (known.has(key)) return known.get(key)
    const found = await lookUp(key)
    if (known.size < REMEMBERED_MAX) known.set(key, found)
    return found
  }
}

/** Files that no text and no value leads to. */
function noteUnused({ zip, tree, files, leftOut }: ImportParts): void {
  for (const path of zip.paths)
    if (!isIgnored(path) && tree.kindOf(path) === undefined && !files.used.has(path))
      leftOut.push({ what: 'file', where: path, reason: 'No page leads to it.' })
}

function contract(): SchemaDocument {
  return JSON.parse(readFileSync(new URL('../../../generated/openapi.json', import.meta.url), 'utf8'))
}
