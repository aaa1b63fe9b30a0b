/** A folder of similar files that the build has packed: files are joined into blocks, and each block is compressed. */

import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliDecompress, brotliDecompressSync } from 'node:zlib'

/** A sequence of bytes that begins at an offset. */
interface Span {
  readonly at: number
  readonly bytes: number
}

export interface PackIndex {
  /** Where each compressed block is in the pack. */
  readonly blocks: readonly Span[]
  /** By path: where the file is in its decompressed block. */
  readonly files: Readonly<Record<string, Span & { readonly block: number }>>
}

/** The paths of the two files that hold a packed folder. */
export const packOf = (folder: string): string => `${folder}.pack`
export const packIndexOf = (folder: string): string => `${folder}.pack.json`

const decompress = promisify(brotliDecompress)

/** Reads a packed folder. The latest block stays in memory, because pages are read together with their neighbors. */
export class PackedFolder {
  readonly #folder: string
  #read: PackIndex | undefined
  #last: { readonly block: number; readonly bytes: Promise<Buffer> } | undefined

  private constructor(folder: string) {
    this.#folder = folder
  }

  /** @returns undefined if the folder has no packed form */
  static of(folder: string): PackedFolder | undefined {
    return existsSync(packIndexOf(folder)) ? new PackedFolder(folder) : undefined
  }

  /** Read on first use, because starting does not need it. */
  get #index(): PackIndex {
    return (this.#read ??= JSON.parse(readFileSync(packIndexOf(this.#folder), 'utf8')) as PackIndex) // as written by the build
  }

  has(path: string): boolean {
    return Object.hasOwn(this.#index.files, path)
  }

  /** @returns undefined if there is no such file */
  async read(path: string): Promise<Buffer | undefined> {
    const place = this.has(path) ? this.#index.files[path] : undefined
    if (place === undefined) return undefined
    const { block, at, bytes } = place
    if (this.#last?.block !== block) this.#last = { block, bytes: this.#block(block) }
    const { bytes: read } = this.#last
    read.catch(() => (this.#last = undefined))
    return (await read).subarray(at, at + bytes)
  }

  /** Synchronous version of `read`. */
  readSync(path: string): Buffer | undefined {
    const place = this.has(path) ? this.#index.files[path] : undefined
    if (place === undefined) return undefined
    const { at, bytes } = this.#span(place.block)
    const compressed = Buffer.alloc(bytes)
    const file = openSync(packOf(this.#folder), 'r')
    try {
      readSync(file, compressed, 0, bytes, at)
    } finally {
      closeSync(file)
    }
    return brotliDecompressSync(compressed).subarray(place.at, place.at + place.bytes)
  }

  async #block(number: number): Promise<Buffer> {
    const { at, bytes } = this.#span(number)
    const handle = await open(packOf(this.#folder))
    try {
      const { buffer } = await handle.read(Buffer.alloc(bytes), 0, bytes, at)
      return await decompress(buffer, {})
    } finally {
      await handle.close()
    }
  }

  #span(block: number): Span {
    const span = this.#index.blocks[block]
    if (span === undefined) throw new Error(`${packOf(this.#folder)} does not contain block ${block}`)
    return span
  }
}
