import { plainTitles } from '@workspace-service/server/domain/content/index.ts'
import type { Scope } from '@workspace-service/server/domain/shared/index.ts'
import { isBelowTrash } from '@workspace-service/server/store/access.ts'
import { findBlocks, listChildren, type Block } from '@workspace-service/server/store/blocks.ts'
import { listRecordsOn } from '@workspace-service/server/store/page_places.ts'
import { FolderNames, folderOf } from '../archive_names.ts'

export interface IndexedRecord {
  readonly id: string
  readonly kind: 'page' | 'row' | 'data_source'
  readonly title: string
  readonly path: string
  readonly time: number
  /** Only for a data source. */
  readonly database: { readonly id: string; readonly title: string } | undefined
}

/**
 * The paths of all records in an archive. It contains titles and paths but no content, and is the only part of an export whose memory grows
 * with the workspace.
 */
export class RecordIndex {
  readonly #paths = new Map<string, string>()
  /** Pages and data sources, after the records that contain them. */
  readonly records: IndexedRecord[] = []
  /** Templates of data sources, by the data source's path. */
  readonly templates = new Map<string, number>()

  /** The path of a page, row, data source or database; undefined for records outside the archive. */
  pathOf(id: string): string | undefined {
    return this.#paths.get(id)
  }

  /** The name of a row in its data source. */
  rowName(id: string): string | undefined {
    const path = this.#paths.get(id)
    return path === undefined ? undefined : folderOf(path.slice(path.lastIndexOf('/') + 1))
  }

  add(record: IndexedRecord): void {
    if (record.kind !== 'row') this.records.push(record)
    this.#paths.set(record.id, record.path)
    const { database } = record
    if (database && !this.#paths.has(database.id)) this.#paths.set(database.id, record.path)
  }
}

export const ROWS_AT_ONCE = 100

/** Lists everything outside the trash. Names depend on the tree and its order, so the same workspace gets the same paths. */
export async function indexRecords(scope: Scope): Promise<RecordIndex> {
  const index = new RecordIndex()
  await new Indexer(scope, index).below(topLevelBatches(scope), '')
  return index
}

type Batch = readonly Pick<Block, 'id' | 'type' | 'hasChildren' | 'lastEditedTime'>[]

class Indexer {
  readonly #scope: Scope
  readonly #index: RecordIndex

  constructor(scope: Scope, index: RecordIndex) {
    this.#scope = scope
    this.#index = index
  }

  /** Adds records of one folder, and everything below them. */
  async below(batches: AsyncIterable<Batch>, folder: string, isSource = false): Promise<void> {
    const names = new FolderNames()
    const open: { readonly id: string; readonly folder: string }[] = []
    for await (const batch of batches) {
      const titles = await plainTitles(
        this.#scope,
        batch.map(({ id }) => id),
      )
      for (const { id, type, hasChildren, lastEditedTime: time } of batch) {
        const title = titles.get(id) ?? ''
        if (type === 'child_database') {
          await this.#addSources({ id, title }, names, folder)
          continue
        }
        const path = `${folder}${names.take(title)}.md`
        this.#index.add({ id, kind: isSource ? 'row' : 'page', title, path, time, database: undefined })
        if (hasChildren) open.push({ id, folder: `${folderOf(path)}/` })
      }
    }
    for (const { id, folder: inner } of open) await this.below(onPage(this.#scope, id), inner)
  }

  async #addSources(
    database: { readonly id: string; readonly title: string },
    names: FolderNames,
    folder: string,
  ): Promise<void> {
    const sources: Block[] = []
    for await (const batch of childBatches(this.#scope, database.id)) sources.push(...batch)
    const titles = await plainTitles(
      this.#scope,
      sources.map(({ id }) => id),
    )
    for (const { id, lastEditedTime: time } of sources) {
      const title = titles.get(id) ?? ''
      const path = `${folder}${names.take(sources.length === 1 ? database.title : `${database.title} - ${title}`)}.csv`
      this.#index.add({ id, kind: 'data_source', title, path, time, database })
      await this.below(this.#rowsOf(id, path), `${folderOf(path)}/`, true)
    }
  }

  async *#rowsOf(sourceId: string, path: string): AsyncGenerator<Batch> {
    for await (const batch of childBatches(this.#scope, sourceId)) {
      const rows = batch.filter(isRow)
      const templates = batch.length - rows.length
      if (templates > 0) this.#index.templates.set(path, (this.#index.templates.get(path) ?? 0) + templates)
      yield rows
    }
  }
}

/** Whether a block of a data source is a row rather than a template. */
export function isRow({ parentType }: Block): boolean {
  return parentType === 'data_source_id'
}

function topLevelBatches(scope: Scope): AsyncGenerator<Batch> {
  return childBatches(scope, scope.actor.workspaceId)
}

export async function* childBatches({ db, actor }: Scope, parentId: string): AsyncGenerator<readonly Block[]> {
  let after: string | undefined
  for (;;) {
    const batch = await listChildren(db, actor.workspaceId, parentId, after, ROWS_AT_ONCE)
    if (batch.length > 0) yield batch
    after = batch.at(-1)?.rank
    if (batch.length < ROWS_AT_ONCE) return
  }
}

/** The pages and databases anywhere on a page. */
async function* onPage(scope: Scope, pageId: string): AsyncGenerator<Batch> {
  const { db, actor } = scope
  const shown: string[] = []
  for (const { id, parent_id: parentId } of await listRecordsOn(db, actor.workspaceId, pageId))
    if (parentId === pageId || !(await isBelowTrash(db, actor.workspaceId, id))) shown.push(id)
  for (let start = 0; start < shown.length; start += ROWS_AT_ONCE) {
    const ids = shown.slice(start, start + ROWS_AT_ONCE)
    const found = await findBlocks(db, actor.workspaceId, ids)
    yield ids.flatMap((id) => found.get(id) ?? [])
  }
}
