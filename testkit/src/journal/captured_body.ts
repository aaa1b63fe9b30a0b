import { maskBody } from '@workspace-service/server/kernel/masking.ts'

/** The number of bytes of a body that are kept. */
const BYTES_KEPT_MAX = 1_048_576

/** Captures a body while it is sent. */
export class CapturedBody {
  readonly #chunks: Buffer[] = []
  /** The length of the whole body, including the bytes that are not kept. */
  byteLength = 0

  add(chunk: unknown): void {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk)
    if (this.byteLength < BYTES_KEPT_MAX) this.#chunks.push(bytes)
    this.byteLength += bytes.length
  }

  /**
   * The body without secrets: JSON is parsed, other text is returned as a string. Undefined without a body, and for a binary one.
   * @param operation the operation of the request
   */
  read(contentType: string | undefined, operation?: string): unknown {
    if (this.byteLength === 0 || contentType === undefined || !/json|^text\/|urlencoded/i.test(contentType)) return undefined
    const shown = maskBody(Buffer.concat(this.#chunks).toString(), operation)
    return /json/i.test(contentType) || typeof shown === 'string' ? shown : JSON.stringify(shown)
  }
}
