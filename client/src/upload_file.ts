import type { FileUploadObject } from '../../generated/types.ts'
import type { WorkspaceClient } from './client.ts'
import { InvalidCallError, WorkspaceServiceError } from './errors.ts'
import type { CallOptions } from './options.ts'

const MIB = 2 ** 20
/** The largest file or part that one request can contain. */
const PART_BYTES_MAX = 20 * MIB
/** Parts of a larger file, which need less memory and repeat less after a failure. */
const PART_BYTES = 10 * MIB

/** A file, bytes, or, where there is a file system, the path of a file. A stream of more than 20 MiB needs the option `bytes`. */
export type UploadSource = Blob | string | AsyncIterable<Uint8Array<ArrayBuffer>>

export interface UploadOptions extends CallOptions {
  /** Default: the name of the `File`, or the last part of the path. */
  readonly filename?: string
  /** Default: the type of the `Blob`, or what the service derives from the name. */
  readonly contentType?: string
  /** Size of a stream. */
  readonly bytes?: number
  /** The number of parts that are sent at the same time. Default: 3. */
  readonly concurrency?: number
  readonly onProgress?: (progress: UploadProgress) => void
  /** The progress of an earlier upload of the same file, which continues. */
  readonly resume?: UploadProgress
}

/** How much of a file has been sent. It can be stored as JSON, to continue with `resume`. */
export interface UploadProgress {
  readonly id: string
  readonly sentBytes: number
  /** Undefined for a stream of unknown size. */
  readonly totalBytes: number | undefined
  /** The numbers of the parts that have been sent. */
  readonly sentParts: readonly number[]
}

/** A part of a file could not be sent; `cause` is the reason. Upload the file again with `resume: error.progress`. */
export class UploadInterruptedError extends WorkspaceServiceError {
  override readonly name = 'UploadInterruptedError'
  readonly code = 'upload_interrupted'
  readonly progress: UploadProgress

  constructor(progress: UploadProgress, cause: unknown) {
    const message = `The upload ${progress.id} was interrupted after ${progress.sentBytes} bytes.`
    const { request, requestId, isRetryable }: Partial<WorkspaceServiceError> =
      cause instanceof WorkspaceServiceError ? cause : {}
    super(message, { cause, request, requestId, ...(isRetryable !== undefined && { isRetryable }) })
    this.progress = progress
  }
}

/**
 * Uploads a file: in one request, or in parts if it has more than 20 MiB.
 * @throws UploadInterruptedError if only some parts were sent
 */
export async function uploadFile(
  client: WorkspaceClient,
  source: UploadSource,
  options: UploadOptions = {},
): Promise<FileUploadObject> {
  const file = typeof source === 'string' ? await openPath(source) : source
  const { filename = nameOf(source), contentType, onProgress: _report, resume, bytes, concurrency: _number, ...call } = options
  const total = file instanceof Blob ? file.size : bytes
  const content_type = contentType ?? (file instanceof Blob && file.type !== '' ? file.type : undefined)
  const names = { ...(filename !== undefined && { filename }), ...(content_type !== undefined && { content_type }) }
  if (total !== undefined && total > PART_BYTES_MAX) {
    const number_of_parts = Math.ceil(total / PART_BYTES)
    const begin = { mode: 'multi_part' as const, filename: filename ?? 'file', ...names, number_of_parts }
    const id = resume?.id ?? (await client.fileUploads.create(begin, call)).id
    return sendParts(client, file, { id, total, options, call })
  }
  const whole = file instanceof Blob ? file : await collected(file)
  const { id } = await client.fileUploads.create(names, call)
  const sent = await client.fileUploads.send({ file_upload_id: id, file: new File([whole], filename ?? 'file', whole) }, call)
  options.onProgress?.({ id, sentBytes: whole.size, totalBytes: whole.size, sentParts: [] })
  return sent
}

interface Upload {
  readonly id: string
  readonly total: number
  readonly options: UploadOptions
  readonly call: CallOptions
}

async function sendParts(
  client: WorkspaceClient,
  file: Blob | AsyncIterable<Uint8Array<ArrayBuffer>>,
  upload: Upload,
): Promise<FileUploadObject> {
  const { id, total, options, call } = upload
  const sent = new Set(options.resume?.sentParts)
  const sizeOf = (number: number): number => Math.min(PART_BYTES, total - (number - 1) * PART_BYTES)
  const progress = (): UploadProgress => {
    const sentParts = [...sent].toSorted((a, b) => a - b)
    return { id, sentParts, totalBytes: total, sentBytes: sentParts.reduce((sum, number) => sum + sizeOf(number), 0) }
  }
  const parts = file instanceof Blob ? partsOfBlob(file) : partsOfStream(file)
  // The senders share the parts: each takes the next one when it is free.
  const sendSome = async (): Promise<void> => {
    for await (const { number, part } of parts) {
      if (sent.has(number)) continue
      await client.fileUploads.send({ file_upload_id: id, file: part, part_number: String(number) }, call)
      sent.add(number)
      options.onProgress?.(progress())
    }
  }
  const senders = await Promise.allSettled(Array.from({ length: options.concurrency ?? 3 }, sendSome))
  const failed = senders.find((sender) => sender.status === 'rejected')
  if (failed) throw new UploadInterruptedError(progress(), failed.reason)
  return client.fileUploads.complete({ file_upload_id: id }, call)
}

interface Part {
  readonly number: number
  readonly part: Blob
}

async function* partsOfBlob(file: Blob): AsyncGenerator<Part, void, undefined> {
  for (let at = 0; at < file.size; at += PART_BYTES)
    yield { number: at / PART_BYTES + 1, part: file.slice(at, at + PART_BYTES, file.type) }
}

async function* partsOfStream(stream: AsyncIterable<Uint8Array<ArrayBuffer>>): AsyncGenerator<Part, void, undefined> {
  let [rest, number] = [new Blob([]), 1]
  for await (const chunk of stream) {
    rest = new Blob([rest, chunk])
    for (; rest.size >= PART_BYTES; number += 1) {
      yield { number, part: rest.slice(0, PART_BYTES) }
      rest = rest.slice(PART_BYTES)
    }
  }
  if (rest.size > 0) yield { number, part: rest }
}

/** @throws InvalidCallError for a stream that is too long for one request */
async function collected(stream: AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for await (const chunk of stream) {
    chunks.push(chunk)
    size += chunk.byteLength
    if (size > PART_BYTES_MAX) throw new InvalidCallError('A stream of more than 20 MiB needs the option `bytes`.')
  }
  return new Blob(chunks)
}

function nameOf(source: UploadSource): string | undefined {
  if (typeof source === 'string') return source.split(/[\\/]/).at(-1)
  return source instanceof File ? source.name : undefined
}

interface FileSystem {
  openAsBlob(path: string): Promise<Blob>
}

/** @throws InvalidCallError where there is no file system */
async function openPath(path: string): Promise<Blob> {
  // Asked at run time, because bundlers for browsers refuse imports of `node:fs`.
  const { process }: { process?: { getBuiltinModule?: (name: string) => FileSystem | undefined } } = globalThis as object
  const files = process?.getBuiltinModule?.('node:fs')
  if (!files) throw new InvalidCallError('This runtime cannot open a file by its path: pass a File or Blob.')
  return files.openAsBlob(path)
}
