import type { FileUploadCreateRequest } from '../../../generated/types.ts'
import { ServiceError } from '../../kernel/errors.ts'
import type { Transaction } from '../../store/database.ts'
import { keepObject } from '../../store/file_objects.ts'
import { setPart, type FilePart } from '../../store/file_parts.ts'
import { findUpload, updateUpload, type UploadRow } from '../../store/file_uploads.ts'
import { recordEvent } from '../events/index.ts'
import { invalid, whileExtending, type Attempt, type Job, type JobKind, type JobDeps } from '../shared/index.ts'
import { contradiction } from './detect.ts'
import { isRemoteFileError, type ImportTerms, type RemoteFile } from './import_terms.ts'
import { nameNewUpload } from './uploads.ts'
import { statusOf, storedResult } from './present.ts'
import { SEND_BYTES_MAX } from './send.ts'
import { FILE_IMPORT, type ImportPayload } from './start_import.ts'
import { essenceOf, isSupportedType } from './types.ts'
import { SourceError, TooManyBytesError, type FileVault } from './vault.ts'

/** The codes of errors of `FileVault.store`. */
const STORAGE_CODES: ReadonlySet<string> = new Set(['conflict_error', 'service_unavailable'])
const URL_PATH = 'body.external_url'

/**
 * Inspects the file that an import would fetch, before anything is stored.
 * @returns its type, if the request may need it; undefined if nothing is imported
 * @throws ServiceError `validation_error` at `body.external_url`
 */
export async function inspectSource(
  { remote, bytesMax }: ImportTerms,
  request: FileUploadCreateRequest,
): Promise<string | undefined> {
  if (request.external_url === undefined) return undefined
  nameNewUpload(request, 'application/pdf') // Report errors of the request itself before requesting anything from another host.
  let file: RemoteFile
  try {
    file = await remote.inspect(request.external_url)
  } catch (error) {
    if (!isRemoteFileError(error)) throw error
    throw invalid(URL_PATH, `should be a public https url that responds: the address ${error.message}`)
  }
  const { contentType, contentLength } = file
  if (contentType === undefined) throw invalid(URL_PATH, 'should respond to a HEAD request with a Content-Type')
  if (contentLength !== undefined && contentLength > bytesMax)
    throw invalid(
      URL_PATH,
      `should be the address of a file of at most \`${bytesMax}\` bytes, instead it has \`${contentLength}\``,
    )
  const type = essenceOf(contentType)
  return isSupportedType(type) ? type : undefined
}

interface ImportDeps extends Pick<JobDeps, 'database' | 'now' | 'onFault'> {
  readonly vault: FileVault
  readonly files: ImportTerms
}

const LEASE_MS = 60_000

/** The kind of jobs that import files. Only interrupted imports are retried: an error of the other host is final. */
export function fileImportKind(deps: ImportDeps): JobKind {
  return {
    name: FILE_IMPORT,
    pauses: [1_000, 10_000],
    leaseMilliseconds: LEASE_MS,
    atOnce: 4,
    run: (job, attempt) => runImport(deps, refOf(job), attempt),
    died: (db, job, error) => settle(deps, refOf(job), db, failing(deps, error)),
  }
}

interface UploadRef {
  readonly workspaceId: string
  readonly id: string
}

function refOf({ workspaceId, payload }: Job): UploadRef {
  const { id } = payload as ImportPayload
  if (workspaceId === null) throw new Error('an import without a workspace')
  return { workspaceId, id }
}

/**
 * Fetches a file and ends its upload as `uploaded` or `failed`. An import that is aborted by the signal is left to another
 * process.
 */
async function runImport(deps: ImportDeps, upload: UploadRef, attempt: Attempt): Promise<void> {
  const row = await deps.database.read((db) => findUpload(db, upload.workspaceId, upload.id))
  if (row?.external_url == null || statusOf(row, deps.now()) !== 'pending') return
  const { external_url: url } = row
  const over = new AbortController()
  const signal = AbortSignal.any([attempt.signal, over.signal])
  try {
    const fetched = await whileExtending(attempt, LEASE_MS, () => fetchAll(deps, upload, url, signal))
    const found = await contradiction(fetched.head, row.content_type ?? '')
    if (found !== undefined)
      throw new TypeMismatch(`The file should be ${row.content_type}, but its bytes are those of ${found}.`)
    const keep =
      (db: Transaction): Change =>
      (current) =>
        storeFetched(db, upload, current, fetched.parts, deps.now())
    await attempt.finish((db) => settle(deps, upload, db, keep(db)))
  } catch (error) {
    if (attempt.signal.aborted) return
    const change = failing(deps, error)
    await attempt.finish((db) => settle(deps, upload, db, change))
  } finally {
    // The rest of the response is not needed.
    over.abort()
  }
}

interface Fetched {
  readonly parts: readonly FilePart[]
  readonly head: Uint8Array
}

/** Stores a remote file in parts, so that no single write takes long. */
async function fetchAll(deps: ImportDeps, { workspaceId }: UploadRef, url: string, signal: AbortSignal): Promise<Fetched> {
  const { remote, bytesMax } = deps.files
  const { bytes } = await remote.download(url, signal)
  const stored: FilePart[] = []
  let [head, total]: [Uint8Array, number] = [new Uint8Array(), 0]
  for await (const run of runsOf(bytes, SEND_BYTES_MAX)) {
    const { object, byteLength, head: start } = await deps.vault.store(workspaceId, run, bytesMax - total)
    if (!object) continue
    stored.push({ number: stored.length + 1, object, byteLength })
    if (stored.length === 1) head = start
    total += byteLength
  }
  return { parts: stored, head }
}

/** Splits a stream into chunks of limited size. Read each chunk before requesting the next one. There is at least one chunk. */
async function* runsOf(
  bytes: AsyncIterable<Uint8Array>,
  runBytes: number,
): AsyncGenerator<AsyncIterable<Uint8Array>, void, undefined> {
  const source = bytes[Symbol.asyncIterator]()
  let rest: Uint8Array | undefined
  let isOver = false
  async function* run(): AsyncGenerator<Uint8Array, void, undefined> {
    for (let room = runBytes; room > 0;) {
      const chunk = rest ?? (await next())
      if (chunk === undefined) return
      rest = chunk.byteLength > room ? chunk.subarray(room) : undefined
      const piece = chunk.subarray(0, room)
      room -= piece.byteLength
      yield piece
    }
  }
  async function next(): Promise<Uint8Array | undefined> {
    const { done, value } = await source.next()
    if (done) isOver = true
    return done ? undefined : value
  }
  do {
    yield run()
    rest ??= isOver ? undefined : await next()
  } while (rest !== undefined)
}

async function storeFetched(
  db: Transaction,
  { workspaceId, id }: UploadRef,
  row: UploadRow,
  fetched: readonly FilePart[],
  now: number,
): Promise<UploadRow> {
  for (const part of fetched) {
    if (!(await keepObject(db, part.object, now))) throw new Error('the bytes of an import were dropped before it ended')
    await setPart(db, workspaceId, id, part)
  }
  return {
    ...row,
    status: 'uploaded',
    content_length: fetched.reduce((sum, { byteLength }) => sum + byteLength, 0),
    import_result: storedResult(now),
  }
}

type Change = (row: UploadRow) => Promise<UploadRow>

function failing(deps: ImportDeps, error: unknown): Change {
  const failure = failureOf(error, deps)
  return async (row) => ({ ...row, status: 'failed', import_result: storedResult(deps.now(), failure) })
}

/** Ends the upload of an import, unless it has expired. */
async function settle(deps: ImportDeps, { workspaceId, id }: UploadRef, db: Transaction, change: Change): Promise<void> {
  const now = deps.now()
  const row = await findUpload(db, workspaceId, id)
  if (!row || statusOf(row, now) !== 'pending') return
  const changed = await change(row)
  const expiry_due = changed.status === 'failed' ? null : changed.expiry_due
  await updateUpload(db, workspaceId, { ...changed, expiry_due, last_edited_time: now })
  const type = changed.status === 'failed' ? 'file_upload.upload_failed' : 'file_upload.completed'
  await recordEvent({ db, now, actor: { workspaceId, userId: row.actor_id } }, { type, id })
}

class TypeMismatch extends Error {}

type ImportError = NonNullable<Parameters<typeof storedResult>[1]>

/** A failure in the form of the contract. */
function failureOf(thrown: unknown, { files: { bytesMax }, onFault }: ImportDeps): ImportError {
  const error = thrown instanceof SourceError ? thrown.cause : thrown
  const about = { parameter: 'external_url', status_code: null }
  if (error instanceof TooManyBytesError) {
    const message = `The file has more than ${bytesMax} bytes.`
    return { type: 'validation_error', code: 'file_upload_invalid_size', message, ...about }
  }
  if (error instanceof TypeMismatch)
    return { type: 'validation_error', code: 'file_upload_invalid_type', message: error.message, ...about }
  if (isRemoteFileError(error)) {
    const message = `The address ${error.message}.`
    return { type: 'download_error', code: 'file_upload_download_failed', message, ...about, status_code: error.statusCode }
  }
  if (error instanceof ServiceError && error.code === 'row_limit_exceeded')
    return { type: 'validation_error', code: 'file_upload_quota_exceeded', message: error.message, ...about, parameter: null }
  onFault(thrown)
  const nothing = { parameter: null, status_code: null }
  if (error instanceof ServiceError && STORAGE_CODES.has(error.code))
    return { type: 'upload_error', code: 'file_upload_storage_failed', message: 'The file could not be stored.', ...nothing }
  return {
    type: 'internal_system_error',
    code: 'internal_server_error',
    message: 'The service failed to import this file.',
    ...nothing,
  }
}
