import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { RequestHandler, Router } from 'express'
import Negotiator from 'negotiator'
import { contractText } from '../contract/contract_text.ts'
import { releaseDates } from '../versions/index.ts'

interface Representation {
  readonly bytes: Buffer
  readonly etag: string
}

/** Matches the server address in a contract file, as YAML or as JSON. */
const SERVER_ADDRESS = /(?:^servers:\n +- url: |"servers":\[\{"url":")([^\s"]+)/m
const TYPES = { yaml: 'application/yaml', json: 'application/json' } as const
/** Contract files for client generators, some of which read OpenAPI 3.0 and others 3.1. */
const GENERATOR_FILES = ['openapi.sdk.yaml', 'openapi.sdk31.yaml']
const compress = promisify(gzip)

/**
 * Serves the contract at `/openapi.yaml` and `.json`, the contract of each release date at `/openapi/<date>.yaml` and `.json`, and the
 * contracts for client generators at `/openapi.sdk.yaml` and `/openapi.sdk31.yaml`. Each contains this service's address as its server.
 * They are compressed for clients that accept gzip.
 * @param folder holds files with these names; those of release dates are in `versions/`
 */
export function serveContractFiles(app: Router, page: RequestHandler, folder: string, baseUrl: () => string): void {
  for (const name of GENERATOR_FILES) app.get(`/${name}`, page, contractFile(folder, name, TYPES.yaml, baseUrl))
  for (const [ending, type] of Object.entries(TYPES)) {
    app.get(`/openapi.${ending}`, page, contractFile(folder, `openapi.${ending}`, type, baseUrl))
    for (const date of releaseDates)
      app.get(`/openapi/${date}.${ending}`, page, contractFile(folder, `versions/${date}.${ending}`, type, baseUrl))
  }
}

function contractFile(folder: string, name: string, type: string, baseUrl: () => string): RequestHandler {
  let compressed: Promise<Representation> | undefined
  return async (request, response) => {
    const encoding = new Negotiator(request).encoding(['gzip', 'identity']) ?? 'identity'
    const represented = (): Promise<Representation> => represent(contractText(folder, name), encoding, baseUrl())
    // Only the compressed files are cached. Uncompressed, they would take too much memory together.
    if (encoding === 'gzip') compressed ??= represented()
    // Do not cache a failed read.
    compressed?.catch(() => (compressed = undefined))
    const { bytes, etag } = await (encoding === 'gzip' && compressed !== undefined ? compressed : represented())
    response.set({ 'Content-Type': type, Vary: 'Accept-Encoding', ETag: etag })
    if (encoding === 'gzip') response.set('Content-Encoding', 'gzip')
    response.send(bytes)
  }
}

/** The address of the first server in the text of a contract. */
export function namedAddress(contract: string): string | undefined {
  return SERVER_ADDRESS.exec(contract)?.[1]
}

/** The name of the API in the contract of a folder. The file is read once, on first use. */
export function productNameIn(folder: string): () => Promise<string> {
  let name: Promise<string> | undefined
  return () => {
    name ??= contractText(folder, 'openapi.json').then((text) => {
      const { info } = JSON.parse(text) as { info: { title: string } } // The file was checked when it was generated.
      return info.title
    })
    name.catch(() => (name = undefined))
    return name
  }
}

async function represent(reading: Promise<string>, encoding: string, baseUrl: string): Promise<Representation> {
  const text = await reading
  const own = namedAddress(text)
  const bytes = Buffer.from(own === undefined ? text : text.replaceAll(own, baseUrl))
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}-${encoding}"`
  return { bytes: encoding === 'gzip' ? await compress(bytes) : bytes, etag }
}
