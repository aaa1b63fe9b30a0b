import { constants, createReadStream } from 'node:fs'
import { opendir, stat } from 'node:fs/promises'
import { basename, dirname, join, posix } from 'node:path'
import type { Readable } from 'node:stream'
import { ArchiveReader, unreadableArchive } from './archive_reader.ts'
import { archiveLimits, type ArchiveLimits } from './zip_reader.ts'

/** A folder on the disk, or a single file. Links are not followed. */
export class FolderReader extends ArchiveReader {
  readonly #root: string
  readonly #sizes: ReadonlyMap<string, number>
  readonly #skipped: readonly string[]

  private constructor(root: string, sizes: ReadonlyMap<string, number>, skipped: readonly string[] = []) {
    super()
    this.#root = root
    this.#sizes = sizes
    this.#skipped = skipped
  }

  /** @throws AdministrationError if it is larger than archives may be */
  static async open(root: string, limits: ArchiveLimits = archiveLimits): Promise<FolderReader> {
    const sizes = new Map<string, number>()
    const skipped: string[] = []
    let total = 0
    for await (const [path, size] of filesIn(root)) {
      if (size === undefined) {
        skipped.push(path)
        continue
      }
      total += size
      if (size > limits.entryBytes) throw unreadableArchive(`${path} has more than ${limits.entryBytes} bytes`)
      if (sizes.size === limits.entries) throw unreadableArchive(`it has more than ${limits.entries} files`)
      if (total > limits.totalBytes) throw unreadableArchive(`it has more than ${limits.totalBytes} bytes`)
      sizes.set(path, size)
    }
    return new FolderReader(root, new Map([...sizes].toSorted(([one], [other]) => (one < other ? -1 : 1))), skipped)
  }

  /** A file that is imported on its own. */
  static async openFile(path: string): Promise<FolderReader> {
    return new FolderReader(dirname(path), new Map([[basename(path), (await stat(path)).size]]))
  }

  get paths(): readonly string[] {
    return [...this.#sizes.keys()]
  }

  override get skipped(): readonly string[] {
    return this.#skipped
  }

  has(path: string): boolean {
    return this.#sizes.has(path)
  }

  sizeOf(path: string): number {
    const size = this.#sizes.get(path)
    if (size === undefined) throw new RangeError(`the folder does not contain ${path}`)
    return size
  }

  async read(path: string): Promise<Readable> {
    const end = this.sizeOf(path) - 1
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW
    // Node accepts numbers as flags, but its types only list the flag names.
    const options = { flags: flags as unknown as string, ...(end >= 0 && { end }) }
    return createReadStream(join(this.#root, path), options)
  }

  async close(): Promise<void> {}
}

/** The files of a folder and its subfolders, with their sizes; links and other entries have no size. */
async function* filesIn(root: string): AsyncGenerator<readonly [path: string, size: number | undefined]> {
  const waiting = ['']
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop())
    for await (const entry of await opendir(join(root, folder))) {
      const path = posix.join(folder, entry.name)
      if (entry.isDirectory()) waiting.push(path)
      else yield [path, entry.isFile() ? (await stat(join(root, path))).size : undefined]
    }
}
