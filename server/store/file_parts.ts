import type { Connection, Transaction } from './database.ts'
import type { FileObject } from './file_objects.ts'
import { rowOf, type RowOf } from './row_shape.ts'
import { sql } from './sql.ts'

/** A part of an upload. The file consists of the bytes of all parts in the order of their numbers. */
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

const COLUMNS = sql`number, object_workspace_id, object_id, byte_length`

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
    sql`select ${COLUMNS} from file_parts where workspace_id = ${workspaceId} and upload_id = ${uploadId} and number = ${number}`,
  )
  return row && partOf(row)
}

/** All parts of an upload, at most 10,000, in order. */
export async function listParts(db: Connection, workspaceId: string, uploadId: string): Promise<FilePart[]> {
  const rows = await db.all(
    partRow,
    sql`select ${COLUMNS} from file_parts where workspace_id = ${workspaceId} and upload_id = ${uploadId} order by number`,
  )
  return rows.map(partOf)
}

/** Stores a part. It replaces an earlier part with the same number. */
export async function setPart(
  db: Transaction,
  workspaceId: string,
  uploadId: string,
  { number, object, byteLength }: FilePart,
): Promise<void> {
  await db.run(
    sql`insert into file_parts (workspace_id, upload_id, ${COLUMNS}) values (${workspaceId}, ${uploadId}, ${number},
      ${object.workspaceId}, ${object.id}, ${byteLength}) on conflict (workspace_id, upload_id, number) do update
      set object_workspace_id = excluded.object_workspace_id, object_id = excluded.object_id, byte_length = excluded.byte_length`,
  )
}

/** Deletes the parts of an upload and marks their objects for deletion by the next sweep. */
export async function deleteParts(db: Transaction, workspaceId: string, uploadId: string, now: number): Promise<void> {
  await db.run(
    sql`update file_objects set drop_time = ${now} where workspace_id = ${workspaceId} and id in (
       select object_id from file_parts where workspace_id = ${workspaceId} and upload_id = ${uploadId}
       and object_workspace_id = ${workspaceId})`,
  )
  await db.run(sql`delete from file_parts where workspace_id = ${workspaceId} and upload_id = ${uploadId}`)
}

/** The parts of all workspaces that are not empty, in batches of at most `limit`. Several parts may refer to one object. */
export async function* eachPart(db: Connection, limit: number): AsyncGenerator<readonly FilePart[], void, undefined> {
  const shape = { ...partRow, workspace_id: 'text', upload_id: 'text' } as const
  for (let last: RowOf<typeof shape> | undefined; ;) {
    const later = last
      ? sql`and (workspace_id, upload_id, number) > (${last.workspace_id}, ${last.upload_id}, ${last.number})`
      : sql``
    const rows = await db.all(
      shape,
      sql`select workspace_id, upload_id, ${COLUMNS} from file_parts where byte_length > 0 ${later}
        order by workspace_id, upload_id, number limit ${limit}`,
    )
    if (rows.length > 0) yield rows.map(partOf)
    if (rows.length < limit) return
    last = rows.at(-1)
  }
}
