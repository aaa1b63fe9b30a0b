import type { Connection, Transaction } from './database.ts'
import { sql } from './sql.ts'

export interface FileObject {
  readonly workspaceId: string
  readonly id: string
}

/** Records an object that is about to be stored. @param dropTime when it is deleted, unless `keepObject` is called earlier */
export async function announceObject(db: Transaction, { workspaceId, id }: FileObject, dropTime: number): Promise<void> {
  await db.run(sql`insert into file_objects (workspace_id, id, drop_time) values (${workspaceId}, ${id}, ${dropTime})`)
}

/**
 * Records an object that is about to be stored, and keeps it: it belongs to a workspace that is being imported. A process that was killed
 * may have recorded it already.
 */
export async function recordObject(db: Transaction, { workspaceId, id }: FileObject): Promise<void> {
  await db.run(sql`insert into file_objects (workspace_id, id) values (${workspaceId}, ${id}) on conflict do nothing`)
}

/** Keeps an announced object. @returns false if its drop time has passed, so that its bytes may be gone */
export async function keepObject(db: Transaction, { workspaceId, id }: FileObject, now: number): Promise<boolean> {
  const changes = await db.change(
    sql`update file_objects set drop_time = null where workspace_id = ${workspaceId} and id = ${id} and drop_time > ${now}
      and removal_failures = 0`,
  )
  return changes === 1
}

/** Marks an object for deletion by the next sweep, whether it was kept or not. */
export async function dropObject(db: Transaction, { workspaceId, id }: FileObject, now: number): Promise<void> {
  await db.run(sql`update file_objects set drop_time = ${now} where workspace_id = ${workspaceId} and id = ${id}`)
}

/** Like `dropObject`, unless the object was kept. */
export async function dropUnlessKept(db: Transaction, { workspaceId, id }: FileObject, now: number): Promise<void> {
  await db.run(
    sql`update file_objects set drop_time = ${now} where workspace_id = ${workspaceId} and id = ${id} and drop_time is not null`,
  )
}

export interface DueObject extends FileObject {
  /** The number of failed attempts to delete its bytes. */
  readonly removalFailures: number
}

/** The objects past their drop time, which can no longer be kept, the earliest first. */
export async function listDueObjects(db: Connection, now: number, limit: number): Promise<DueObject[]> {
  const rows = await db.all(
    { workspace_id: 'text', id: 'text', removal_failures: 'integer' },
    sql`select workspace_id, id, removal_failures from file_objects where drop_time <= ${now} order by drop_time limit ${limit}`,
  )
  return rows.map(({ workspace_id: workspaceId, id, removal_failures: removalFailures }) => ({
    workspaceId,
    id,
    removalFailures,
  }))
}

/** Records that the bytes of a due object could not be deleted. @param retryTime when to try again */
export async function postponeObject(db: Transaction, { workspaceId, id }: FileObject, retryTime: number): Promise<void> {
  await db.run(
    sql`update file_objects set drop_time = ${retryTime}, removal_failures = removal_failures + 1
      where workspace_id = ${workspaceId} and id = ${id}`,
  )
}

/** Deletes the record of an object whose bytes have been deleted. */
export async function deleteObjectRecord(db: Transaction, { workspaceId, id }: FileObject): Promise<void> {
  await db.run(sql`delete from file_objects where workspace_id = ${workspaceId} and id = ${id}`)
}

/** Any one object to which an upload refers, for checking whether the storage contains it, or undefined. */
export async function findUsedObject(db: Connection): Promise<FileObject | undefined> {
  const row = await db.get(
    { workspace_id: 'text', id: 'text' },
    sql`select object_workspace_id as workspace_id, object_id as id from file_parts where byte_length > 0 limit 1`,
  )
  return row && { workspaceId: row.workspace_id, id: row.id }
}
