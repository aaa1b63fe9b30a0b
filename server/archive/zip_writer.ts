import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'

/** An archive contains private data. */
const OWNER_ONLY = 0o600

/** Writes the entries of a zip file one after another: one is open at a time, and none is in memory as a whole. */
export class ZipWriter {
  readonly #zip = new ZipFile()
  readonly #path: string
  readonly #written: Promise<void>

  constructor(path: string) {
    this.#path = path
    this.#written = pipeline(Readable.from(this.#zip.outputStream), createWriteStream(this.#unfinished, { mode: OWNER_ONLY }))
    // Bytes that cannot be read fail the call of `add` that reads them.
    this.#zip.on('error', () => undefined)
    // Reported by `add` or `finish`, whichever comes first.
    this.#written.catch(() => undefined)
  }

  get #unfinished(): string {
    return `${this.#path}.unfinished`
  }

  /** @param isPacked whether the bytes are compressed already */
  async add(path: string, bytes: AsyncIterable<string | Uint8Array>, time: number, isPacked = false): Promise<void> {
    const entry = new PassThrough()
    this.#zip.addReadStream(entry, path, { mtime: new Date(time), compress: !isPacked, mode: 0o100644 })
    const copied = pipeline(Readable.from(bytes), entry)
    await Promise.race([copied, this.#written.then(() => copied)])
  }

  async addText(path: string, text: string, time: number): Promise<void> {
    await this.add(path, Readable.from([Buffer.from(text)]), time)
  }

  /** Gives the file its name, which it has only when it is complete. */
  async finish(): Promise<void> {
    this.#zip.end()
    await this.#written
    await rename(this.#unfinished, this.#path)
  }

  async abandon(): Promise<void> {
    this.#zip.outputStream.unpipe()
    await rm(this.#unfinished, { force: true })
  }
}
