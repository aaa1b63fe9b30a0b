import type { Transaction } from './database.ts'
import { uploadRow } from './file_uploads.ts'
import { columnNames } from './row_shape.ts'
import { sql } from './sql.ts'

/** Copies uploads to another workspace under the same ids. The copies refer to the same bytes; existing copies stay unchanged. */
export async function copyUploads(
  db: Transaction,
  fromWorkspaceId: string,
  toWorkspaceId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  const wanted = db.wanted(ids)
  const uploads = db.lookUp('file_uploads', 'u', sql`u.workspace_id = ${fromWorkspaceId} and u.id = wanted.id`)
  await db.run(
    sql`insert into file_uploads (workspace_id, ${columnNames(uploadRow)})
      select w.id, ${columnNames(uploadRow, 'u')} from ${wanted} ${uploads} cross join workspaces as w
      where w.id = ${toWorkspaceId} on conflict (workspace_id, id) do nothing`,
  )
  const parts = db.lookUpEach('file_parts', 'p', sql`p.workspace_id = ${fromWorkspaceId} and p.upload_id = wanted.id`)
  await db.run(
    sql`insert into file_parts (workspace_id, upload_id, number, object_workspace_id, object_id, byte_length)
     select w.id, p.upload_id, p.number, p.object_workspace_id, p.object_id, p.byte_length
     from ${wanted} ${parts} cross join workspaces as w
     where w.id = ${toWorkspaceId} on conflict (workspace_id, upload_id, number) do nothing`,
  )
}
