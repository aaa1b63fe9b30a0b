import type { TestResponse } from './responses.ts'
import type { Caller, CallParts } from './caller.ts'
import { idOf, type JsonObject } from './json.ts'

export const MEBIBYTE = 1024 * 1024

/** A part of a form; without a file name, a text field. */
export interface FormPart {
  readonly name: string
  readonly value: string | Buffer
  readonly filename?: string
  readonly type?: string
}

const BOUNDARY = '----tide-table-boundary'

/** A `multipart/form-data` body, as a browser sends it. */
export function form(...parts: readonly FormPart[]): Required<Pick<CallParts, 'bytes' | 'headers'>> {
  const chunks = parts.flatMap(({ name, value, filename, type }) => [
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n` +
        `${type === undefined ? '' : `Content-Type: ${type}\r\n`}\r\n`,
    ),
    Buffer.from(value),
    Buffer.from('\r\n'),
  ])
  return {
    bytes: Buffer.concat([...chunks, Buffer.from(`--${BOUNDARY}--\r\n`)]),
    headers: { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` },
  }
}

/** The part of a form that has a file. */
export function file(value: string | Buffer, filename = 'blob', type = 'application/octet-stream'): FormPart {
  return { name: 'file', value, filename, type }
}

/** An image of one pixel. */
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)
export const pdf = Buffer.from('%PDF-1.4\n%\u00e2\u00e3\u00cf\u00d3\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n', 'latin1')
export const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex')
export const wav = Buffer.concat([Buffer.from('RIFF'), Buffer.alloc(4), Buffer.from('WAVEfmt '), Buffer.alloc(32)])
export const mp4 = Buffer.concat([Buffer.from('00000018', 'hex'), Buffer.from('ftypisom'), Buffer.alloc(32)])

export async function create(caller: Caller, body: object = {}): Promise<JsonObject> {
  const response = await caller.call('createFileUpload', { body })
  if (response.status !== 200) throw new Error(response.text)
  return response.body
}

export function send(caller: Caller, id: string, ...parts: readonly FormPart[]): Promise<TestResponse> {
  return caller.call('sendFileUpload', { path: { file_upload_id: id }, ...form(...parts) })
}

/** Creates an upload and sends its file. @returns the id of the upload */
export async function upload(caller: Caller, value: string | Buffer, filename: string, type?: string): Promise<string> {
  const id = idOf(await create(caller, { filename, ...(type === undefined ? {} : { content_type: type }) }))
  const response = await send(caller, id, file(value, filename))
  if (response.status !== 200) throw new Error(response.text)
  return id
}
