import type { FileTarget } from '../../kernel/file_links.ts'
import type { Connection } from '../../store/database.ts'
import { listParts, type FilePart } from '../../store/file_parts.ts'
import { findUpload } from '../../store/file_uploads.ts'

export interface StoredDownload {
  readonly filename: string
  readonly contentType: string
  readonly byteLength: number
  readonly parts: readonly FilePart[]
}

/** The file of a signed link; undefined if it no longer exists. */
export async function findDownload(db: Connection, { workspaceId, id }: FileTarget): Promise<StoredDownload | undefined> {
  const row = await findUpload(db, workspaceId, id)
  if (row?.status !== 'uploaded') return undefined
  const parts = await listParts(db, workspaceId, id)
  return {
    filename: row.filename ?? 'file',
    contentType: row.content_type ?? 'application/octet-stream',
    byteLength: parts.reduce((sum, part) => sum + part.byteLength, 0),
    parts,
  }
}

/** Types that browsers display without running scripts. All others are sent as attachments. */
const SHOWN: ReadonlySet<string> = new Set([
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/apng',
  'image/avif',
  'image/bmp',
  'image/webp',
  'image/heic',
  'image/tiff',
  'image/vnd.microsoft.icon',
  'text/plain',
])

/** @param type in lower case, without parameters */
export function isShown(type: string): boolean {
  return SHOWN.has(type) || type.startsWith('audio/') || type.startsWith('video/') || type === 'application/mp4'
}
