import type { Database, Transaction } from '../../store/database.ts'
import { dropObject } from '../../store/file_objects.ts'
import { deleteInstanceValue, instanceValue } from '../../store/instance.ts'
import { listConnections } from '../../store/connections.ts'
import {
  deleteOrphanedAccounts,
  deleteRows,
  deleteWorkspaceRow,
  listObjectsAfter,
  objectsUsedElsewhere,
  workspaceTables,
} from '../../store/workspace_rows.ts'
import { setSuspended } from '../../store/workspaces.ts'
import { deleteConnection } from './connections.ts'
import { forgetUnfinished, markUnfinished } from './unfinished.ts'

/** Rows deleted in one transaction, during which other transactions wait. */
const PORTION = 500

/**
 * Deletes a workspace with everything in it, in several transactions, and the accounts of people who belong to no other
 * workspace. The workspace is suspended first. After an interruption, the deletion can be started again. The bytes of its files
 * are deleted by the next sweep of the service, except those that are also part of files of other workspaces.
 * @param finish called at the end of the last transaction
 */
export async function deleteWorkspace(
  database: Database,
  workspaceId: string,
  now: number,
  finish?: (db: Transaction) => Promise<void>,
): Promise<void> {
  await database.write(async (db) => {
    await markUnfinished(db, workspaceId, 'deletion')
    await setSuspended(db, workspaceId, now)
  })
  for (const { id } of await database.read((db) => listConnections(db, workspaceId)))
    await database.write((db) => deleteConnection(db, id, now))
  await dropFiles(database, workspaceId, now)
  await inPortions(database, (db) => deleteOrphanedAccounts(db, workspaceId, PORTION))
  const tables = await workspaceTables(database)
  // Jobs first, so that no more of them start.
  const jobs = tables.filter(({ name }) => name === 'jobs')
  for (const table of [...jobs, ...tables]) await inPortions(database, (db) => deleteRows(db, table, workspaceId, PORTION))
  // Requests that had started before the suspension may have written in the meantime.
  await database.write(async (db) => {
    for (const table of tables) while ((await deleteRows(db, table, workspaceId, PORTION)) > 0);
    await deleteWorkspaceRow(db, workspaceId)
    await forgetWorkspace(db, workspaceId)
    await finish?.(db)
  }, workspaceId)
}

/** Releases the bytes that belong only to this workspace. */
async function dropFiles(database: Database, workspaceId: string, now: number): Promise<void> {
  const needed = await database.read((db) => objectsUsedElsewhere(db, workspaceId))
  for (let after = ''; ;) {
    const ids = await database.read((db) => listObjectsAfter(db, workspaceId, after, PORTION))
    if (ids.length === 0) return
    await database.write(async (db) => {
      for (const id of ids) if (!needed.has(id)) await dropObject(db, { workspaceId, id }, now)
    })
    after = ids.at(-1) ?? ''
  }
}

async function inPortions(database: Database, work: (db: Transaction) => Promise<number>): Promise<void> {
  while ((await database.write(work)) > 0);
}

/** Allows the next start on this database to create a demo workspace again, if there is no other workspace. */
async function forgetWorkspace(db: Transaction, workspaceId: string): Promise<void> {
  await forgetUnfinished(db, workspaceId)
  if ((await instanceValue(db, 'demo workspace')) !== workspaceId) return
  await deleteInstanceValue(db, 'demo workspace')
  await deleteInstanceValue(db, 'sample page')
}
