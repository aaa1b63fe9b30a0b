import { whileBodyComes } from './admission.ts'
import type { Request, Response } from 'express'
import { JSON_BODY_BYTES_MAX } from './json_body_limit.ts'
import type { Operation } from '../contract/operation.ts'
import type { Actor } from '../domain/actor.ts'
import { invalid } from '../domain/failures.ts'
import { SEND_BYTES_MAX, takesBytes, type ReceivedFile } from '../domain/file_uploads/send.ts'
import { SourceError, TooManyBytesError, type FileVault } from '../domain/file_uploads/vault.ts'
import { oneSpelling } from '../kernel/ids.ts'
import type { Database } from '../domain/database.ts'
import type { Answer } from './answer.ts'
import { receiveJsonBody } from './body.ts'
import type { JsonObject } from '../versions/index.ts'
import { formDigest, receiveMultipart, type MultipartForm, type TakeFile } from './form.ts'
import { jsonBody } from '../application/request_identity.ts'

/** The body of a request, read to its end. */
export interface Received {
  /** What the contract judges. */
  readonly fields: JsonObject | undefined
  /** Files of a form, which the contract names but cannot look into. */
  readonly files: Readonly<Record<string, ReceivedFile>>
  /** What tells it from other bodies; undefined where there is none. */
  identity(): { readonly mediaType: string; readonly digest: string } | undefined
  /** Carries the request out, and lets go of files that came to nothing by it. */
  settle(work: () => Promise<Answer>): Promise<Answer>
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
/** Parts of forms that are files. */
export const FILE_PARTS = ['file']

/** @throws ServiceError for a body that cannot be read */
export async function receiveBody(parts: ReceiveParts, received: ReceivedRequest): Promise<Received> {
  const { operation, request, response } = received
  if (operation.requestTypes.includes(MULTIPART_TYPE)) return receiveForm(parts, received)
  const fields = operation.requestTypes.length > 0 ? await receiveJsonBody(request, response) : undefined
  return { fields, files: {}, identity: () => fields && jsonBody(fields), settle: (work) => work() }
}

/** The only forms are those of file uploads. Their bytes go where they will stay, unless it is clear beforehand that they will not. */
async function receiveForm({ database, vault }: ReceiveParts, received: ReceivedRequest): Promise<Received> {
  const { operation, request, response, actor, path, now } = received
  const uploadId = path['file_upload_id'] ?? ''
  const isWelcome =
    oneSpelling(uploadId).length === UUID_LENGTH && (await database.read((db) => takesBytes(db, actor, uploadId, now)))
  const stored: ReceivedFile[] = []
  const abandon = async (): Promise<void> => {
    for (const { object } of stored) if (object) await vault.abandon(object)
  }
  const take: TakeFile<ReceivedFile> = async (header, bytes) => {
    const file = { ...header, ...(await keep(vault, isWelcome ? actor.workspaceId : undefined, bytes)) }
    stored.push(file)
    return file
  }
  const read = async (): Promise<MultipartForm<ReceivedFile>> => {
    try {
      return await receiveMultipart(request, { bytesMax: operation.bodyLimit, fileNames: FILE_PARTS }, take)
    } catch (error) {
      await abandon()
      throw error
    }
  }
  let reading: Promise<unknown> | undefined
  const form = await whileBodyComes(response, (grew) => {
    // Its bytes pass through; what is held of them on their way is less than the largest of other bodies.
    grew(JSON_BODY_BYTES_MAX)
    const form = read()
    reading = form
    return form
  }).catch((error: unknown) => {
    // A form that was given up may still be read to its end.
    reading?.then(abandon).catch(() => undefined)
    throw error
  })
  return {
    ...form,
    identity: () => ({ mediaType: MULTIPART_TYPE, digest: formDigest(form) }),
    settle: (work) => settle(work, abandon),
  }
}

const UUID_LENGTH = 36

async function keep(
  vault: FileVault,
  workspaceId: string | undefined,
  bytes: AsyncIterable<Uint8Array>,
): ReturnType<FileVault['look']> {
  try {
    return await (workspaceId === undefined ? vault.look(bytes, SEND_BYTES_MAX) : vault.store(workspaceId, bytes, SEND_BYTES_MAX))
  } catch (error) {
    if (error instanceof TooManyBytesError) throw invalid('body.file', `should be at most \`${SEND_BYTES_MAX}\` bytes long`)
    if (error instanceof SourceError) throw invalid('body.file', 'should come whole')
    throw error
  }
}

async function settle(work: () => Promise<Answer>, abandon: () => Promise<void>): Promise<Answer> {
  try {
    const answer = await work()
    if (answer.headers['Idempotency-Replayed'] !== undefined) await abandon()
    return answer
  } catch (error) {
    await abandon()
    throw error
  }
}

/** @throws ServiceError `validation_error` for a form without its file */
export function requireFiles(operation: Operation, { files }: Pick<MultipartForm<object>, 'files'>): void {
  if (operation.requestTypes.includes(MULTIPART_TYPE) && files['file'] === undefined)
    throw invalid('body.file', 'should be a file, with its name and its bytes')
}
