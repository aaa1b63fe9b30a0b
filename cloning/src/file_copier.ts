import { openAsBlob } from 'node:fs'
import { rm } from 'node:fs/promises'
import { percentDecoded } from '@workspace-service/server/kernel/urls.ts'
import { refusalOf } from './clone_context.ts'
import type { CloneTarget } from './clone_target.ts'
import type { ProgressFile } from './progress_file.ts'
import { DownloadFailed, type SourceFiles } from './source_files.ts'
import type { HostedFile } from './value_rewriter.ts'

/** A file up to this size is sent in one piece; a larger one is split into parts of this size. */
const PART_BYTES = 10 * 1024 * 1024

/** Copies hosted files of the source by uploads. During its upload, a file is on disk, never completely in memory. */
export class FileCopier {
  readonly #source: SourceFiles
  readonly #target: CloneTarget
  readonly #progress: ProgressFile

  constructor(source: SourceFiles, target: CloneTarget, progress: ProgressFile) {
    this.#source = source
    this.#target = target
    this.#progress = progress
  }

  /** @returns the id of the upload; undefined if the file cannot be downloaded, which is noted */
  async copy({ url, name }: HostedFile): Promise<string | undefined> {
    // The rest of the address is a signature, which differs each time.
    const [place = url] = url.split('?')
    const path = this.#progress.temporaryPath
    try {
      const type = await this.#source.download(url, path)
      return await uploadTo(this.#target, await openAsBlob(path, { type }), name ?? nameIn(place), type)
    } catch (error) {
      this.#progress.leaveOut('file', place, error instanceof DownloadFailed ? error.message : refusalOf(error))
      return undefined
    } finally {
      await rm(path, { force: true })
    }
  }
}

/** Sends a file to the local service, in parts if it is large. @returns the id of the upload */
export async function uploadTo(target: CloneTarget, file: Blob, filename: string, type: string): Promise<string> {
  const count = Math.max(1, Math.ceil(file.size / PART_BYTES))
  const parts = count > 1 ? { mode: 'multi_part', number_of_parts: count } : {}
  const body = { filename, content_type: type, ...parts }
  const id = String((await target.send('createFileUpload', { body }))['id'])
  const path = { file_upload_id: id }
  for (let index = 0; index < count; index += 1) {
    const form = new FormData()
    form.set('file', file.slice(index * PART_BYTES, (index + 1) * PART_BYTES, type), filename)
    if (count > 1) form.set('part_number', String(index + 1))
    await target.send('sendFileUpload', { path, body: form })
  }
  if (count > 1) await target.send('completeFileUpload', { path })
  return id
}

function nameIn(address: string): string {
  return percentDecoded(address.split('/').at(-1) ?? '') || 'file'
}
