import { receiveJsonBody } from '../json_body.ts'
import { receiveMultipart, type FileHeader } from '../multipart_form.ts'
import { FILE_PARTS, MULTIPART_TYPE } from '../form_parts.ts'
import type { Step } from './step.ts'

/** Receives a body in the media type that its operation accepts, with its files in memory. */
export const receiveBodyInMemory: Step = async ({ request, response }, call, next) => {
  const { requestTypes, bodyLimit } = call.operation
  if (requestTypes.includes(MULTIPART_TYPE)) {
    const form = await receiveMultipart(request, { bytesMax: bodyLimit, fileNames: FILE_PARTS }, takeFile)
    Object.assign(call, { body: form.fields, files: form.files })
  } else if (requestTypes.length > 0) call.body = await receiveJsonBody(request, response)
  return next()
}

/** Receives a file in memory. Its size is bounded by the body limit of the operation. */
async function takeFile({ filename, contentType }: FileHeader, bytes: AsyncIterable<Uint8Array>): Promise<File> {
  const chunks = await Array.fromAsync(bytes, (chunk) => new Uint8Array(chunk))
  return new File(chunks, filename ?? '', { type: contentType ?? '' })
}
