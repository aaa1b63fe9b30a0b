import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { stat } from 'node:fs/promises'
import { fromRandomAccessReader, RandomAccessReader, type Entry, type ZipFile } from 'yauzl'
import { ArchiveReader, unreadableArchive } from './archive_reader.ts'

/** Size limits of archives, so that a malicious one cannot fill the disk or the memory. */
export interface ArchiveLimits {
  readonly entries: number
  /** Unpacked bytes of one entry, and of all entries. */
  readonly entryBytes: number
  readonly totalBytes: number
  /**
   * The maximum ratio of unpacked to packed size, for entries larger than `ratioFrom`. Text is packed to a fifth, repeated text to a
   * hundredth.
   */
  readonly ratio: number
  readonly ratioFrom: number
}

const [MEBIBYTE, GIBIBYTE] = [2 ** 20, 2 ** 30]

export const archiveLimits: ArchiveLimits = {
  entries: 1_000_000,
  entryBytes: 5 * GIBIBYTE,
  totalBytes: 100 * GIBIBYTE,
  ratio: 200,
  ratioFrom: 10 * MEBIBYTE,
}

/** An untrusted zip file. Its entries are read one at a time, by their paths, and nothing is unpacked to the disk. */
export class ZipReader extends ArchiveReader {
  readonly #zip: ZipFile
  readonly #entries: ReadonlyMap<string, Entry>

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    super()
    this.#zip = zip
    this.#entries = entries
  }

  /** @throws AdministrationError if it is not a zip file, or not safe to read */
  static async open(path: string, limits: ArchiveLimits = archiveLimits): Promise<ZipReader> {
    const { size } = await stat(path)
    const zip = await opened(path, size)
    try {
      const entries = await listed(zip, limits)
      requireOwnBytes(entries, size)
      return new ZipReader(zip, entries)
    } catch (error) {
      zip.close()
      throw error
    }
  }

  get paths(): readonly string[] {
    return [...this.#entries.keys()]
  }

  has(path: string): boolean {
    return this.#entries.has(path)
  }

  sizeOf(path: string): number {
    return this.#require(path).uncompressedSize
  }

  /** The file's bytes, at most as many as the archive says. Fails with an AdministrationError if they are damaged. */
  async read(path: string): Promise<Readable> {
    const entry = this.#require(path)
    const bytes = await new Promise<Readable>((resolve, reject) => {
      this.#zip.openReadStream(entry, (error, stream) =>
        error ? reject(unreadableArchive(`${path}: ${error.message}`)) : resolve(stream),
      )
    })
    return Readable.from(checked(path, bytes))
  }

  async close(): Promise<void> {
    this.#zip.close()
  }

  #require(path: string): Entry {
    const entry = this.#entries.get(path)
    if (!entry) throw new RangeError(`the archive does not contain ${path}`)
    return entry
  }
}

async function* checked(path: string, bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* bytes
  } catch (error) {
    throw unreadableArchive(`${path}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** The library's own file reader crashes if one of several streams ends early. Here, each stream opens the file itself. */
class FileReader extends RandomAccessReader {
  readonly #path: string

  constructor(path: string) {
    super()
    this.#path = path
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return createReadStream(this.#path, { start, end: end - 1 })
  }
}

function opened(path: string, size: number): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    // The library refuses names with `..`, absolute names and names with backslashes.
    const options = { lazyEntries: true, autoClose: false, strictFileNames: true, validateEntrySizes: true }
    fromRandomAccessReader(new FileReader(path), size, options, (error, zip) =>
      error ? reject(unreadableArchive(error.message)) : resolve(zip),
    )
  })
}

function listed(zip: ZipFile, limits: ArchiveLimits): Promise<Map<string, Entry>> {
  return new Promise((resolve, reject) => {
    const entries = new Map<string, Entry>()
    let total = 0
    if (zip.entryCount > limits.entries) return reject(unreadableArchive(`it has more than ${limits.entries} entries`))
    zip.on('error', (error: Error) => reject(unreadableArchive(error.message)))
    zip.on('end', () => resolve(entries))
    zip.on('entry', (entry: Entry) => {
      total += entry.uncompressedSize
      const problem =
        total > limits.totalBytes ? `it unpacks to more than ${limits.totalBytes} bytes` : problemOf(entry, entries, limits)
      if (problem !== undefined) return reject(unreadableArchive(problem))
      if (!entry.fileName.endsWith('/')) entries.set(entry.fileName, entry)
      zip.readEntry()
    })
    zip.readEntry()
  })
}

const [TYPE_BITS, LINK_TYPE, FILE_TYPE, FOLDER_TYPE] = [0o170000, 0o120000, 0o100000, 0o040000]

function problemOf(entry: Entry, others: ReadonlyMap<string, Entry>, limits: ArchiveLimits): string | undefined {
  const { fileName, uncompressedSize: size, compressedSize: packed } = entry
  const type = (entry.externalFileAttributes >>> 16) & TYPE_BITS
  if (type === LINK_TYPE) return `${fileName} is a symbolic link`
  if (type !== 0 && type !== FILE_TYPE && type !== FOLDER_TYPE) return `${fileName} is not a regular file`
  if (entry.isEncrypted()) return `${fileName} is encrypted`
  if (others.has(fileName)) return `it contains ${fileName} twice`
  if (fileName.includes('\0')) return 'the name of an entry contains a zero byte'
  if (size > limits.entryBytes) return `${fileName} unpacks to more than ${limits.entryBytes} bytes`
  if (size > limits.ratioFrom && size > packed * limits.ratio)
    return `${fileName} unpacks to more than ${limits.ratio} times its size`
  return undefined
}

/** Entries that share their bytes would unpack to much more than the size of the file. */
function requireOwnBytes(entries: ReadonlyMap<string, Entry>, size: number): void {
  let packed = 0
  for (const { compressedSize } of entries.values()) packed += compressedSize
  if (packed > size) throw unreadableArchive('its entries overlap')
}
