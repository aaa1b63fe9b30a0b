import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { RequestHandler, Router } from 'express'
import Negotiator from 'negotiator'
import { releaseDates } from '../versions/index.ts'

interface Representation {
  readonly bytes: Buffer
  readonly etag: string
}

const TYPES = { yaml: 'application/yaml', json: 'application/json' } as const
const compress = promisify(gzip)

/**
 * Serves the contract as of each release date at `/openapi/<date>.yaml` and `.json`, compressed for who takes that.
 * @param folder where the contracts are, as `<date>.yaml` and `<date>.json`
 */
export function serveDatedContracts(app: Router, page: RequestHandler, folder: string): void {
  for (const date of releaseDates)
    for (const [ending, type] of Object.entries(TYPES))
      app.get(`/openapi/${date}.${ending}`, page, compressedFile(join(folder, `${date}.${ending}`), type))
}

function compressedFile(path: string, type: string): RequestHandler {
  const known = new Map<string, Promise<Representation>>()
  return async (request, response) => {
    const encoding = new Negotiator(request).encoding(['gzip', 'identity']) ?? 'identity'
    const representation = known.get(encoding) ?? represent(path, encoding)
    known.set(encoding, representation)
    // A file that could not be read may be there the next time.
    representation.catch(() => known.delete(encoding))
    const { bytes, etag } = await representation
    response.set({ 'Content-Type': type, Vary: 'Accept-Encoding', ETag: etag })
    if (encoding === 'gzip') response.set('Content-Encoding', 'gzip')
    response.send(bytes)
  }
}

async function represent(path: string, encoding: string): Promise<Representation> {
  const bytes = await readFile(path)
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}-${encoding}"`
  return { bytes: encoding === 'gzip' ? await compress(bytes) : bytes, etag }
}
