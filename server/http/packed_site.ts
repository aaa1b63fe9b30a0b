import { existsSync } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { RequestHandler } from 'express'
import Negotiator from 'negotiator'

/** Where a file is in a packed site: compressed by gzip, `bytes` long, `at` bytes from the beginning. */
export interface PackedFile {
  readonly at: number
  readonly bytes: number
  readonly etag: string
  /** Which of the index's policies its page has. */
  readonly policy: number
}

/** The files of a packed site by their paths, and what their pages may load, each `Content-Security-Policy` once. */
export interface PackedIndex {
  readonly policies: readonly string[]
  readonly files: Readonly<Record<string, PackedFile>>
}

/** A site of thousands of pages in two files, an eighth as large: how the package brings the reference. */
export interface PackedSite {
  readonly pack: string
  readonly index: string
}

/** What a folder is called when it is packed. */
export function packedNames(folder: string): PackedSite {
  return { pack: `${folder}.pack`, index: `${folder}.pack.json` }
}

const expand = promisify(gunzip)

/** Reads a file of a packed site by its path, undefined for one that it does not have. Undefined where there is no such site. */
export function packedReader(folder: string): ((path: string) => Promise<Buffer | undefined>) | undefined {
  const { pack, index } = packedNames(folder)
  if (!existsSync(index)) return undefined
  const readIndex = indexReader(index)
  return async (path) => {
    const { files } = await readIndex()
    const file = Object.hasOwn(files, path) ? files[path] : undefined
    return file && expand(await bytesOf(pack, file))
  }
}

/** Serves a packed site as `express.static` would its folder. Undefined where there is none. */
export function servePacked(folder: string): RequestHandler | undefined {
  const { pack, index } = packedNames(folder)
  if (!existsSync(index)) return undefined
  const readIndex = indexReader(index)
  return async (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next()
    const { files, policies } = await readIndex()
    const path = request.path.slice(1)
    const name = [path, `${path}.html`, `${path}index.html`].find((candidate) => Object.hasOwn(files, candidate))
    if (name === undefined) {
      if (Object.hasOwn(files, `${path}/index.html`)) return response.redirect(301, `${request.baseUrl}${request.path}/`)
      return next()
    }
    const file = files[name] as PackedFile
    response.set({ ETag: file.etag, Vary: 'Accept-Encoding', 'Content-Security-Policy': policies[file.policy] })
    response.type(posix.extname(name))
    const bytes = await bytesOf(pack, file)
    if (new Negotiator(request).encoding(['gzip', 'identity']) !== 'gzip') return void response.send(await expand(bytes))
    response.set('Content-Encoding', 'gzip').send(bytes)
  }
}

/** Reads the index when it is first asked for. */
function indexReader(path: string): () => Promise<PackedIndex> {
  let known: Promise<PackedIndex> | undefined
  return () => (known ??= readFile(path, 'utf8').then((text) => JSON.parse(text) as PackedIndex))
}

async function bytesOf(pack: string, { at, bytes }: PackedFile): Promise<Buffer> {
  const handle = await open(pack)
  try {
    const { buffer } = await handle.read(Buffer.alloc(bytes), 0, bytes, at)
    return buffer
  } finally {
    await handle.close()
  }
}
