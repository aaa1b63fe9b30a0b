import { REDACTED, scrub, secretNames } from '../../log.ts'

/** Of each body so many bytes are kept. */
const BYTES_KEPT_MAX = 1_048_576

/** A body as it passes. */
export class CapturedBody {
  readonly #chunks: Buffer[] = []
  /** All of its bytes, also those that are not kept. */
  byteLength = 0

  add(chunk: unknown): void {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk)
    if (this.byteLength < BYTES_KEPT_MAX) this.#chunks.push(bytes)
    this.byteLength += bytes.length
  }

  /** Without secrets: JSON as its value, other texts as they are; undefined for what is no text, and for no body. */
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
