import { readFileSync } from 'node:fs'
import type { CloneTarget } from '@workspace-service/cloning/clone_target.ts'
import { RequestForm, type SchemaDocument } from '@workspace-service/server/contract/request_form.ts'
import { AdministrationError } from '@workspace-service/server/domain/shared/index.ts'
import { findAccountByEmail } from '@workspace-service/server/store/accounts.ts'
import { findEmojisByName } from '@workspace-service/server/store/custom_emojis.ts'
import { findMember } from '@workspace-service/server/store/members.ts'
import { hasRecord } from './has_record.ts'
import { MANIFEST_PATH, parseManifest, type OmittedContent } from '../manifest.ts'
import type { ArchiveReader } from '../archive_reader.ts'
import { PageConverter } from '../foreign/page_converter.ts'
import { NotText } from '../text_encoding.ts'
import { ArchiveFiles } from './archive_files.ts'
import type { ContentCounts } from './content_counts.ts'
import { hiddenFolderOf, isContent, isIgnored } from './archive_paths.ts'
import { ArchiveTree } from './archive_tree.ts'
import { noNotes, type ImportHead, type ImportJournal } from './import_journal.ts'
import type { CellsByHeading } from '../foreign/foreign_page.ts'
import type { ImportContext, StepContext } from './import_context.ts'
import { makeDatabase, makeLaterProperties, makePage, makeRow, relateRow, type MadeSource } from './make_records.ts'
import { fillPage } from './page_text.ts'
import { TableReader } from './table_reader.ts'
import { SerialQueue } from './serial_queue.ts'
import { runSteps } from './run_steps.ts'

/** The most bytes of a manifest: the names of some hundred thousand pages. */
const MANIFEST_BYTES_MAX = 64 * 1024 * 1024

/** Counts of an archive's contents, or of those that have been imported. */
export interface ImportCounts extends ContentCounts {
  readonly pages: number
  readonly dataSources: number
  readonly rows: number
  readonly files: number
}

export interface ImportedPages {
  readonly found: ImportCounts
  readonly made: ImportCounts
  readonly leftOut: readonly OmittedContent[]
}

/**
 * The manifest of an archive; undefined for an archive of another program.
 * @throws AdministrationError for a damaged one
 */
export async function manifestOf(archive: ArchiveReader): Promise<ReturnType<typeof parseManifest> | undefined> {
  if (!archive.has(MANIFEST_PATH)) return undefined
  try {
    return parseManifest(await archive.text(MANIFEST_PATH, MANIFEST_BYTES_MAX))
  } catch (error) {
    throw error instanceof NotText ? new AdministrationError(`${MANIFEST_PATH} is not text.`) : error
  }
}

/** @throws AdministrationError for an archive without a page or table */
export function requireContent({ paths }: Pick<ArchiveReader, 'paths'>): void {
  if (paths.some(isContent)) return
  const shown = paths.filter((path) => !isIgnored(path)).slice(0, 3)
  const found = shown.length === 0 ? 'no files' : `${paths.length} files, such as ${shown.join(', ')}`
  throw new AdministrationError(
    `Nothing can be imported: expected Markdown (.md), HTML (.html) or tables (.csv), found ${found}.`,
  )
}

/**
 * Creates the pages, data sources and files of an archive through the API, whose rules apply to everything in the archive. Steps that the
 * journal lists as finished are not repeated.
 *
 * Order: pages and databases → rows → properties that refer to others, and their values → texts and files
 * @param onProgress called with the finished share, from 0 to 1
 */
export async function importPages(
  target: CloneTarget,
  archive: ArchiveReader,
  journal: ImportJournal,
  onProgress: (share: number) => void,
): Promise<ImportedPages> {
  const head = requireHead(journal)
  const manifest = await manifestOf(archive)
  const archiveFiles = await ArchiveFiles.open(target, archive)
  let [taken, total] = [0, Infinity]
  const context: ImportContext = {
    target,
    origin: target.service.url,
    archive,
    manifest,
    tree: new ArchiveTree(archive.paths, manifest, head.seed),
    archiveFiles,
    largeTexts: new SerialQueue(),
    converter: new PageConverter(),
    form: new RequestForm(contract()),
    journal,
    rootId: head.rootId,
    ...lookUps(target, head.workspaceId),
    onSteps: (count) => onProgress((taken += count) / total),
  }
  try {
    const sources = await openTables(context)
    const rows = sources.reduce((sum, { reader }) => sum + reader.count, 0)
    const pages = context.tree.records.flatMap((record) => (record.kind === 'page' ? [record.path] : []))
    total = context.tree.records.length + 2 * rows + pages.length
    await makeRecords(context, sources)
    await makeLaterProperties(context, sources)
    await fillRecords(context, sources, pages)
    noteUnused(context)
    return outcomeOf(context, { pages: pages.length, dataSources: sources.length, rows })
  } finally {
    await context.converter.close()
    await archiveFiles.close()
  }
}

async function openTables(context: ImportContext): Promise<MadeSource[]> {
  const sources: MadeSource[] = []
  for (const record of context.tree.records)
    if (record.kind === 'database')
      for (const source of record.sources) {
        const { path } = source
        sources.push({ path, id: context.tree.sourceIdOf(path), reader: await TableReader.open(context, source) })
      }
  return sources
}

/** Creates everything that can be referred to, level by level: rows may contain pages. */
async function makeRecords(context: ImportContext, sources: readonly MadeSource[]): Promise<void> {
  const bySource = new Map(sources.map((source) => [source.path, source]))
  for (const [level, records] of Map.groupBy(context.tree.records, ({ path }) => path.split('/').length)) {
    await runSteps(context, `records ${level}`, records, (context, record) =>
      record.kind === 'page' ? makePage(context, record) : makeDatabase(context, record, bySource),
    )
    for (const { path } of records.flatMap((record) => (record.kind === 'database' ? record.sources : []))) {
      const source = bySource.get(path)
      if (source) await runSteps(context, `rows ${path}`, source.reader.rows(), (context, row) => makeRow(context, source, row))
    }
  }
}

/** Gives rows and pages the values that refer to others: relations, and texts. */
async function fillRecords(context: ImportContext, sources: readonly MadeSource[], pages: readonly string[]): Promise<void> {
  const children = childrenByParent(context.tree)
  const fill = (context: StepContext, path: string, row?: CellsByHeading): Promise<void> =>
    fillPage(context, path, children.get(path) ?? [], row)
  for (const source of sources)
    await runSteps(context, `values ${source.path}`, source.reader.rows(), async (context, row) => {
      await relateRow(context, source, row)
      if (context.archive.has(row.path)) await fill(context, row.path, source.reader.valuesOf(row))
    })
  await runSteps(context, 'texts', pages, (context, path) => fill(context, path))
}

/** The pages and databases in each page. */
function childrenByParent(tree: ArchiveTree): ReadonlyMap<string | undefined, readonly string[]> {
  return Map.groupBy(
    tree.records.map(({ path }) => path),
    (path) => tree.parentOf(path),
  )
}

/** Members and emojis of the workspace, each fetched once. */
function lookUps(target: CloneTarget, workspaceId: string): Pick<ImportContext, 'personOf' | 'emojiOf' | 'hasRecord'> {
  const { database } = target.service
  return {
    hasRecord: (id) => hasRecord(target, workspaceId, id),
    personOf: cached(async (email) =>
      database.read(async (db) => {
        const account = await findAccountByEmail(db, email)
        const member = account && (await findMember(db, workspaceId, account.id))
        return account && member?.left_time === null ? account.id : undefined
      }),
    ),
    emojiOf: cached(async (name) => database.read(async (db) => (await findEmojisByName(db, workspaceId, [name])).get(name))),
  }
}

/** The most responses that are cached. */
const REMEMBERED_MAX = 10_000

function cached(lookUp: (key: string) => Promise<string | undefined>): (key: string) => Promise<string | undefined> {
  const known = new Map<string, string | undefined>()
  return async (key) => {
    if (known.has(key)) return known.get(key)
    const found = await lookUp(key)
    if (known.size < REMEMBERED_MAX) known.set(key, found)
    return found
  }
}

/** Compares the contents of the archive with the created ones. */
function outcomeOf(
  { journal, tree, archive }: ImportContext,
  planned: Pick<ImportCounts, 'pages' | 'dataSources' | 'rows'>,
): ImportedPages {
  const { leftOut } = journal
  const refused = (kind: string): number => leftOut.filter(({ what }) => what === kind).length
  const { pages, dataSources, rows } = planned
  const files = filesOf(archive, tree)
  const leftFiles = new Set(leftOut.flatMap(({ what, where }) => (what === 'file' ? [where] : [])))
  return {
    found: { ...journal.found, ...planned, pages: pages + tree.tooDeep.length, files: files.length },
    made: {
      ...journal.made,
      pages: pages - refused('page'),
      dataSources: dataSources - refused('table that was not imported'),
      rows: rows - refused('row'),
      // Pages may share a file.
      files: files.filter((path) => !leftFiles.has(path)).length,
    },
    leftOut,
  }
}

/** Files of the archive that are neither pages nor tables, without hidden and generated ones. */
function filesOf({ paths }: ArchiveReader, tree: ArchiveTree): string[] {
  const tooDeep = new Set(tree.tooDeep)
  const isFile = (path: string): boolean => !isIgnored(path) && !tooDeep.has(path) && tree.kindOf(path) === undefined
  return paths.filter((path) => isFile(path) && hiddenFolderOf(path) === undefined)
}

/** Files that no text and no value refers to, and ignored entries. */
function noteUnused({ archive, tree, journal }: ImportContext): void {
  const unused = filesOf(archive, tree).filter((path) => !journal.usedFiles.has(path))
  const hidden = Map.groupBy(
    archive.paths.filter((path) => !isIgnored(path)),
    hiddenFolderOf,
  )
  const leftOut = [
    ...tree.tooDeep.map((path) => ({ what: 'page or table', where: path, reason: 'It is more than 100 folders deep.' })),
    ...unused.map((path) => ({ what: 'file', where: path, reason: 'No page links to it.' })),
    ...archive.skipped.map((path) => ({ what: 'link', where: path, reason: 'Symbolic links are not followed.' })),
    ...[...hidden].flatMap(([folder, paths]) =>
      folder === undefined
        ? []
        : [{ what: `folder of ${paths.length} files`, where: folder, reason: 'Its name begins with a dot: it is hidden.' }],
    ),
  ]
  if (journal.countOf('unused') > 0 || leftOut.length === 0) return
  journal.note('unused', 1, { ...noNotes, leftOut })
}

function requireHead({ head }: ImportJournal): ImportHead {
  if (!head) throw new Error('the import has not begun')
  return head
}

function contract(): SchemaDocument {
  return JSON.parse(readFileSync(new URL('../../../generated/openapi.json', import.meta.url), 'utf8'))
}
