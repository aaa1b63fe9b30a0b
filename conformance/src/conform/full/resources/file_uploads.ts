import { operations } from '../../../../../generated/operations.ts'
import { isObject } from '@workspace-service/server/kernel/is_object.ts'
import type { FullParts, Resource } from '../parts.ts'
import { sendExamples } from '../send_examples.ts'
import type { Taken } from '../writer.ts'

/** The minimum length of every part except the last one. */
const PART_BYTES_MIN = 5_242_880
const BOUNDARY = 'conformance-3f2a9c7e51'

/** Uploads belong to no page: unused ones expire by themselves. */
export const fileUploads: Resource = {
  async make(parts) {
    for (const { id, values } of parts.records.of('file_upload')) {
      if (values['status'] !== 'uploaded') continue
      const upload = await createUpload(parts, parts.form.of('FileUploadCreateRequest', values))
      if (upload && (await sendBytes(parts, upload.id, 'the bytes of an example'))) parts.standIns.set(id, upload.id)
    }
  },

  async exercise(parts) {
    // The server has to fetch imported files, which may not be possible.
    await sendExamples(parts, operations.createFileUpload, { uncertain: new Set(['external_url']) })
    await sendInParts(parts)
  },
}

function createUpload({ writer }: FullParts, body: unknown, name = 'an upload of the examples'): Promise<Taken | undefined> {
  return writer.send(operations.createFileUpload, { body }, { name, isCertain: true })
}

function sendBytes(parts: FullParts, uploadId: string, text: string): Promise<Taken | undefined> {
  return sendPart(parts, uploadId, Buffer.from(text))
}

function sendPart({ writer }: FullParts, uploadId: string, bytes: Buffer, part?: number): Promise<Taken | undefined> {
  const asked = { path: { file_upload_id: uploadId }, content: formOf(bytes, part) }
  return writer.send(operations.sendFileUpload, asked, { name: part === undefined ? 'a file' : 'a part', isCertain: true })
}

async function sendInParts(parts: FullParts): Promise<void> {
  const { run, writer, client } = parts
  const total = PART_BYTES_MIN + 1
  if ((await longestFile(parts)) < total) {
    run.leaveOut('sendFileUpload: a file in parts', 'the workspace takes no file that is longer than a part')
    return
  }
  const wanted = { mode: 'multi_part', filename: 'conformance.txt', content_type: 'text/plain', number_of_parts: 2 }
  const upload = await createUpload(parts, wanted, 'an upload in parts')
  if (!upload) return
  await sendPart(parts, upload.id, Buffer.alloc(PART_BYTES_MIN, 'a'), 1)
  await sendPart(parts, upload.id, Buffer.from('z'), 2)
  const path = { file_upload_id: upload.id }
  const purpose = { name: 'an upload in parts', isCertain: true }
  if (!(await writer.send(operations.completeFileUpload, { path }, purpose))) return
  const { exchange, ...answer } = await client.call(operations.retrieveFileUpload, { path })
  const { status, content_length: length } = isObject(answer.value) ? answer.value : {}
  const whole = { exchange, ...answer }
  writer.expect(
    status === 'uploaded',
    operations.completeFileUpload,
    whole,
    'body.status',
    'is not `uploaded` when all parts are sent',
  )
  writer.expect(length === total, operations.completeFileUpload, whole, 'body.content_length', 'is not the sum of the parts')
}

/** The limits of the workspace, as its bot reports them. */
async function longestFile({ client }: FullParts): Promise<number> {
  const { value } = await client.call(operations.retrieveMe)
  const bot = isObject(value) ? value['bot'] : undefined
  const limits = isObject(bot) ? bot['workspace_limits'] : undefined
  return isObject(limits) ? Number(limits['max_file_upload_size_in_bytes']) : Infinity
}

function formOf(bytes: Buffer, part: number | undefined): { readonly type: string; readonly bytes: Buffer } {
  const disposition = `--${BOUNDARY}\r\nContent-Disposition: form-data; name=`
  const number = part === undefined ? '' : `${disposition}"part_number"\r\n\r\n${part}\r\n`
  const head = `${number}${disposition}"file"; filename="conformance"\r\nContent-Type: application/octet-stream\r\n\r\n`
  return {
    type: `multipart/form-data; boundary=${BOUNDARY}`,
    bytes: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]),
  }
}
