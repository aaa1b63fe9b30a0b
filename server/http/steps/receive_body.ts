import type { Call } from '../../application/call.ts'
import { jsonBodyIdentity } from '../../application/keyed_request.ts'
import { invalid, type Actor, type Database } from '../../domain/shared/index.ts'
import {
  SEND_BYTES_MAX,
  takesBytes,
  SourceError,
  TooManyBytesError,
  type ReceivedFile,
  type FileVault,
} from '../../domain/files/index.ts'
import { oneSpelling } from '../../kernel/ids.ts'
import { JSON_BODY_BYTES_MAX } from '../../kernel/json_body_limit.ts'
import type { Response } from '../../kernel/response.ts'
import { awaitBody } from '../admission.ts'
import { FILE_PARTS, MULTIPART_TYPE } from '../form_parts.ts'
import type { HttpContext } from '../http_context.ts'
import { receiveJsonBody } from '../json_body.ts'
import { formDigest, receiveMultipart, type MultipartForm, type TakeFile } from '../multipart_form.ts'
import type { Step } from './step.ts'

interface ReceiveDeps {
  readonly database: Database
  readonly vault: FileVault
}

/** Receives the body of a request: JSON or a form, depending on the operation. */
export function receiveBody(deps: ReceiveDeps): Step<Actor> {
  return async (context, call, next) => {
    const { requestTypes } = call.operation
    if (requestTypes.length === 0) return next()
    if (requestTypes.includes(MULTIPART_TYPE)) return receiveForm(deps, context, call, next)
    const fields = await receiveJsonBody(context.request, context.response)
    context.body = fields
    call.body = fields
    call.bodyIdentity = () => jsonBodyIdentity(fields)
    return next()
  }
}

/**
 * Receives the form of a file upload. The file goes directly to the storage. If the upload cannot accept it, the file is read only to
 * validate it. The stored file is deleted if the request fails, or if its response repeats an earlier one.
 */
async function receiveForm(
  { database, vault }: ReceiveDeps,
  context: HttpContext<Actor>,
  call: Call,
  next: () => Promise<Response>,
): Promise<Response> {
  const { caller, now } = context
  const uploadId = String(call.path['file_upload_id'] ?? '')
  const isStored =
    oneSpelling(uploadId).length === UUID_LENGTH && (await database.read((db) => takesBytes(db, caller, uploadId, now)))
  const stored: ReceivedFile[] = []
  const discard = async (): Promise<void> => {
    for (const { object } of stored) if (object) await vault.abandon(object)
  }
  const form = await readForm(context, call, discard, async (header, bytes) => {
    const file = { ...header, ...(await receiveFile(vault, isStored ? caller.workspaceId : undefined, bytes)) }
    stored.push(file)
    return file
  })
  context.body = form.fields
  Object.assign(call, { body: form.fields, files: form.files })
  call.bodyIdentity = () => ({ mediaType: MULTIPART_TYPE, digest: formDigest(form) })
  try {
    const response = await next()
    if (response.headers['Idempotency-Replayed'] !== undefined) await discard()
    return response
  } catch (error) {
    await discard()
    throw error
  }
}

async function readForm(
  { request, response }: HttpContext,
  { operation }: Call,
  discard: () => Promise<void>,
  take: TakeFile<ReceivedFile>,
): Promise<MultipartForm<ReceivedFile>> {
  const read = async (): Promise<MultipartForm<ReceivedFile>> => {
    try {
      return await receiveMultipart(request, { bytesMax: operation.bodyLimit, fileNames: FILE_PARTS }, take)
    } catch (error) {
      await discard()
      throw error
    }
  }
  let reading: Promise<unknown> | undefined
  try {
    return await awaitBody(response, (onBytes) => {
      // The file is streamed, so it never takes more memory than the largest JSON body.
      onBytes(JSON_BODY_BYTES_MAX)
      const form = read()
      reading = form
      return form
    })
  } catch (error) {
    // Reading continues after the wait has failed, and may still store the file.
    reading?.then(discard).catch(() => undefined)
    throw error
  }
}

const UUID_LENGTH = 36

/** @param workspaceId undefined if the file must not be stored */
async function receiveFile(
  vault: FileVault,
  workspaceId: string | undefined,
  bytes: AsyncIterable<Uint8Array>,
): ReturnType<FileVault['look']> {
  try {
    return await (workspaceId === undefined ? vault.look(bytes, SEND_BYTES_MAX) : vault.store(workspaceId, bytes, SEND_BYTES_MAX))
  } catch (error) {
    if (error instanceof TooManyBytesError) throw invalid('body.file', `should be at most \`${SEND_BYTES_MAX}\` bytes long`)
    if (error instanceof SourceError) throw invalid('body.file', 'should be complete, but the upload ended early')
    throw error
  }
}
