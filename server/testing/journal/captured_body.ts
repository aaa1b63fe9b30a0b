import { REDACTED, scrub, secretNames } from '../../log.ts'

/** The bytes of a body that are kept. */
const BYTES_KEPT_MAX = 1_048_576

/** Captures a body while it is sent. */
export class CapturedBody {
  readonly #chunks: Buffer[] = []
  /** The length of the whole body, including what is not kept. */
  byteLength = 0

  add(chunk: unknown): void {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk)
    if (this.byteLength < BYTES_KEPT_MAX) this.#chunks.push(bytes)
    this.byteLength += bytes.length
  }

  /** The body without secrets: JSON is parsed, other text is returned as a string. Undefined without a body, and for a binary one. */
  read(contentType: string | undefined): unknown {
    if (this.byteLength === 0 || contentType === undefined || !/json|^text\/|urlencoded/.test(contentType)) return undefined
    const text = scrub(Buffer.concat(this.#chunks).toString())
    if (!contentType.includes('json')) return text
    try {
      return JSON.parse(text, (key, value: unknown) => (secretNames.includes(key) && value !== null ? REDACTED : value))
    } catch {
      return text
    }
  }
}
