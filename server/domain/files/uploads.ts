import type { FileUploadCreateRequest, FileUploadList, FileUploadObject } from '../../../generated/types.ts'
import { canonicalId, newId } from '../../kernel/ids.ts'
import { listParts } from '../../store/file_parts.ts'
import {
  findUpload,
  insertUpload,
  listUploadsFrom,
  updateUpload,
  type UploadRow,
  type UploadStatus,
} from '../../store/file_uploads.ts'
import { recordEvent } from '../events/index.ts'
import {
  invalid,
  notFound,
  badEntry,
  cutPageAtEntry,
  entryOfCursor,
  presentPaging,
  type PageRequest,
  type Scope,
  type WriteScope,
} from '../shared/index.ts'
import { requireType, completeName } from './names.ts'
import { presentUpload, statusOf, UPLOAD_LIFE_MS } from './present.ts'
import { startImport } from './start_import.ts'

/** The uploads of the caller, newest first. */
export async function listFileUploads(
  scope: Scope,
  request: PageRequest,
  status: UploadStatus | undefined,
): Promise<FileUploadList> {
  const { db, actor, now } = scope
  const start = await startOf(scope, request)
  const filter = { actorId: actor.userId, status, now }
  const page = cutPageAtEntry(await listUploadsFrom(db, actor.workspaceId, filter, start, request.pageSize + 1), request)
  return {
    object: 'list',
    type: 'file_upload',
    file_upload: {},
    results: page.items.map((row) => presentUpload(row, scope)),
    ...presentPaging(page),
  }
}

/**
 * The upload with which a page of the list starts. @throws ServiceError `validation_error` for a cursor that is not the id of an upload of
 * the caller
 */
async function startOf({ db, actor }: Scope, request: PageRequest): Promise<UploadRow | undefined> {
  const id = entryOfCursor(request)
  if (id === undefined) return undefined
  const upload = await findUpload(db, actor.workspaceId, id)
  if (upload?.actor_id !== actor.userId) throw badEntry(request)
  return upload
}

export async function retrieveFileUpload(scope: Scope, id: string): Promise<FileUploadObject> {
  return presentUpload(await requireUpload(scope, id), scope)
}

/** @throws ServiceError `object_not_found` also for uploads of other bots and members */
export async function requireUpload({ db, actor }: Pick<Scope, 'db' | 'actor'>, writtenId: string): Promise<UploadRow> {
  const id = canonicalId(writtenId)
  const row = await findUpload(db, actor.workspaceId, id)
  if (row?.actor_id !== actor.userId) throw notFound(actor, 'file upload', id)
  return row
}

/** Creates an upload. @param sourceType the content type at the address of an import, which is used if the request has none */
export async function createFileUpload(
  scope: WriteScope,
  request: FileUploadCreateRequest,
  sourceType?: string,
): Promise<FileUploadObject> {
  const { db, actor, now } = scope
  const mode = request.mode ?? 'single_part'
  const row: UploadRow = {
    id: newId(),
    actor_id: actor.userId,
    actor_kind: actor.tokenKind === 'personal' ? 'person' : 'bot',
    mode,
    status: 'pending',
    ...nameNewUpload(request, sourceType),
    content_length: null,
    parts_total: request.number_of_parts ?? null,
    parts_sent: 0,
    external_url: request.external_url ?? null,
    import_result: null,
    created_time: now,
    last_edited_time: now,
    expiry_due: now + UPLOAD_LIFE_MS,
  }
  await insertUpload(db, actor.workspaceId, row)
  if (mode === 'external_url') await startImport(scope, row.id)
  await recordEvent(scope, { type: 'file_upload.created', id: row.id })
  return presentUpload(row, scope)
}

/** The name and type of a new upload, as far as they are known. */
export function nameNewUpload(
  { filename, content_type: contentType }: FileUploadCreateRequest,
  sourceType?: string,
): Pick<UploadRow, 'filename' | 'content_type' | 'type_is_given'> {
  const given = contentType?.trim()
  const type_is_given = given === undefined ? 0 : 1
  const typePath = 'body.content_type'
  if (filename === undefined) {
    if (given !== undefined) requireType(given, typePath)
    return { filename: null, content_type: given ?? null, type_is_given }
  }
  const written = { filename, contentType: given, namePath: 'body.filename', typePath }
  const isOpen = given === undefined && sourceType !== undefined && !/\.[A-Za-z0-9]{1,10}$/.test(filename)
  const name = completeName(isOpen ? { ...written, contentType: sourceType, typePath: 'body.filename' } : written)
  return { filename: name.filename, content_type: name.contentType, type_is_given }
}

/** Combines the parts of an upload. Their sizes were checked when they were received. */
export async function completeFileUpload(scope: WriteScope, id: string): Promise<FileUploadObject> {
  const { db, actor, now } = scope
  const row = await requireUpload(scope, id)
  requirePending(row, now)
  if (row.mode !== 'multi_part') throw wrongMode(row, 'only multi-part uploads are completed')
  const parts = await listParts(db, actor.workspaceId, row.id)
  const sent = new Set(parts.map(({ number }) => number))
  const numbers = Array.from({ length: row.parts_total ?? 0 }, (_part, index) => index + 1)
  const missing = numbers.filter((number) => !sent.has(number))
  if (missing.length > 0)
    throw invalid('path.file_upload_id', `should be an upload with all of its parts: ${numbersInWords(missing)} missing`)
  const uploaded: UploadRow = { ...row, status: 'uploaded', last_edited_time: now }
  await updateUpload(db, actor.workspaceId, uploaded)
  await recordEvent(scope, { type: 'file_upload.completed', id: row.id })
  return presentUpload(uploaded, scope)
}

/** @throws ServiceError `validation_error`, with its id and status, if the upload is not pending */
export function requirePending(row: UploadRow, now: number): void {
  const status = statusOf(row, now)
  if (status !== 'pending') throw invalid('path.file_upload_id', `should be the id of a pending upload: ${row.id} is ${status}`)
}

/** The error for a request that does not fit the mode of the upload. */
export function wrongMode({ id, mode }: UploadRow, reason: string): Error {
  return invalid('path.file_upload_id', `should be another upload: the mode of ${id} is ${mode}, and ${reason}`)
}

const NUMBERS_SHOWN_MAX = 20

/** The numbers of parts in a message, such as `part 2 is` or `parts 2, 5, 6 and 40 more are`. */
function numbersInWords(numbers: readonly number[]): string {
  const shown = numbers.slice(0, NUMBERS_SHOWN_MAX).join(', ')
  const more = numbers.length - NUMBERS_SHOWN_MAX
  return numbers.length === 1 ? `part ${shown} is` : `parts ${shown}${more > 0 ? ` and ${more} more` : ''} are`
}
