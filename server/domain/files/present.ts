import type { FileUploadObject } from '../../../generated/types.ts'
import { toTimestamp } from '../../kernel/clock.ts'
import type { UploadRow, UploadStatus } from '../../store/file_uploads.ts'
import type { Scope } from '../shared/index.ts'
import { readNullableJson } from '../../store/stored/read_json.ts'

/** How long an upload that is not attached is kept. */
export const UPLOAD_LIFE_MS = 60 * 60 * 1000

/** The status of an upload. It counts as expired from its expiry time, even before its expiry is stored. */
export function statusOf({ status, expiry_due: due }: UploadRow, now: number): UploadStatus {
  return due !== null && due <= now && status !== 'failed' ? 'expired' : status
}

/** An upload in responses. */
export function presentUpload(row: UploadRow, { now, baseUrl }: Pick<Scope, 'now' | 'baseUrl'>): FileUploadObject {
  const status = statusOf(row, now)
  const address = `${baseUrl}/v1/file_uploads/${row.id}`
  const isPending = status === 'pending'
  const importResult = readNullableJson('file_uploads.import_result', row.id, row.import_result) as ImportResult | null
  return {
    object: 'file_upload',
    id: row.id,
    created_time: toTimestamp(row.created_time),
    created_by: { id: row.actor_id, type: row.actor_kind },
    last_edited_time: toTimestamp(status === row.status ? row.last_edited_time : (row.expiry_due ?? row.last_edited_time)),
    in_trash: false,
    expiry_time: expiryTime(row, status),
    status,
    filename: row.filename,
    content_type: row.content_type,
    content_length: row.content_length,
    ...(isPending ? { upload_url: `${address}/send` } : {}),
    ...(isPending && row.mode === 'multi_part' && row.parts_sent > 0 ? { complete_url: `${address}/complete` } : {}),
    ...(row.parts_total === null ? {} : { number_of_parts: { total: row.parts_total, sent: row.parts_sent } }),
    ...(importResult === null ? {} : { file_import_result: importResult }),
  }
}

function expiryTime(row: UploadRow, status: UploadStatus): string | null {
  if (status === 'failed') return toTimestamp(row.created_time + UPLOAD_LIFE_MS)
  return status === 'expired' || row.expiry_due === null ? null : toTimestamp(row.expiry_due)
}

type ImportResult = NonNullable<FileUploadObject['file_import_result']>

/** The result of an import, in the form in which it is stored. */
export function storedResult(now: number, error?: Extract<ImportResult, { type: 'error' }>['error']): string {
  const imported_time = toTimestamp(now).replace('Z', '+00:00')
  const result: ImportResult =
    error === undefined ? { imported_time, type: 'success', success: {} } : { imported_time, type: 'error', error }
  return JSON.stringify(result)
}
