import { randomUUID } from 'node:crypto'
import {
  capabilityOrder,
  AdministrationError,
  newSecret,
  type Transaction,
} from '@workspace-service/server/domain/shared/index.ts'
import {
  createConnection,
  deleteConnection,
  deleteWorkspace,
  createPerson,
  forgetUnfinished,
  markUnfinished,
  createWorkspace,
  recordCommand,
  requireFreeName,
} from '@workspace-service/server/domain/administration/index.ts'
import { share } from '@workspace-service/server/domain/people/index.ts'
import type { CloneTarget } from '@workspace-service/cloning/clone_target.ts'
import { richTextOf } from '@workspace-service/server/domain/content/index.ts'
import { newId } from '@workspace-service/server/kernel/ids.ts'
import { findConnection } from '@workspace-service/server/store/connections.ts'
import { findWorkspace } from '@workspace-service/server/store/workspaces.ts'
import type { ArchiveReader } from '../archive_reader.ts'
import type { ImportHead, ImportJournal } from './import_journal.ts'
import { hasRecord } from './has_record.ts'
import { importPages, type ImportedPages } from './import_pages.ts'

/** The workspace that an import creates. */
export interface NewWorkspace {
  readonly name: string
  readonly owner: { readonly name: string; readonly email: string } | undefined
}

/** The destination of an import in an existing workspace. */
export interface ImportParent {
  readonly workspaceId: string
  /** Undefined for the top of the workspace. */
  readonly pageId: string | undefined
  /** The title of the new page, which names the archive. */
  readonly title: string
}

export interface ImportOutcome extends ImportedPages {
  readonly workspaceId: string
  /** The page that contains everything; undefined if the workspace is new. */
  readonly pageId: string | undefined
}

/** An import that has begun, in this process or in one that was killed. */
export interface BegunImport {
  readonly target: CloneTarget
  readonly archive: ArchiveReader
  readonly journal: ImportJournal
  readonly head: ImportHead
}

/**
 * Ids of the first records of an import. They are noted in advance, so that the next process finds everything that a killed one has
 * created.
 */
export function newHead(task: string, parent: Pick<ImportParent, 'workspaceId'> | undefined): ImportHead {
  const place = parent ? { workspaceId: parent.workspaceId, rootId: randomUUID() } : { workspaceId: newId() }
  return { task, seed: randomUUID(), ...place, connectionId: newId(), token: newSecret('itk') }
}

/**
 * Creates the first records of an import, unless they exist.
 * @throws AdministrationError if that is impossible; then nothing has begun
 */
async function begin(
  { target, journal, head }: BegunImport,
  makeWorkspace: (db: Transaction) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const { database } = target.service
  if (journal.countOf('begun') > 0) {
    if (await database.read((db) => findWorkspace(db, head.workspaceId))) return
    throw new AdministrationError(
      `${journal.path} belongs to an import into a workspace that does not exist here. Delete that file to start again.`,
    )
  }
  try {
    await database.exclusively(async (db) => {
      if (await findConnection(db, head.connectionId)) return
      await makeWorkspace(db)
      await makeWriter(db, head)
      await recordImport(db, head)
    })
  } catch (error) {
    if (error instanceof AdministrationError) journal.remove()
    throw error
  }
  journal.note('begun', 1)
}

async function makeWorkspaceOf(db: Transaction, id: string, { name, owner }: NewWorkspace): Promise<void> {
  const now = Date.now()
  const workspaceId = await createWorkspace(db, await requireFreeName(db, name), now, id)
  await markUnfinished(db, workspaceId, 'import')
  if (owner) await createPerson(db, { workspaceId, ...owner, role: 'owner' }, now)
}

/**
 * Imports an archive as a new workspace, which is marked as unfinished until the import ends. If the import fails, the workspace is
 * deleted.
 * @throws AdministrationError if the name exists already
 */
export async function importAsWorkspace(
  begun: BegunImport,
  settings: NewWorkspace,
  onProgress: (share: number) => void,
): Promise<ImportOutcome> {
  const { target, archive, journal, head } = begun
  const { database } = target.service
  const { workspaceId } = head
  await begin(begun, (db) => makeWorkspaceOf(db, workspaceId, settings))
  try {
    await target.enter({ ...head, source: head.task })
    const made = await importPages(target, archive, journal, onProgress)
    await database.write((db) => forgetUnfinished(db, workspaceId))
    await end(begun)
    return { ...made, workspaceId, pageId: undefined }
  } catch (error) {
    journal.remove()
    await deleteWorkspace(database, workspaceId, Date.now())
    throw error
  }
}

/**
 * Imports an archive below a new page of a workspace. Until the import is complete, the page's title says that it is unfinished. If the
 * import fails, the page and everything in it go to the trash.
 */
export async function importBelow(
  begun: BegunImport,
  { pageId, title }: ImportParent,
  onProgress: (share: number) => void,
): Promise<ImportOutcome> {
  const { target, archive, journal, head } = begun
  const { workspaceId, rootId = '' } = head
  const properties = (text: string): object => ({ properties: { title: richTextOf(text) } })
  const parent = pageId === undefined ? { workspace: true } : { page_id: pageId }
  const path = { page_id: rootId }
  await begin(begun)
  try {
    await target.enter({ ...head, source: head.task })
    const body = { parent, ...properties(`${title} (import under way)`) }
    if (!(journal.isResumed && (await hasRecord(target, workspaceId, rootId))))
      await target.send('createPage', { body, ids: { block: [rootId] } })
    try {
      const made = await importPages(target, archive, journal, onProgress)
      await target.send('updatePage', { path, body: properties(title) })
      return { ...made, workspaceId, pageId: rootId }
    } catch (error) {
      await target.send('updatePage', { path, body: { in_trash: true, ...properties(`${title} (import failed)`) } })
      throw error
    }
  } finally {
    await end(begun)
  }
}

/** Ends an import and removes its connection. */
async function end({ target, journal, head }: BegunImport): Promise<void> {
  journal.remove()
  await target.service.database.write((db) => deleteConnection(db, head.connectionId, Date.now()), head.workspaceId)
}

function recordImport(db: Transaction, { workspaceId, rootId }: ImportHead): Promise<void> {
  const object = rootId === undefined ? { type: 'workspace', id: workspaceId } : { type: 'page', id: rootId }
  return recordCommand(db, { workspaceId, action: 'workspace import', object }, Date.now())
}

/** Creates the connection that writes, and that sees the whole workspace. */
async function makeWriter(db: Transaction, { workspaceId, connectionId, token }: ImportHead): Promise<void> {
  const now = Date.now()
  const settings = {
    workspaceId,
    kind: 'internal',
    name: 'Import',
    // Written content is not read back: a long page would be read again with each of its parts.
    capabilities: capabilityOrder.filter((capability) => capability !== 'read_content'),
    id: connectionId,
    token,
  } as const
  await createConnection(db, settings, now)
  await share(db, workspaceId, { connectionId }, workspaceId, now)
}
