import { operations } from '../../../../../generated/operations.ts'
import { isObject } from '@workspace-service/server/kernel/is_object.ts'
import type { FullRunContext, Resource } from '../full_run_context.ts'
import { sendExamples } from '../send_examples.ts'
import type { AcceptedWrite } from '../writer.ts'

/** The minimum length of every part except the last one. */
const PART_BYTES_MIN = 5_242_880
const BOUNDARY = 'conformance-3f2a9c7e51'

/** Uploads belong to no page: unused ones expire by themselves. */
export const fileUploads: Resource = {
  async make(context) {
    for (const { id, values } of context.records.of('file_upload')) {
      if (values['status'] !== 'uploaded') continue
      const upload = await createUpload(context, context.form.of('FileUploadCreateRequest', values))
      if (upload && (await sendBytes(context, upload.id, 'the bytes of an example'))) context.replacements.set(id, upload.id)
    }
  },

  async exercise(context) {
    // The server has to fetch imported files, which may not be possible.
    await sendExamples(context, operations.createFileUpload, { uncertain: new Set(['external_url']) })
    await sendInParts(context)
  },
}

function createUpload(
  { writer }: FullRunContext,
  body: unknown,
  name = 'an upload of the examples',
): Promise<AcceptedWrite | undefined> {
  return writer.send(operations.createFileUpload, { body }, { name, isCertain: true })
}

function sendBytes(context: FullRunContext, uploadId: string, text: string): Promise<AcceptedWrite | undefined> {
  return sendPart(context, uploadId, Buffer.from(text))
}

function sendPart(
  { writer }: FullRunContext,
  uploadId: string,
  bytes: Buffer,
  part?: number,
): Promise<AcceptedWrite | undefined> {
  const input = { path: { file_upload_id: uploadId }, content: formOf(bytes, part) }
  return writer.send(operations.sendFileUpload, input, { name: part === undefined ? 'a file' : 'a part', isCertain: true })
}

async function sendInParts(context: FullRunContext): Promise<void> {
  const { run, writer, client } = context
  const total = PART_BYTES_MIN + 1
  if ((await longestFile(context)) < total) {
    run.leaveOut('sendFileUpload: a file in parts', 'the workspace does not accept files that are longer than a part')
    return
  }
  const wanted = { mode: 'multi_part', filename: 'conformance.txt', content_type: 'text/plain', number_of_parts: 2 }
  const upload = await createUpload(context, wanted, 'an upload in parts')
  if (!upload) return
  await sendPart(context, upload.id, Buffer.alloc(PART_BYTES_MIN, 'a'), 1)
  await sendPart(context, upload.id, Buffer.from('z'), 2)
  const path = { file_upload_id: upload.id }
  const purpose = { name: 'an upload in parts', isCertain: true }
  if (!(await writer.send(operations.completeFileUpload, { path }, purpose))) return
  const { exchange, ...response } = await client.call(operations.retrieveFileUpload, { path })
  const { status, content_length: length } = isObject(response.value) ? response.value : {}
  const whole = { exchange, ...response }
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
async function longestFile({ client }: FullRunContext): Promise<number> {
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
