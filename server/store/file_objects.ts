import type { Connection, Transaction } from './database.ts'
import { sql } from './sql.ts'

/** Bytes in the file storage under one name. */
export interface FileObject {
  readonly workspaceId: string
  readonly id: string
}

/** Records bytes that are about to be stored. @param dropTime when they are dropped, unless `keepObject` comes first */
export async function announceObject(db: Transaction, { workspaceId, id }: FileObject, dropTime: number): Promise<void> {
  await db.run(sql`insert into file_objects (workspace_id, id, drop_time) values (${workspaceId}, ${id}, ${dropTime})`)
}

/** Records bytes that stay although they are still to be stored: those of a workspace that is being made. */
export async function recordObject(db: Transaction, { workspaceId, id }: FileObject): Promise<void> {
  await db.run(sql`insert into file_objects (workspace_id, id) values (${workspaceId}, ${id})`)
}

/** Lets an object stay. @returns false when its time was over, so that its bytes may be gone */
export async function keepObject(db: Transaction, { workspaceId, id }: FileObject, now: number): Promise<boolean> {
  const changes = await db.run(
    sql`update file_objects set drop_time = null where workspace_id = ${workspaceId} and id = ${id} and drop_time > ${now}
      and removal_failures = 0`,
  )
  return changes === 1
}

/** Lets an object go at the next sweep, whether it was kept or not. */
export async function dropObject(db: Transaction, { workspaceId, id }: FileObject, now: number): Promise<void> {
  await db.run(sql`update file_objects set drop_time = ${now} where workspace_id = ${workspaceId} and id = ${id}`)
}

/** As `dropObject`, for an object that no one has kept; one that was kept stays. */
export async function dropUnkeptObject(db: Transaction, { workspaceId, id }: FileObject, now: number): Promise<void> {
  await db.run(
    sql`update file_objects set drop_time = ${now} where workspace_id = ${workspaceId} and id = ${id} and drop_time is not null`,
  )
}

/** An object past its drop time. */
export interface DueObject extends FileObject {
  /** How often removing its bytes has failed. */
  readonly removalFailures: number
}

/** Objects past their drop time. No one can keep them any more. */
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

/** Records that the bytes of a due object could not be removed. @param retryTime when it is due again */
export async function postponeObject(db: Transaction, { workspaceId, id }: FileObject, retryTime: number): Promise<void> {
  await db.run(
    sql`update file_objects set drop_time = ${retryTime}, removal_failures = removal_failures + 1
      where workspace_id = ${workspaceId} and id = ${id}`,
  )
}

/** Forgets an object whose bytes are gone. */
export async function forgetObject(db: Transaction, { workspaceId, id }: FileObject): Promise<void> {
  await db.run(sql`delete from file_objects where workspace_id = ${workspaceId} and id = ${id}`)
}

/** Bytes that some upload consists of, wherever they are stored; undefined where none is. For checking whether they are really there. */
export async function findUsedObject(db: Connection): Promise<FileObject | undefined> {
  const row = await db.get(
    { workspace_id: 'text', id: 'text' },
    sql`select object_workspace_id as workspace_id, object_id as id from file_parts where byte_length > 0 limit 1`,
  )
  return row && { workspaceId: row.workspace_id, id: row.id }
}
