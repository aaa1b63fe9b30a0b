import type { Readable } from 'node:stream'
import { AdministrationError } from '@workspace-service/server/domain/shared/index.ts'
import { textOfBytes, startOf } from './text_encoding.ts'

/** Files of an untrusted archive, by path. One is read at a time, and none is unpacked to the disk. */
export abstract class ArchiveReader {
  abstract get paths(): readonly string[]

  /** Entries that are not files, such as links, and are therefore not read. */
  get skipped(): readonly string[] {
    return []
  }

  abstract has(path: string): boolean

  abstract sizeOf(path: string): number

  /** The file's bytes, at most as many as the archive says. Fails with an AdministrationError if they are damaged. */
  abstract read(path: string): Promise<Readable>

  abstract close(): Promise<void>

  /**
   * Reads a text file.
   * @throws NotText; AdministrationError if it is too large to be read at once
   */
  async text(path: string, bytesMax: number): Promise<string> {
    if (this.sizeOf(path) > bytesMax) throw unreadableArchive(`${path} has more than ${bytesMax} bytes`)
    return textOfBytes(await this.#bytes(path, Infinity))
  }

  /** The first bytes of a text file, without a truncated last character. Invalid bytes become other characters. */
  async head(path: string, bytesMax: number): Promise<string> {
    return startOf((await this.#bytes(path, bytesMax)).subarray(0, bytesMax))
  }

  async #bytes(path: string, wanted: number): Promise<Buffer> {
    const chunks: Buffer[] = []
    let length = 0
    for await (const chunk of (await this.read(path)) as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      length += chunk.length
      if (length >= wanted) break
    }
    return Buffer.concat(chunks)
  }
}

export function unreadableArchive(reason: string): AdministrationError {
  const problem = reason.startsWith('End of central directory')
    ? 'it is not a zip file, or it is incomplete'
    : reason.replace(/\.$/, '')
  return new AdministrationError(`The archive cannot be read: ${problem}.`)
}
