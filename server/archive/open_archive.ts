import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join, posix } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ArchiveReader } from './archive_reader.ts'
import { FolderReader } from './folder_reader.ts'
import { isContent } from './import/archive_paths.ts'
import { MANIFEST_FORMAT, MANIFEST_PATH } from './manifest.ts'
import { archiveLimits, ZipReader, type ArchiveLimits } from './zip_reader.ts'

/**
 * Opens a zip file, a folder, or a file that is imported alone.
 * @throws AdministrationError if it is no archive, or not safe to read
 */
export async function openArchive(path: string, limits: ArchiveLimits = archiveLimits): Promise<ArchiveReader> {
  if ((await stat(path)).isDirectory()) return FolderReader.open(path, limits)
  if (isContent(path)) return FolderReader.openFile(path)
  const zip = await ZipReader.open(path, limits)
  const inner = new Set(zip.paths.filter((name) => extname(name).toLowerCase() === '.zip'))
  if (inner.size === 0 || zip.has(MANIFEST_PATH) || zip.paths.some(isContent)) return zip
  try {
    return await NestedArchive.open(zip, inner, limits)
  } catch (error) {
    await zip.close()
    throw error
  }
}

/** Whether a folder holds pages: the manifest of an export of rows is another one, and so is that of no pages at all. */
export async function isFolderOfPages(path: string): Promise<boolean> {
  const folder = await FolderReader.open(path)
  if (!folder.has(MANIFEST_PATH)) return folder.paths.some(isContent)
  return (await folder.head(MANIFEST_PATH, MANIFEST_START)).includes(`"${MANIFEST_FORMAT}"`)
}

/** Where a manifest names its format. */
const MANIFEST_START = 1_024

interface Place {
  readonly reader: ArchiveReader
  readonly path: string
}

/**
 * A zip file whose pages are in zip files of its own, as one archive: exports of whole workspaces are packed in parts. Zip files within the
 * parts stay files.
 */
class NestedArchive extends ArchiveReader {
  readonly #places = new Map<string, Place>()
  readonly #folder: string
  readonly #readers: ArchiveReader[]

  private constructor(zip: ZipReader, folder: string) {
    super()
    this.#readers = [zip]
    this.#folder = folder
  }

  static async open(zip: ZipReader, inner: ReadonlySet<string>, limits: ArchiveLimits): Promise<NestedArchive> {
    const archive = new NestedArchive(zip, await mkdtemp(join(tmpdir(), 'workspace-import-')))
    try {
      for (const path of zip.paths) if (!inner.has(path)) archive.#places.set(path, { reader: zip, path })
      let [entries, totalBytes] = [limits.entries, limits.totalBytes]
      for (const path of inner) {
        const part = await archive.#unpack(zip, path, { ...limits, entries, totalBytes })
        entries -= part.paths.length
        totalBytes -= part.paths.reduce((sum, name) => sum + part.sizeOf(name), 0)
      }
      return archive
    } catch (error) {
      await archive.close()
      throw error
    }
  }

  async #unpack(zip: ZipReader, path: string, limits: ArchiveLimits): Promise<ZipReader> {
    const place = join(this.#folder, String(this.#readers.length))
    await pipeline(await zip.read(path), createWriteStream(place, { mode: 0o600 }))
    const reader = await ZipReader.open(place, limits)
    this.#readers.push(reader)
    for (const name of reader.paths) this.#places.set(this.#freePath(name, path), { reader, path: name })
    return reader
  }

  /** What several parts hold under one name goes into folders of their own. */
  #freePath(name: string, part: string): string {
    return this.#places.has(name) ? posix.join(part.slice(0, -extname(part).length), name) : name
  }

  get paths(): readonly string[] {
    return [...this.#places.keys()]
  }

  has(path: string): boolean {
    return this.#places.has(path)
  }

  sizeOf(path: string): number {
    const { reader, path: inner } = this.#require(path)
    return reader.sizeOf(inner)
  }

  read(path: string): Promise<Readable> {
    const { reader, path: inner } = this.#require(path)
    return reader.read(inner)
  }

  async close(): Promise<void> {
    for (const reader of this.#readers) await reader.close()
    await rm(this.#folder, { recursive: true, force: true })
  }

  #require(path: string): Place {
    const place = this.#places.get(path)
    if (!place) throw new RangeError(`the archive has no ${path}`)
    return place
  }
}
