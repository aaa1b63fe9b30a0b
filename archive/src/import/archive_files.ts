import { createWriteStream, openAsBlob } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { refusalOf } from '@workspace-service/cloning/clone_context.ts'
import type { CloneTarget } from '@workspace-service/cloning/clone_target.ts'
import { uploadTo } from '@workspace-service/cloning/file_copier.ts'
import { extensionOf, typesOf } from '@workspace-service/server/domain/files/index.ts'
import type { OmittedContent } from '../manifest.ts'
import type { ArchiveReader } from '../archive_reader.ts'
import { SerialQueue } from './serial_queue.ts'

export interface UploadedFile {
  readonly id: string
  readonly type: string
}

/** Uploads files of an archive on first use, one after the other. During its upload, a file is on disk, never completely in memory. */
export class ArchiveFiles {
  readonly #target: CloneTarget
  readonly #archive: ArchiveReader
  readonly #folder: string
  readonly #uploads = new SerialQueue()

  private constructor(target: CloneTarget, archive: ArchiveReader, folder: string) {
    this.#target = target
    this.#archive = archive
    this.#folder = folder
  }

  static async open(target: CloneTarget, archive: ArchiveReader): Promise<ArchiveFiles> {
    return new ArchiveFiles(target, archive, await mkdtemp(join(tmpdir(), 'workspace-import-')))
  }

  /** @returns undefined if the service refuses the file, which is noted */
  upload(path: string, leftOut: OmittedContent[]): Promise<UploadedFile | undefined> {
    return this.#uploads.run(() => this.#uploadNow(path, leftOut))
  }

  async #uploadNow(path: string, leftOut: OmittedContent[]): Promise<UploadedFile | undefined> {
    const refuse = (reason: string): undefined => void leftOut.push({ what: 'file', where: path, reason })
    const name = posix.basename(path)
    const type = typesOf(extensionOf(name) ?? '')?.[0]
    if (type === undefined) return refuse('The service does not accept files of this type.')
    const place = join(this.#folder, 'file')
    try {
      await pipeline(await this.#archive.read(path), createWriteStream(place, { mode: 0o600 }))
      return { id: await uploadTo(this.#target, await openAsBlob(place, { type }), name, type), type }
    } catch (error) {
      return refuse(refusalOf(error))
    } finally {
      await rm(place, { force: true })
    }
  }

  async close(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true })
  }
}
