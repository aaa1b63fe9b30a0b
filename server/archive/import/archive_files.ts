import { createWriteStream, openAsBlob } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { refusalOf } from '../../cloning/clone_parts.ts'
import type { CloneTarget } from '../../cloning/clone_target.ts'
import { uploadFile } from '../../cloning/file_copier.ts'
import { extensionOf, typesOf } from '../../domain/file_uploads/types.ts'
import type { OmittedContent } from '../manifest.ts'
import type { ZipReader } from '../zip_reader.ts'

/** An upload, and its media type. */
export interface UploadedFile {
  readonly id: string
  readonly type: string
}

/** Uploads files of an archive where pages use them. A file is on the disk meanwhile, never in memory as a whole. */
export class ArchiveFiles {
  readonly used = new Set<string>()
  readonly #target: CloneTarget
  readonly #zip: ZipReader
  readonly #leftOut: OmittedContent[]
  readonly #folder: string
  count = 0

  private constructor(target: CloneTarget, zip: ZipReader, leftOut: OmittedContent[], folder: string) {
    this.#target = target
    this.#zip = zip
    this.#leftOut = leftOut
    this.#folder = folder
  }

  static async open(target: CloneTarget, zip: ZipReader, leftOut: OmittedContent[]): Promise<ArchiveFiles> {
    return new ArchiveFiles(target, zip, leftOut, await mkdtemp(join(tmpdir(), 'workspace-import-')))
  }

  /** @returns undefined, and noted, if the service does not take the file */
  async upload(path: string): Promise<UploadedFile | undefined> {
    this.used.add(path)
    const name = posix.basename(path)
    const type = typesOf(extensionOf(name) ?? '')?.[0]
    if (type === undefined) return this.#leave(path, 'The service takes no files of this kind.')
    const place = join(this.#folder, 'file')
    try {
      await pipeline(await this.#zip.read(path), createWriteStream(place, { mode: 0o600 }))
      const id = await uploadFile(this.#target, await openAsBlob(place, { type }), name, type)
      this.count += 1
      return { id, type }
    } catch (error) {
      return this.#leave(path, refusalOf(error))
    } finally {
      await rm(place, { force: true })
    }
  }

  async close(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true })
  }

  #leave(path: string, reason: string): undefined {
    this.#leftOut.push({ what: 'file', where: path, reason })
    return undefined
  }
}
