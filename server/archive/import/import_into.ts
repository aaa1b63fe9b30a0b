import { capabilityOrder } from '../../domain/actor.ts'
import { createConnection, deleteConnection } from '../../domain/administration/connections.ts'
import { deleteWorkspace } from '../../domain/administration/delete_workspace.ts'
import { createPerson } from '../../domain/administration/people.ts'
import { forgetUnfinished, markUnfinished } from '../../domain/administration/unfinished.ts'
import { createWorkspace, requireFreeName } from '../../domain/administration/workspaces.ts'
import type { Transaction } from '../../domain/database.ts'
import { share } from '../../domain/sharing.ts'
import type { CloneTarget } from '../../cloning/clone_target.ts'
import { richTextOf } from '../../domain/rich_text/from_text.ts'
import type { ZipReader } from '../zip_reader.ts'
import { importPages, type ImportedPages } from './import_pages.ts'

/** The workspace that an import makes. */
export interface NewWorkspace {
  readonly name: string
  readonly owner: { readonly name: string; readonly email: string } | undefined
}

/** A workspace that is there, and where in it the page of an import goes. */
export interface ImportParent {
  readonly workspaceId: string
  /** Undefined for the top of the workspace. */
  readonly pageId: string | undefined
  /** What is imported, as the title of that page. */
  readonly title: string
}

/** What an import has made, and where it is. */
export interface ImportOutcome extends ImportedPages {
  readonly workspaceId: string
  /** The page that holds everything; undefined if the workspace is new. */
  readonly pageId: string | undefined
}

/**
 * Imports an archive into a new workspace. If that fails, the workspace is deleted; if the process is killed, the workspace stays marked as
 * unfinished.
 */
export async function importAsWorkspace(target: CloneTarget, zip: ZipReader, wishes: NewWorkspace): Promise<ImportOutcome> {
  const { database } = target.service
  const workspaceId = await database.exclusively(async (db) => {
    const id = await createWorkspace(db, await requireFreeName(db, wishes.name), Date.now())
    await markUnfinished(db, id, 'import')
    if (wishes.owner) await createPerson(db, { workspaceId: id, ...wishes.owner, role: 'owner' }, Date.now())
    return id
  })
  try {
    const made = await asWriter(target, workspaceId, () => importPages(target, zip, { workspaceId, rootId: undefined }))
    await database.write((db) => forgetUnfinished(db, workspaceId))
    return { ...made, workspaceId, pageId: undefined }
  } catch (error) {
    await deleteWorkspace(database, workspaceId, Date.now())
    throw error
  }
}

/**
 * Imports an archive below a new page of a workspace. Until it is complete, the title of the page says so; if it fails, the page goes to the
 * trash with everything in it.
 */
export function importBelow(
  target: CloneTarget,
  zip: ZipReader,
  { workspaceId, pageId, title }: ImportParent,
): Promise<ImportOutcome> {
  return asWriter(target, workspaceId, async () => {
    const properties = (text: string): object => ({ properties: { title: richTextOf(text) } })
    const parent = pageId === undefined ? { workspace: true } : { page_id: pageId }
    const root = await target.send('createPage', { body: { parent, ...properties(`${title} (import under way)`) } })
    const rootId = String(root['id'])
    const path = { page_id: rootId }
    try {
      const made = await importPages(target, zip, { workspaceId, rootId })
      await target.send('updatePage', { path, body: properties(title) })
      return { ...made, workspaceId, pageId: rootId }
    } catch (error) {
      await target.send('updatePage', { path, body: { in_trash: true, ...properties(`${title} (import failed)`) } })
      throw error
    }
  })
}

/** Runs work with a connection that sees the whole workspace, and only exists meanwhile. */
async function asWriter<T>(target: CloneTarget, workspaceId: string, work: () => Promise<T>): Promise<T> {
  const { database } = target.service
  const { connectionId, token } = await database.write((db) => makeWriter(db, workspaceId))
  try {
    await target.enter({ source: '', workspaceId, token })
    return await work()
  } finally {
    await database.write((db) => deleteConnection(db, connectionId, Date.now()))
  }
}

async function makeWriter(db: Transaction, workspaceId: string): Promise<{ connectionId: string; token: string }> {
  const now = Date.now()
  const wishes = { workspaceId, kind: 'internal', name: 'Import', capabilities: capabilityOrder } as const
  const connection = await createConnection(db, wishes, now)
  if (connection.kind !== 'internal') throw new Error('the connection is not internal')
  const { connectionId, installationToken: token } = connection
  await share(db, workspaceId, { connectionId }, workspaceId, now)
  return { connectionId, token }
}
