import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { RemoteError, type HttpsFiles } from '@workspace-service/server/outbound/https_files.ts'

const DOWNLOAD_MS_MAX = 60 * 60 * 1000
const REDIRECTS_MAX = 5

/** A file that cannot be downloaded. */
export class DownloadFailed extends Error {
  override readonly name = 'DownloadFailed'
}

interface SourceFilesOptions {
  /** The origin of the server that is cloned. */
  readonly origin: string
  readonly bytesMax: number
  /** For files that the server stores elsewhere. */
  readonly elsewhere: HttpsFiles
}

interface Found {
  readonly contentType: string | undefined
  readonly bytes: AsyncIterable<Uint8Array>
}

/**
 * Downloads the files of a server. The server chooses their addresses, so private networks are refused, except for
 * the server's own address.
 */
export class SourceFiles {
  readonly #options: SourceFilesOptions

  constructor(options: SourceFilesOptions) {
    this.#options = options
  }

  /** Writes a file to a path. @returns its media type @throws DownloadFailed */
  async download(url: string, path: string): Promise<string> {
    try {
      const { contentType, bytes } = await this.#find(url)
      await pipeline(bounded(bytes, this.#options.bytesMax), createWriteStream(path, { mode: 0o600 }))
      return contentType?.split(';')[0] ?? 'application/octet-stream'
    } catch (error) {
      if (error instanceof DownloadFailed) throw error
      const reason = error instanceof Error ? error.message : String(error)
      throw new DownloadFailed(error instanceof RemoteError ? `Its address ${reason}.` : `It cannot be downloaded: ${reason}.`)
    }
  }

  async #find(url: string, redirects = 0): Promise<Found> {
    const signal = AbortSignal.timeout(DOWNLOAD_MS_MAX)
    const { origin, elsewhere } = this.#options
    if (URL.parse(url)?.origin !== origin) return elsewhere.download(url, signal)
    const response = await fetch(url, { signal, redirect: 'manual' })
    const next = response.headers.get('location')
    if (response.status >= 300 && response.status < 400 && next !== null && redirects < REDIRECTS_MAX)
      return this.#find(URL.parse(next, url)?.href ?? next, redirects + 1)
    if (!response.ok || !response.body) throw new DownloadFailed(`Its address responded with ${response.status}.`)
    return { contentType: response.headers.get('content-type') ?? undefined, bytes: response.body }
  }
}

async function* bounded(bytes: AsyncIterable<Uint8Array>, max: number): AsyncGenerator<Uint8Array, void, undefined> {
  let length = 0
  for await (const chunk of bytes) {
    length += chunk.length
    if (length > max) throw new DownloadFailed(`It has more than the ${max} bytes that this service accepts.`)
    yield chunk
  }
}
