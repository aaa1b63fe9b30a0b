import type { Transaction } from './database.ts'
import { UPLOAD_COLUMNS } from './file_uploads.ts'

/**
 * Makes uploads known in another workspace too, under their ids and with the bytes that lie there already. What it knows of them
 * already stays.
 */
export async function copyUploads(
  db: Transaction,
  fromWorkspaceId: string,
  toWorkspaceId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  const wanted = db.wanted(ids)
  const uploads = db.lookUp('file_uploads', 'u', 'u.workspace_id = ? and u.id = wanted.id')
  await db.run(
    `insert into file_uploads (workspace_id, ${UPLOAD_COLUMNS})
     select w.id, ${UPLOAD_COLUMNS.replaceAll(/\w+/g, 'u.$&')} from ${wanted.table} ${uploads} cross join workspaces as w
     where w.id = ? on conflict (workspace_id, id) do nothing`,
    wanted.parameter,
    fromWorkspaceId,
    toWorkspaceId,
  )
  const parts = db.lookUpEach('file_parts', 'p', 'p.workspace_id = ? and p.upload_id = wanted.id')
  await db.run(
    `insert into file_parts (workspace_id, upload_id, number, object_workspace_id, object_id, byte_length)
     select w.id, p.upload_id, p.number, p.object_workspace_id, p.object_id, p.byte_length
     from ${wanted.table} ${parts} cross join workspaces as w
     where w.id = ? on conflict (workspace_id, upload_id, number) do nothing`,
    wanted.parameter,
    fromWorkspaceId,
    toWorkspaceId,
  )
}
