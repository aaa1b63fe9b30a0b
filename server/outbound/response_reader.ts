/** A response that is not HTTP/1, or has more headers than are read. */
export class NotHttpError extends Error {}

const HEAD_LENGTH_MAX = 16 * 1024
/** Bodies are ignored; short ones are read so that their connections can be used again. */
const BODY_LENGTH_MAX = 64 * 1024
const BEGIN = 'HTTP/1.'
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: |$)/

/**
 * Reads one response to a POST request as it arrives: its status, and where it ends. Whatever leaves any doubt about the end costs the
 * connection, not the status.
 */
export class ResponseReader {
  #statusCode: number | undefined
  /** What has arrived and not been read yet, a character for each byte. */
  #text = ''
  /** How many bytes of the body are missing: `Infinity` if only the end of the connection tells. */
  #missing: number | 'chunks' = Infinity
  #bodyLength = 0
  #canFollow = false

  /** Known as soon as the headers are complete. */
  get statusCode(): number | undefined {
    return this.#statusCode
  }

  /** Whether another request may follow on the connection, once the response has ended. */
  get canFollow(): boolean {
    return this.#canFollow
  }

  /** @returns whether the response has ended, or needs not be read further. @throws NotHttpError */
  read(bytes: Buffer): boolean {
    this.#text += bytes.toString('latin1')
    if (this.#statusCode !== undefined) return this.#readBody(bytes.byteLength)
    return this.#readHead() && this.#readBody(this.#text.length)
  }

  /** @returns whether the headers are complete */
  #readHead(): boolean {
    for (;;) {
      const end = this.#text.indexOf('\r\n\r\n')
      if (!BEGIN.startsWith(this.#text.slice(0, BEGIN.length)) || (end === -1 ? this.#text.length : end) > HEAD_LENGTH_MAX)
        throw new NotHttpError()
      if (end === -1) return false
      const head = parseHead(this.#text.slice(0, end))
      this.#text = this.#text.slice(end + 4)
      // Others precede the response; switching protocols has not been asked for.
      if (head.statusCode >= 200 || head.statusCode === 101) {
        this.#statusCode = head.statusCode
        this.#missing = head.body
        this.#canFollow = head.canFollow
        return true
      }
    }
  }

  /** @returns whether it has ended */
  #readBody(length: number): boolean {
    this.#bodyLength += length
    const hasEnded = this.#missing === 'chunks' ? this.#readChunks() : this.#readCounted(this.#missing)
    const isLong = this.#bodyLength > BODY_LENGTH_MAX
    // What follows the end belongs to no request.
    if (isLong || (hasEnded && this.#text !== '')) this.#canFollow = false
    return hasEnded || isLong
  }

  #readCounted(missing: number): boolean {
    this.#missing = Math.max(0, missing - this.#text.length)
    this.#text = this.#text.slice(missing)
    return this.#missing === 0
  }

  #readChunks(): boolean {
    for (;;) {
      const lineEnd = this.#text.indexOf('\r\n')
      if (lineEnd === -1) return false
      const size = /^[\da-f]{1,8}(?=[;\r])/i.exec(this.#text)?.[0]
      const next = lineEnd + 2 + parseInt(size ?? '0', 16) + 2
      if (this.#text.length < next) return false
      const isWhole = size !== undefined && this.#text.startsWith('\r\n', next - 2)
      this.#text = this.#text.slice(next)
      // Headers behind the body are not read.
      if (!isWhole) this.#canFollow = false
      if (!isWhole || next === lineEnd + 4) return true
    }
  }
}

interface ResponseHead {
  readonly statusCode: number
  readonly body: number | 'chunks'
  readonly canFollow: boolean
}

function parseHead(text: string): ResponseHead {
  const [first = '', ...lines] = text.split('\r\n')
  const [, minor, status] = STATUS_LINE.exec(first) ?? []
  if (status === undefined) throw new NotHttpError()
  const headers = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon < 1) throw new NotHttpError()
    const name = line.slice(0, colon).toLowerCase()
    headers.set(name, (headers.has(name) ? `${headers.get(name)}, ` : '') + line.slice(colon + 1).trim())
  }
  const statusCode = Number(status)
  const body = bodyOf(statusCode, headers.get('content-length'), headers.get('transfer-encoding')?.toLowerCase())
  const isKept = minor === '1' && !/\bclose\b/i.test(headers.get('connection') ?? '')
  return { statusCode, body, canFollow: isKept && body !== Infinity && statusCode !== 101 }
}

function bodyOf(statusCode: number, length: string | undefined, coding: string | undefined): ResponseHead['body'] {
  if (statusCode === 204 || statusCode === 304) return 0
  if (coding !== undefined) return coding === 'chunked' && length === undefined ? 'chunks' : Infinity
  return length !== undefined && /^\d{1,15}$/.test(length) ? Number(length) : Infinity
}
