import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join, posix } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AdministrationError } from '@workspace-service/server/domain/shared/index.ts'
import { ArchiveReader } from './archive_reader.ts'
import { FolderReader } from './folder_reader.ts'
import { isContent } from './import/archive_paths.ts'
import { MANIFEST_FORMAT, MANIFEST_PATH } from './manifest.ts'
import { archiveLimits, ZipReader, type ArchiveLimits } from './zip_reader.ts'

/**
 * Opens a zip file, a folder, or a file that is imported on its own.
 * @throws AdministrationError if it is not an archive, or not safe to read
 */
export async function openArchive(path: string, limits: ArchiveLimits = archiveLimits): Promise<ArchiveReader> {
  const isFolder = (await stat(path)).isDirectory()
  if (!isFolder && isContent(path)) return FolderReader.openFile(path)
  const archive = isFolder ? await FolderReader.open(path, limits) : await ZipReader.open(path, limits)
  return isPacked(archive) ? PackedArchive.open(archive, limits) : archive
}

/** Whether a folder contains pages. If its manifest has another format, it does not: it may be an export of rows. */
export async function isFolderOfPages(path: string): Promise<boolean> {
  const folder = await FolderReader.open(path)
  if (!folder.has(MANIFEST_PATH)) return folder.paths.some(isContent) || isPacked(folder)
  return (await folder.head(MANIFEST_PATH, MANIFEST_START)).includes(`"${MANIFEST_FORMAT}"`)
}

/** How far into a manifest its format is searched for. */
const MANIFEST_START = 1_024

function isZip(path: string): boolean {
  return extname(path).toLowerCase() === '.zip'
}

/** Whether an archive has no pages itself, but contains zip files that may have some. */
function isPacked({ paths }: ArchiveReader): boolean {
  return paths.some(isZip) && !paths.some((path) => isContent(path) || path === MANIFEST_PATH)
}

/** The maximum depth of nested zip files. */
const LAYERS_MAX = 4

interface Place {
  readonly reader: ArchiveReader
  readonly path: string
}

/**
 * An archive whose pages are in zip files, presented as one archive: exports of whole workspaces are split into several zip files. Zip
 * files beside pages stay files.
 */
class PackedArchive extends ArchiveReader {
  readonly #places = new Map<string, Place>()
  readonly #folder: string
  readonly #readers: ArchiveReader[] = []
  /** The remaining size of all parts together. */
  #remaining: ArchiveLimits

  private constructor(folder: string, limits: ArchiveLimits) {
    super()
    this.#folder = folder
    this.#remaining = limits
  }

  static async open(outer: ArchiveReader, limits: ArchiveLimits): Promise<PackedArchive> {
    const archive = new PackedArchive(await mkdtemp(join(tmpdir(), 'workspace-import-')), limits)
    try {
      await archive.#add(outer, '', 1)
      return archive
    } catch (error) {
      await archive.close()
      throw error
    }
  }

  /**
   * Adds the files of an archive and of its parts.
   * @param name of the folder for files whose paths exist already
   */
  async #add(reader: ArchiveReader, name: string, layer: number): Promise<void> {
    this.#readers.push(reader)
    const isPackedInParts = layer < LAYERS_MAX && isPacked(reader)
    for (const path of reader.paths)
      if (isPackedInParts && isZip(path))
        await this.#add(await this.#unpacked(reader, path), path.slice(0, -'.zip'.length), layer + 1)
      else this.#places.set(this.#places.has(path) ? posix.join(name, path) : path, { reader, path })
  }

  async #unpacked(outer: ArchiveReader, path: string): Promise<ZipReader> {
    const place = join(this.#folder, String(this.#readers.length))
    await pipeline(await outer.read(path), createWriteStream(place, { mode: 0o600 }))
    const part = await ZipReader.open(place, this.#remaining).catch((error: unknown) => {
      throw error instanceof AdministrationError ? new AdministrationError(`${path}: ${error.message}`) : error
    })
    const { entries, totalBytes } = this.#remaining
    const bytes = part.paths.reduce((sum, name) => sum + part.sizeOf(name), 0)
    this.#remaining = { ...this.#remaining, entries: entries - part.paths.length, totalBytes: totalBytes - bytes }
    return part
  }

  get paths(): readonly string[] {
    return [...this.#places.keys()]
  }

  override get skipped(): readonly string[] {
    return this.#readers.flatMap(({ skipped }) => skipped)
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
    if (!place) throw new RangeError(`the archive does not contain ${path}`)
    return place
  }
}
