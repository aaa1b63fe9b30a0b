import type { Connection, Transaction } from './database.ts'
import type { FileObject } from './file_objects.ts'
import { rowOf, type RowOf } from './row_shape.ts'

/** A run of bytes of an upload. Its file is the bytes of all parts in the order of their numbers. */
export interface FilePart {
  readonly number: number
  readonly object: FileObject
  readonly byteLength: number
}

const partRow = rowOf({
  number: 'integer',
  object_workspace_id: 'text',
  object_id: 'text',
  byte_length: 'integer',
})
type PartRow = RowOf<typeof partRow>

const COLUMNS = 'number, object_workspace_id, object_id, byte_length'

function partOf(row: PartRow): FilePart {
  return {
    number: row.number,
    object: { workspaceId: row.object_workspace_id, id: row.object_id },
    byteLength: row.byte_length,
  }
}

export async function findPart(
  db: Connection,
  workspaceId: string,
  uploadId: string,
  number: number,
): Promise<FilePart | undefined> {
  const row = await db.get(
    partRow,
    `select ${COLUMNS} from file_parts where workspace_id = ? and upload_id = ? and number = ?`,
    workspaceId,
    uploadId,
    number,
  )
  return row && partOf(row)
}

/** All parts of an upload in order: at most 10,000. */
export async function listParts(db: Connection, workspaceId: string, uploadId: string): Promise<FilePart[]> {
  const rows = await db.all(
    partRow,
    `select ${COLUMNS} from file_parts where workspace_id = ? and upload_id = ? order by number`,
    workspaceId,
    uploadId,
  )
  return rows.map(partOf)
}

/** Sets a part, in place of an earlier one of its number. */
export async function setPart(
  db: Transaction,
  workspaceId: string,
  uploadId: string,
  { number, object, byteLength }: FilePart,
): Promise<void> {
  await db.run(
    `insert into file_parts (workspace_id, upload_id, ${COLUMNS}) values (?, ?, ?, ?, ?, ?)
     on conflict (workspace_id, upload_id, number) do update set
       object_workspace_id = excluded.object_workspace_id, object_id = excluded.object_id, byte_length = excluded.byte_length`,
    workspaceId,
    uploadId,
    number,
    object.workspaceId,
    object.id,
    byteLength,
  )
}

/** Deletes the bytes of an upload: its parts at once, what they are kept in at the next sweep. */
export async function deleteParts(db: Transaction, workspaceId: string, uploadId: string, now: number): Promise<void> {
  await db.run(
    `update file_objects set drop_time = ? where workspace_id = ? and id in (
       select object_id from file_parts where workspace_id = ? and upload_id = ? and object_workspace_id = ?)`,
    now,
    workspaceId,
    workspaceId,
    uploadId,
    workspaceId,
  )
  await db.run('delete from file_parts where workspace_id = ? and upload_id = ?', workspaceId, uploadId)
}
