import type { Transaction } from '../../store/database.ts'
import { deleteParts } from '../../store/file_parts.ts'
import { recordEvent } from '../events/index.ts'
import { findUpload, listOverdueUploads, updateUpload } from '../../store/file_uploads.ts'

/** Marks uploads as expired and deletes their bytes. @returns the number of uploads */
export async function expireUploads(db: Transaction, now: number, limit: number): Promise<number> {
  const overdue = await listOverdueUploads(db, now, limit)
  for (const { workspaceId, id } of overdue) {
    const row = await findUpload(db, workspaceId, id)
    if (!row || row.expiry_due === null) continue
    await deleteParts(db, workspaceId, id, now)
    await updateUpload(db, workspaceId, { ...row, status: 'expired', last_edited_time: row.expiry_due, expiry_due: null })
    await recordEvent({ db, now, actor: { workspaceId, userId: row.actor_id } }, { type: 'file_upload.expired', id })
  }
  return overdue.length
}
