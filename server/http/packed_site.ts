import { existsSync } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { RequestHandler } from 'express'
import Negotiator from 'negotiator'

/** Where a file is in the pack, compressed by gzip. */
export interface PackedFile {
  /** Offset in bytes. */
  readonly at: number
  /** Compressed size. */
  readonly bytes: number
  readonly etag: string
  /** Position of its `Content-Security-Policy` in the index's `policies`. */
  readonly policy: number
}

/** The index of a packed site. */
export interface PackedIndex {
  /** Each distinct `Content-Security-Policy` once. */
  readonly policies: readonly string[]
  /** By path. */
  readonly files: Readonly<Record<string, PackedFile>>
}

/** The paths of the two files that hold a packed site. Packed, the reference with its thousands of pages takes an eighth of the space. */
export interface PackedSite {
  readonly pack: string
  readonly index: string
}

/** The paths of the packed form of a folder. */
export function packedNames(folder: string): PackedSite {
  return { pack: `${folder}.pack`, index: `${folder}.pack.json` }
}

const expand = promisify(gunzip)

/** @returns reads a file of a packed site by its path, undefined for one that it lacks; undefined if the folder has no packed form */
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

/** Serves a packed site as `express.static` would serve its folder. @returns undefined if the folder has no packed form */
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
