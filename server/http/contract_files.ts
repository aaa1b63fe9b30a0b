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

/** Before the address that a contract itself names, as YAML or as JSON. */
const OWN_ADDRESS = /(?:^servers:\n +- url: |"servers":\[\{"url":")([^\s"]+)/m
const TYPES = { yaml: 'application/yaml', json: 'application/json' } as const
/** Forms for generators of clients, which read either release of OpenAPI. */
const FORMS_FOR_GENERATORS = ['openapi.sdk.yaml', 'openapi.sdk31.yaml']
const compress = promisify(gzip)

/**
 * Serves the contract at `/openapi.yaml` and `.json`, as of each release date at `/openapi/<date>.yaml` and `.json`, and for generators
 * of clients at `/openapi.sdk.yaml` and `/openapi.sdk31.yaml`: with the address of this service, compressed for who takes that.
 * @param folder of the files by these names, and of `versions/` with those of each release date
 */
export function serveContractFiles(app: Router, page: RequestHandler, folder: string, baseUrl: () => string): void {
  for (const name of FORMS_FOR_GENERATORS) app.get(`/${name}`, page, contractFile(join(folder, name), TYPES.yaml, baseUrl))
  for (const [ending, type] of Object.entries(TYPES)) {
    app.get(`/openapi.${ending}`, page, contractFile(join(folder, `openapi.${ending}`), type, baseUrl))
    for (const date of releaseDates)
      app.get(`/openapi/${date}.${ending}`, page, contractFile(join(folder, 'versions', `${date}.${ending}`), type, baseUrl))
  }
}

function contractFile(path: string, type: string, baseUrl: () => string): RequestHandler {
  let compressed: Promise<Representation> | undefined
  return async (request, response) => {
    const encoding = new Negotiator(request).encoding(['gzip', 'identity']) ?? 'identity'
    const represented = (): Promise<Representation> => represent(path, encoding, baseUrl())
    // Only what is small is kept: there are many of these files.
    if (encoding === 'gzip') compressed ??= represented()
    // A file that could not be read may be there the next time.
    compressed?.catch(() => (compressed = undefined))
    const { bytes, etag } = await (encoding === 'gzip' && compressed !== undefined ? compressed : represented())
    response.set({ 'Content-Type': type, Vary: 'Accept-Encoding', ETag: etag })
    if (encoding === 'gzip') response.set('Content-Encoding', 'gzip')
    response.send(bytes)
  }
}

/** The address that the text of a contract names as its first server. */
export function namedAddress(contract: string): string | undefined {
  return OWN_ADDRESS.exec(contract)?.[1]
}

/** What the contract in a folder calls the API. The file is read once, when the name is first asked for. */
export function productNameIn(folder: string): () => Promise<string> {
  let name: Promise<string> | undefined
  return () => {
    name ??= readFile(join(folder, 'openapi.json'), 'utf8').then((text) => {
      const { info } = JSON.parse(text) as { info: { title: string } } // checked when it was generated
      return info.title
    })
    name.catch(() => (name = undefined))
    return name
  }
}

async function represent(path: string, encoding: string, baseUrl: string): Promise<Representation> {
  const text = await readFile(path, 'utf8')
  const own = namedAddress(text)
  const bytes = Buffer.from(own === undefined ? text : text.replaceAll(own, baseUrl))
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}-${encoding}"`
  return { bytes: encoding === 'gzip' ? await compress(bytes) : bytes, etag }
}
