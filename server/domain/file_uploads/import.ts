import type { FileUploadCreateRequest } from '../../../generated/types.ts'
import type { Clock } from '../../kernel/clock.ts'
import { ServiceError } from '../../kernel/errors.ts'
import type { Database, Transaction } from '../../store/database.ts'
import { keepObject } from '../../store/file_objects.ts'
import { setPart, type FilePart } from '../../store/file_parts.ts'
import {
  claimImport,
  findUpload,
  hasDueImport,
  renewImport,
  updateUpload,
  type ClaimedImport,
  type UploadRow,
} from '../../store/file_uploads.ts'
import { recordEvent } from '../events/record.ts'
import { invalid } from '../failures.ts'
import { contradiction } from './detect.ts'
import { namesOf } from './uploads.ts'
import { statusOf, storedResult } from './present.ts'
import { SEND_BYTES_MAX } from './send.ts'
import { essenceOf, isSupportedType } from './types.ts'
import { SourceError, TooManyBytesError, type FileVault } from './vault.ts'

/** What another host says about a file. */
export interface RemoteFile {
  readonly contentType: string | undefined
  /** Bytes; undefined when it does not say. */
  readonly contentLength: number | undefined
}

/** Files on other hosts, of which only public ones can be reached. */
export interface RemoteFiles {
  /** Asks for a file without its bytes. @throws RemoteError */
  inspect(url: string): Promise<RemoteFile>
  /** @throws RemoteError, also while the bytes come */
  download(url: string, signal: AbortSignal): Promise<RemoteFile & { readonly bytes: AsyncIterable<Uint8Array> }>
}

/** Another host cannot be used: its message ends the sentence "The address …". */
export interface RemoteError extends Error {
  readonly name: 'RemoteError'
  readonly statusCode: number | null
}

function isRemoteError(error: unknown): error is RemoteError {
  return error instanceof Error && error.name === 'RemoteError'
}

/** What an import may fetch, and how. */
export interface ImportTerms {
  readonly remote: RemoteFiles
  /** Bytes that one file may have. */
  readonly bytesMax: number
}

const URL_PATH = 'body.external_url'

/**
 * Looks at the file that an import would fetch, before anything is written.
 * @returns its type, where the request may need it; undefined when nothing is to be imported
 * @throws ServiceError `validation_error` at `body.external_url`
 */
export async function inspectSource(
  { remote, bytesMax }: ImportTerms,
  request: FileUploadCreateRequest,
): Promise<string | undefined> {
  if (request.external_url === undefined) return undefined
  namesOf(request, 'application/pdf') // What the request alone decides is said before anybody else is asked.
  let file: RemoteFile
  try {
    file = await remote.inspect(request.external_url)
  } catch (error) {
    if (!isRemoteError(error)) throw error
    throw invalid(URL_PATH, `should be a public https url that answers: the address ${error.message}`)
  }
  const { contentType, contentLength } = file
  if (contentType === undefined) throw invalid(URL_PATH, 'should answer a HEAD request with a Content-Type')
  if (contentLength !== undefined && contentLength > bytesMax)
    throw invalid(URL_PATH, `should lead to a file of at most \`${bytesMax}\` bytes, instead it has \`${contentLength}\``)
  const type = essenceOf(contentType)
  return isSupportedType(type) ? type : undefined
}

export interface ImportParts extends ImportTerms {
  readonly database: Database
  readonly vault: FileVault
  readonly clock: Clock
  /** Told of faults that are ours. */
  onFault(error: unknown): void
}

const LEASE_MS = 60_000
const RENEWAL_MS = 20_000
const ATTEMPTS_MAX = 3

/** Takes the import that has waited longest. */
export async function nextImport({ database, clock }: ImportParts): Promise<ClaimedImport | undefined> {
  if (!(await database.read((db) => hasDueImport(db, clock.now())))) return undefined
  return database.write((db) => claimImport(db, clock.now(), clock.now() + LEASE_MS))
}

/** Fetches a file and ends its upload as `uploaded` or `failed`; one that the signal ends is left to another process. */
export async function carryOutImport(parts: ImportParts, claim: ClaimedImport, signal: AbortSignal): Promise<void> {
  const row = await parts.database.read((db) => findUpload(db, claim.workspaceId, claim.id))
  if (row?.external_url == null || statusOf(row, parts.clock.now()) !== 'pending') return
  const lost = new AbortController()
  const renewal = setInterval(() => void renew(parts, claim, lost), RENEWAL_MS)
  try {
    if (claim.attempts > ATTEMPTS_MAX) throw new Error('the service was interrupted each time it tried this')
    const fetched = await fetchAll(parts, claim, row.external_url, AbortSignal.any([signal, lost.signal]))
    const found = await contradiction(fetched.head, row.content_type ?? '')
    if (found !== undefined)
      throw new TypeMismatch(`The file should be ${row.content_type}, but its bytes are those of ${found}.`)
    await finish(parts, claim, (db, current) => keepFetched(db, claim, current, fetched.parts, parts.clock.now()))
  } catch (error) {
    if (signal.aborted || lost.signal.aborted) return
    const failure = failureOf(error, parts)
    await finish(parts, claim, async (_db, current) => ({
      ...current,
      status: 'failed',
      import_result: storedResult(parts.clock.now(), failure),
    }))
  } finally {
    clearInterval(renewal)
    // What is left of the answer, no one reads.
    lost.abort()
  }
}

async function renew({ database, clock }: ImportParts, claim: ClaimedImport, lost: AbortController): Promise<void> {
  const kept = await database.write((db) => renewImport(db, claim, clock.now() + LEASE_MS)).catch(() => claim)
  if (!kept) lost.abort()
}

interface Fetched {
  readonly parts: readonly FilePart[]
  readonly head: Uint8Array
}

/** Stores a remote file in parts, so that no single write is long. */
async function fetchAll(parts: ImportParts, claim: ClaimedImport, url: string, signal: AbortSignal): Promise<Fetched> {
  const { bytes } = await parts.remote.download(url, signal)
  const stored: FilePart[] = []
  let [head, total]: [Uint8Array, number] = [new Uint8Array(), 0]
  for await (const run of runsOf(bytes, SEND_BYTES_MAX)) {
    const { object, byteLength, head: start } = await parts.vault.store(claim.workspaceId, run, parts.bytesMax - total)
    if (!object) continue
    stored.push({ number: stored.length + 1, object, byteLength })
    if (stored.length === 1) head = start
    total += byteLength
  }
  return { parts: stored, head }
}

/** Cuts bytes into runs, each to be read to its end before the next one. There is one run at least. */
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

async function keepFetched(
  db: Transaction,
  { workspaceId, id }: ClaimedImport,
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

/** Ends an import, unless its upload has expired or another process has it now. */
async function finish(
  { database, clock }: ImportParts,
  claim: ClaimedImport,
  change: (db: Transaction, row: UploadRow) => Promise<UploadRow>,
): Promise<void> {
  await database.write(async (db) => {
    const now = clock.now()
    if (!(await renewImport(db, claim, now + LEASE_MS))) return
    const row = await findUpload(db, claim.workspaceId, claim.id)
    if (!row || statusOf(row, now) !== 'pending') return
    const changed = await change(db, row)
    const expiry_due = changed.status === 'failed' ? null : changed.expiry_due
    await updateUpload(db, claim.workspaceId, { ...changed, expiry_due, last_edited_time: now })
    const scope = { db, now, actor: { workspaceId: claim.workspaceId, userId: row.actor_id } }
    const type = changed.status === 'failed' ? 'file_upload.upload_failed' : 'file_upload.completed'
    await recordEvent(scope, { type, id: row.id })
  }, claim.workspaceId)
}

class TypeMismatch extends Error {}

type ImportError = NonNullable<Parameters<typeof storedResult>[1]>

/** What went wrong, in the contract's words. */
function failureOf(thrown: unknown, { bytesMax, onFault }: ImportParts): ImportError {
  const error = thrown instanceof SourceError ? thrown.cause : thrown
  const about = { parameter: 'external_url', status_code: null }
  if (error instanceof TooManyBytesError) {
    const message = `The file has more than ${bytesMax} bytes.`
    return { type: 'validation_error', code: 'file_upload_invalid_size', message, ...about }
  }
  if (error instanceof TypeMismatch)
    return { type: 'validation_error', code: 'file_upload_invalid_type', message: error.message, ...about }
  if (isRemoteError(error)) {
    const message = `The address ${error.message}.`
    return { type: 'download_error', code: 'file_upload_download_failed', message, ...about, status_code: error.statusCode }
  }
  onFault(thrown)
  const nothing = { parameter: null, status_code: null }
  if (error instanceof ServiceError && error.code === 'conflict_error')
    return { type: 'upload_error', code: 'file_upload_storage_failed', message: 'The file could not be stored.', ...nothing }
  return {
    type: 'internal_system_error',
    code: 'internal_server_error',
    message: 'The service failed to import this file.',
    ...nothing,
  }
}
