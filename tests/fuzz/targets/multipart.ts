import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { receiveMultipart } from '../../../server/http/multipart_form.ts'
import { ServiceError } from '../../../server/kernel/errors.ts'
import { mutateText } from '../mutations.ts'
import { Broken, type Target } from '../target.ts'

const RULES = { bytesMax: 60_000, fileNames: ['file'] }
const TYPE = 'multipart/form-data; boundary=edge'
const part = (disposition: string, body: string, more = ''): string =>
  `--edge\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n${body}\r\n`

/** A form has the same result, complete or refused, however its bytes are chunked. The first line of an input is its content type. */
export const target: Target = {
  seeds: [
    `${TYPE}\n${part('name="file"; filename="a.txt"', 'x', 'Content-Type: text/plain\r\n')}--edge--\r\n`,
    `${TYPE}\n${part('name="part_number"', '2')}${part("name=file; filename*=UTF-8''%e2%82%ac", '\r\n--edg\r\r\n-')}--edge--`,
    `multipart/form-data;boundary="edge"\n--edge\r\nContent-Type: application/octet-stream\r\ncontent-disposition: form-data;name="a"\r\n\r\n\r\n--edge--\r\n`,
    `${TYPE}\npreamble\r\n${part('name="__proto__"', 'a')}--edge\r\n\r\n--edge--epilogue`,
  ],
  words: [
    ...[
      '\r\n',
      '\r\n\r\n',
      '--',
      '--edge',
      '--edge--',
      '\r\n--edge\r\n',
      '\r\n--edge--\r\n',
      'boundary=',
      'multipart/form-data; ',
    ],
    ...['Content-Disposition: form-data; ', 'name="file"', 'filename="', "filename*=UTF-8''", 'Content-Type: ', '; ', ':', '\\"'],
    part('name="b"', 'c'),
  ],
  mutate: mutateText,
  growsTo: 40_000,
  async check(input) {
    const [type = '', ...lines] = input.split('\n')
    const body = Buffer.from(lines.join('\n'), 'utf8')
    if (hasOddBoundary(type, body)) return
    const whole = await outcome(type, [body])
    for (const chunks of splits(body)) {
      const chunked = await outcome(type, chunks)
      if (!isDeepStrictEqual(comparable(chunked, body), comparable(whole, body)))
        throw new Broken('a form is the same in any pieces', JSON.stringify([chunks.map(String), chunked, whole], undefined, 1))
    }
  },
}

/**
 * Leaves out what depends on the chunks. An incomplete form is refused at once, without its further bytes. With two faults, a broken part
 * and too many bytes, the first one met is reported.
 */
function comparable(found: unknown, body: Buffer): unknown {
  const isRefused = typeof found === 'object' && found !== null && 'refused' in found
  return isRefused && body.byteLength > RULES.bytesMax ? 'refused' : found
}

/**
 * Whether a boundary is followed by a single dash: depending on the chunks, the library may take it for the last one. No client sends that.
 */
function hasOddBoundary(type: string, body: Buffer): boolean {
  const text = body.toString('latin1')
  const boundaries = [...type.matchAll(/boundary="?([^";\s]*)/gi)].map(([, boundary]) => boundary)
  return boundaries.some((boundary) =>
    text
      .split(`--${boundary}-`)
      .slice(1)
      .some((rest) => !rest.startsWith('-')),
  )
}

/** Byte by byte, and in chunks of a few sizes. */
function* splits(body: Buffer): Generator<Buffer[]> {
  for (const size of body.length <= 300 ? [1, 7] : [61, 4_099]) {
    const chunks: Buffer[] = []
    for (let at = 0; at < body.length; at += size) chunks.push(body.subarray(at, at + size))
    yield chunks
  }
}

const STUCK_MS = 5_000

/** The result of a form: its fields and files, or the error. */
async function outcome(type: string, chunks: readonly Buffer[]): Promise<unknown> {
  const request = new IncomingMessage(new Socket())
  request.headers = { 'content-type': type }
  request.complete = true
  const stop = new AbortController()
  const stuck = setTimeout(STUCK_MS, 'stuck', { signal: stop.signal }).catch(() => 'stopped')
  const read = receiveMultipart(request, RULES, async (header, bytes) => {
    const parts: Uint8Array[] = []
    for await (const chunk of bytes) parts.push(chunk)
    return { ...header, bytes: Buffer.concat(parts).toString('latin1') }
  }).then(
    ({ fields, files }) => ({ fields: { ...fields }, files }),
    (error: unknown) => {
      if (error instanceof ServiceError && error.status === 400) return { refused: error.message }
      throw error
    },
  )
  for (const chunk of chunks) request.push(chunk)
  request.push(null)
  const found = await Promise.race([read, stuck]).finally(() => stop.abort())
  request.destroy()
  if (found === 'stuck') throw new Broken('a form is read to its end')
  return found
}
