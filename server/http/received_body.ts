import { awaitBody } from './admission.ts'
import type { Request, Response } from 'express'
import { JSON_BODY_BYTES_MAX } from '../kernel/json_body_limit.ts'
import type { Operation } from '../contract/operation.ts'
import type { Actor } from '../domain/actor.ts'
import { invalid } from '../domain/failures.ts'
import { SEND_BYTES_MAX, takesBytes, type ReceivedFile } from '../domain/file_uploads/send.ts'
import { SourceError, TooManyBytesError, type FileVault } from '../domain/file_uploads/vault.ts'
import { oneSpelling } from '../kernel/ids.ts'
import type { Database } from '../domain/database.ts'
import type { RenderedAnswer } from './answer.ts'
import { receiveJsonBody } from './json_body.ts'
import type { JsonObject } from '../versions/index.ts'
import { formDigest, receiveMultipart, type MultipartForm, type TakeFile } from './multipart_form.ts'
import { jsonBodyIdentity } from '../application/keyed_request.ts'

/** The complete body of a request. */
export interface ReceivedBody {
  /** What is validated against the contract; undefined if the operation takes no body. */
  readonly fields: JsonObject | undefined
  /** Files of a form, by part name. */
  readonly files: Readonly<Record<string, ReceivedFile>>
  /** The same for equal bodies; undefined if the operation takes no body. */
  identity(): { readonly mediaType: string; readonly digest: string } | undefined
  /** Performs the request; deletes the stored files if that fails, or if its answer repeats an earlier one. */
  consume(perform: () => Promise<RenderedAnswer>): Promise<RenderedAnswer>
}

interface ReceiveParts {
  readonly database: Database
  readonly vault: FileVault
}

interface ReceivedRequest {
  readonly operation: Operation
  readonly request: Request
  readonly response: Response
  readonly actor: Actor
  readonly path: Readonly<Record<string, string>>
  readonly now: number
}

export const MULTIPART_TYPE = 'multipart/form-data'
/** Names of the form parts that are files. */
export const FILE_PARTS = ['file']

/** Receives the body of a request, JSON or a form as its operation takes it. @throws ServiceError for a body that is not well-formed */
export async function receiveBody(parts: ReceiveParts, received: ReceivedRequest): Promise<ReceivedBody> {
  const { operation, request, response } = received
  if (operation.requestTypes.length === 0) return NO_BODY
  if (operation.requestTypes.includes(MULTIPART_TYPE)) return receiveForm(parts, received)
  const fields = await receiveJsonBody(request, response)
  return { fields, files: {}, identity: () => jsonBodyIdentity(fields), consume: (perform) => perform() }
}

export const NO_BODY: ReceivedBody = {
  fields: undefined,
  files: {},
  identity: () => undefined,
  consume: (perform) => perform(),
}

/**
 * Receives the form of a file upload. The file goes straight to the storage; if the upload cannot take it, the file is read only to find out
 * whether it is valid.
 */
async function receiveForm({ database, vault }: ReceiveParts, received: ReceivedRequest): Promise<ReceivedBody> {
  const { operation, request, response, actor, path, now } = received
  const uploadId = path['file_upload_id'] ?? ''
  const isStored =
    oneSpelling(uploadId).length === UUID_LENGTH && (await database.read((db) => takesBytes(db, actor, uploadId, now)))
  const stored: ReceivedFile[] = []
  const discard = async (): Promise<void> => {
    for (const { object } of stored) if (object) await vault.abandon(object)
  }
  const take: TakeFile<ReceivedFile> = async (header, bytes) => {
    const file = { ...header, ...(await receiveFile(vault, isStored ? actor.workspaceId : undefined, bytes)) }
    stored.push(file)
    return file
  }
  const read = async (): Promise<MultipartForm<ReceivedFile>> => {
    try {
      return await receiveMultipart(request, { bytesMax: operation.bodyLimit, fileNames: FILE_PARTS }, take)
    } catch (error) {
      await discard()
      throw error
    }
  }
  let reading: Promise<unknown> | undefined
  const form = await awaitBody(response, (onBytes) => {
    // The file is streamed: it never takes more memory than the largest JSON body.
    onBytes(JSON_BODY_BYTES_MAX)
    const form = read()
    reading = form
    return form
  }).catch((error: unknown) => {
    // Reading continues after the wait has failed, and may still store the file.
    reading?.then(discard).catch(() => undefined)
    throw error
  })
  return {
    ...form,
    identity: () => ({ mediaType: MULTIPART_TYPE, digest: formDigest(form) }),
    consume: (perform) => performOrDiscard(perform, discard),
  }
}

const UUID_LENGTH = 36

/** @param workspaceId undefined if the file is not to be stored */
async function receiveFile(
  vault: FileVault,
  workspaceId: string | undefined,
  bytes: AsyncIterable<Uint8Array>,
): ReturnType<FileVault['look']> {
  try {
    return await (workspaceId === undefined ? vault.look(bytes, SEND_BYTES_MAX) : vault.store(workspaceId, bytes, SEND_BYTES_MAX))
  } catch (error) {
    if (error instanceof TooManyBytesError) throw invalid('body.file', `should be at most \`${SEND_BYTES_MAX}\` bytes long`)
    if (error instanceof SourceError) throw invalid('body.file', 'should be complete')
    throw error
  }
}

async function performOrDiscard(perform: () => Promise<RenderedAnswer>, discard: () => Promise<void>): Promise<RenderedAnswer> {
  try {
    const answer = await perform()
    if (answer.headers['Idempotency-Replayed'] !== undefined) await discard()
    return answer
  } catch (error) {
    await discard()
    throw error
  }
}

/** @throws ServiceError `validation_error` for a form without a file */
export function requireFiles(operation: Operation, { files }: Pick<MultipartForm<object>, 'files'>): void {
  if (operation.requestTypes.includes(MULTIPART_TYPE) && files['file'] === undefined)
    throw invalid('body.file', 'should be a file, with its name and its bytes')
}
