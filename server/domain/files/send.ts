import type { FileUploadObject } from '../../../generated/types.ts'
import { ServiceError } from '../../kernel/errors.ts'
import { canonicalId } from '../../kernel/ids.ts'
import type { Connection } from '../../store/database.ts'
import { dropObject, keepObject } from '../../store/file_objects.ts'
import { findPart, setPart } from '../../store/file_parts.ts'
import { findUpload, updateUpload, type UploadRow } from '../../store/file_uploads.ts'
import { invalid, type Actor, type WriteScope } from '../shared/index.ts'
import { recordEvent } from '../events/index.ts'
import { contradiction } from './detect.ts'
import { requireType, completeName } from './names.ts'
import { presentUpload, statusOf } from './present.ts'
import { essenceOf, typesOf, extensionOf } from './types.ts'
import { requirePending, requireUpload, wrongMode } from './uploads.ts'
import type { StoredBytes } from './vault.ts'

export interface ReceivedFile extends StoredBytes {
  readonly filename: string | undefined
  /** The content type of the part; undefined if it has none. */
  readonly contentType: string | undefined
}

interface SentForm {
  readonly file: ReceivedFile
  readonly part_number?: string
}

const MEBIBYTE = 1024 * 1024
/** The maximum size of one request, in bytes. */
export const SEND_BYTES_MAX = 20 * MEBIBYTE
const PART_BYTES_MIN = 5 * MEBIBYTE
const FILE = 'body.file'

/** Whether the bytes that are sent for an upload must be stored. If not, checking the request will throw the error. */
export async function takesBytes(db: Connection, actor: Actor, uploadId: string, now: number): Promise<boolean> {
  const row = await findUpload(db, actor.workspaceId, canonicalId(uploadId))
  return row?.actor_id === actor.userId && row.mode !== 'external_url' && statusOf(row, now) === 'pending'
}

/** Adds bytes that have been stored to an upload: a file, or a part of one. */
export async function sendFileUpload(scope: WriteScope, id: string, form: SentForm): Promise<FileUploadObject> {
  const row = await requireUpload(scope, id)
  requirePending(row, scope.now)
  if (row.mode === 'external_url') throw wrongMode(row, 'the service itself fetches its bytes')
  const number = requireNumber(row, form.part_number)
  const { file } = form
  const { filename, content_type } = nameOfUpload(row, file)
  if (number === 1) await requireHonest(file, content_type)
  requireSize(row, number, file.byteLength)

  const { db, actor, now } = scope
  const earlier = await findPart(db, actor.workspaceId, row.id, number)
  const length = (row.content_length ?? 0) - (earlier?.byteLength ?? 0) + file.byteLength
  if (length > scope.files.bytesMax)
    throw invalid(FILE, `should not make the file longer than \`${scope.files.bytesMax}\` bytes; it would have \`${length}\``)
  const { object } = file
  if (!object || !(await keepObject(db, object, now))) throw transferExpired()
  if (earlier) await dropObject(db, earlier.object, now)
  await setPart(db, actor.workspaceId, row.id, { number, object, byteLength: file.byteLength })
  const sent: UploadRow = {
    ...row,
    filename,
    content_type,
    status: row.mode === 'single_part' ? 'uploaded' : 'pending',
    content_length: length,
    parts_sent: row.parts_sent + (earlier ? 0 : 1),
    last_edited_time: now,
  }
  await updateUpload(db, actor.workspaceId, sent)
  if (sent.status === 'uploaded') await recordEvent(scope, { type: 'file_upload.completed', id: row.id })
  return presentUpload(sent, scope)
}

/** @returns the number of the part; 1 for a file in a single part */
function requireNumber({ mode, parts_total: total }: UploadRow, written: string | undefined): number {
  const path = 'body.part_number'
  if (mode === 'single_part') {
    if (written !== undefined) throw invalid(path, 'should be not present: this is a single-part upload')
    return 1
  }
  if (written === undefined) throw invalid(path, `should be the number of the part, from \`1\` to \`${total}\``)
  const number = Number(written)
  if (number > (total ?? 0)) throw invalid(path, `should be ≤ \`${total}\`, instead was \`${number}\``)
  return number
}

/** The name and type of the upload. If they were set when the upload was created, they take precedence over the file's. */
function nameOfUpload(row: UploadRow, file: ReceivedFile): Pick<UploadRow, 'filename' | 'content_type'> {
  const sent = sentType(row, file)
  if (row.mode !== 'single_part') return { filename: row.filename, content_type: row.content_type }
  if (row.filename !== null) return { filename: row.filename, content_type: betterType(row, row.filename, sent) }
  const written = { filename: file.filename, contentType: row.content_type ?? sent, namePath: FILE, typePath: FILE }
  const { filename, contentType } = completeName(written)
  return { filename, content_type: contentType }
}

/**
 * The better type for an upload. An extension may have several types, such as `.mp4`. If only the extension is known, the file's own type
 * is preferred.
 */
function betterType({ content_type, type_is_given }: UploadRow, filename: string, sent: string | undefined): string | null {
  if (type_is_given === 1 || sent === undefined) return content_type
  if (!(typesOf(extensionOf(filename) ?? '') ?? []).includes(essenceOf(sent)))
    throw invalid(FILE, `should have a type that fits the name of the upload, instead was ${essenceOf(sent)}`)
  return sent
}

/** The type in the form; a generic type counts as none. @throws ServiceError if it differs from the declared type */
function sentType({ content_type: expected, type_is_given }: UploadRow, file: ReceivedFile): string | undefined {
  const sent = file.contentType?.trim()
  if (sent === undefined || sent === '' || essenceOf(sent) === 'application/octet-stream') return undefined
  if (type_is_given === 1 && expected !== null && essenceOf(sent) !== essenceOf(expected))
    throw invalid(FILE, `should have the type that the upload was created with, ${expected}, instead was ${essenceOf(sent)}`)
  if (expected === null) requireType(sent, FILE)
  return sent
}

/** @throws ServiceError if the first bytes of the file contradict its type */
async function requireHonest(file: ReceivedFile, contentType: string | null): Promise<void> {
  const found = contentType === null ? undefined : await contradiction(file.head, contentType)
  if (found !== undefined) throw invalid(FILE, `should be ${contentType}, but its bytes are those of ${found}`)
}

function requireSize({ mode, parts_total: total }: UploadRow, number: number, byteLength: number): void {
  if (mode === 'multi_part' && number !== total && byteLength < PART_BYTES_MIN) {
    throw invalid(FILE, `should be ≥ \`${PART_BYTES_MIN}\` bytes, unless it is the last part, instead was \`${byteLength}\``)
  }
}

/** The error if the upload, or the reservation of its stored bytes, expired during the transfer. */
function transferExpired(): ServiceError {
  return new ServiceError('conflict_error', {
    message: 'The upload changed while these bytes were sent. They were discarded; send them again.',
  })
}
