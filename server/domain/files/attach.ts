import { findUploads, keepUpload, type UploadRow } from '../../store/file_uploads.ts'
import { invalid, notFound, type Scope, type WriteScope } from '../shared/index.ts'
import { statusOf } from './present.ts'
import type { FileFact } from './stored.ts'
import { fitsUse, type FileUse } from './types.ts'
import { reportDamage } from '../../store/stored/damage.ts'

/** An upload that a request attaches. */
export interface WantedUpload {
  /** The id in its stored form. */
  readonly id: string
  /** The path of the id in the request. */
  readonly path: string
  /** The kinds of files that are accepted at this path. */
  readonly use: FileUse
  /** Whether the record already contains the upload, in another place. */
  readonly isPresent?: boolean
}

/**
 * Attaches uploads. Each must exist, belong to the caller and have an accepted type. Attached uploads never expire and can be
 * attached again.
 * @throws ServiceError `object_not_found`; `validation_error` at the path of the first upload that does not fit
 */
export async function attachUploads(scope: WriteScope, wanted: readonly WantedUpload[]): Promise<void> {
  if (wanted.length === 0) return
  const { db, actor, now } = scope
  const found = await findWanted(scope, wanted)
  for (const upload of wanted) requireAttachable(scope, upload, found.get(upload.id), now)
  for (const { id, expiry_due: due } of found.values()) if (due !== null) await keepUpload(db, actor.workspaceId, id)
}

/** @throws ServiceError `object_not_found` for the first upload that does not exist or belong to the caller */
export async function requireUploads(scope: WriteScope, wanted: readonly WantedUpload[]): Promise<void> {
  if (wanted.length === 0) return
  const found = await findWanted(scope, wanted)
  for (const upload of wanted) requireOwn(scope, upload, found.get(upload.id))
}

function findWanted({ db, actor }: WriteScope, wanted: readonly WantedUpload[]): Promise<Map<string, UploadRow>> {
  return findUploads(db, actor.workspaceId, [...new Set(wanted.map(({ id }) => id))])
}

function requireOwn({ actor }: WriteScope, { id, isPresent = false }: WantedUpload, row: UploadRow | undefined): UploadRow {
  if (!row || (row.actor_id !== actor.userId && !isPresent)) throw notFound(actor, 'file upload', id)
  return row
}

const WORDS: Readonly<Record<FileUse, string>> = {
  image: 'an image file',
  audio: 'an audio file',
  video: 'a video file',
  pdf: 'a pdf file',
  html: 'an HTML file',
  recording: 'an audio or video file or a transcript',
  any: 'a file',
}

function requireAttachable(scope: WriteScope, wanted: WantedUpload, found: UploadRow | undefined, now: number): void {
  const { id, path, use } = wanted
  const row = requireOwn(scope, wanted, found)
  const status = statusOf(row, now)
  if (status !== 'uploaded') throw invalid(path, `should be the id of an uploaded file: the file upload ${id} is ${status}`)
  if (!fitsUse(row.content_type ?? '', use))
    throw invalid(path, `should be the id of ${WORDS[use]}: ${id} is ${row.content_type}`)
}

type FileScope = Pick<Scope, 'db' | 'actor' | 'now' | 'baseUrl' | 'files'>

/** Files in stored content, by id, with links that are valid for one hour. */
export async function findFiles(scope: FileScope, ids: ReadonlySet<string>): Promise<Map<string, FileFact>> {
  const { db, actor, now, baseUrl, files } = scope
  const rows = await findUploads(db, actor.workspaceId, [...ids])
  return new Map(
    [...ids].map((id) => {
      const row = rows.get(id)
      // Files in stored content are never deleted. A link to a missing file does not work.
      if (!row) reportDamage({ place: 'file_uploads', id, expected: 'a row with this id' })
      const name = row?.filename ?? 'file'
      const link = files.links.sign(baseUrl, { workspaceId: actor.workspaceId, id }, name, now)
      return [id, { name, contentType: row?.content_type ?? 'application/octet-stream', link }]
    }),
  )
}

/** The file of a link that was issued to the workspace and is still valid; undefined for any other address. */
export function fileOfLink({ actor, now, baseUrl, files }: Omit<FileScope, 'db'>, url: string): string | undefined {
  if (!url.startsWith(`${baseUrl}/`)) return undefined
  const [path = '', query = ''] = url.slice(baseUrl.length).split('?', 2)
  const target = files.links.open(path, new URLSearchParams(query), now)
  return target?.workspaceId === actor.workspaceId ? target.id : undefined
}
