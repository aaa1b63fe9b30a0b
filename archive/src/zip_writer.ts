import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { PassThrough, Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { chunkEnd } from '@workspace-service/server/kernel/text_chunks.ts'

/** An archive contains private data. */
const OWNER_ONLY = 0o600

/** Writes the entries of a zip file one after another: one is open at a time, and only the names of finished ones stay in memory. */
export class ZipWriter {
  readonly #zip = new ZipFile()
  readonly #path: string
  readonly #written: Promise<void>
  #entry: PassThrough | undefined
  #hasFailed = false

  constructor(path: string) {
    this.#path = path
    this.#written = pipeline(Readable.from(this.#zip.outputStream), createWriteStream(this.#unfinished, { mode: OWNER_ONLY }))
    // Unreadable bytes fail the call of `add` that reads them.
    this.#zip.on('error', () => undefined)
    // Reported by `add` or `finish`, whichever comes first.
    this.#written.catch((error: Error) => {
      this.#hasFailed = true
      this.#entry?.destroy(error)
    })
  }

  get #unfinished(): string {
    return `${this.#path}.unfinished`
  }

  /** @param isPacked whether the bytes are compressed already */
  async add(path: string, bytes: AsyncIterable<string | Uint8Array>, time: number, isPacked = false): Promise<void> {
    if (this.#hasFailed) await this.#written
    const entry = (this.#entry = new PassThrough())
    this.#zip.addReadStreamLazy(path, { mtime: new Date(time), compress: !isPacked, mode: 0o100644 }, once(entry))
    // Waiting for the end of reading is not enough: small entries would accumulate in memory while the disk is busy.
    await Promise.all([pipeline(Readable.from(inPieces(bytes)), entry), finished(entry)])
  }

  async addText(path: string, text: string, time: number): Promise<void> {
    await this.add(path, Readable.from([Buffer.from(text)]), time)
  }

  /** Renames the complete file to its final name. */
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

/** Longer texts are encoded, and their checksums computed, in pieces of this length. */
const PIECE_LENGTH = 64 * 1024

async function* inPieces(chunks: AsyncIterable<string | Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    for (let [start, end] = [0, 0]; start < chunk.length; start = end) {
      end = typeof chunk === 'string' ? chunkEnd(chunk, start, PIECE_LENGTH) : start + PIECE_LENGTH
      yield typeof chunk === 'string' ? Buffer.from(chunk.slice(start, end)) : chunk.subarray(start, end)
    }
  }
}

/** Hands the stream over and releases it: the zip file keeps this function of each entry until its end. */
function once(entry: PassThrough): (take: (error: null, stream: Readable) => void) => void {
  const kept = [entry]
  return (take) => {
    for (const stream of kept.splice(0)) take(null, stream)
  }
}
