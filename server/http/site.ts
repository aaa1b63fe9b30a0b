import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RequestHandler, Router } from 'express'
import { namedAddress } from './contract_files.ts'
import type { PackedFolder } from '../kernel/packed_folder.ts'

/** Markdown, lists and forms of the contract in the folder of the reference: names without anything that could lead out of it. */
const TEXT = /^\/docs\/((?:[\w-]+(?:\.[\w-]+)*\/)*[\w-]+(?:\.[\w-]+)*\.(md|txt|yaml|json))$/

/** Those that are known to be worth compressing. */
const TYPES: Readonly<Record<string, string>> = {
  md: 'text/markdown',
  txt: 'text/plain',
  yaml: 'text/yaml',
  json: 'application/json',
}

interface Folders {
  readonly docsFolder: string
  readonly contractFolder: string
  /** Undefined if the reference is a folder of files. */
  readonly packed: PackedFolder | undefined
}

/**
 * Serves what programs read of the reference, such as `sitemap.txt`, with the address of this service in the place of the one that the
 * contract names. In HTML, the page itself does that.
 */
export function serveSiteTexts(
  app: Router,
  page: RequestHandler,
  { docsFolder, contractFolder, packed }: Folders,
  baseUrl: () => string,
): void {
  const read = (path: string): Promise<Buffer | undefined> =>
    packed?.read(path) ?? readFile(join(docsFolder, path)).catch(() => undefined)
  let written: Promise<string | undefined> | undefined
  app.get(TEXT, page, async (request, response, next) => {
    const [, path, ending = ''] = TEXT.exec(request.path) ?? []
    const text = path === undefined ? undefined : await read(path)
    if (path === undefined || text === undefined) return next()
    written ??= readFile(join(contractFolder, 'openapi.yaml'), 'utf8').then(namedAddress)
    written.catch(() => (written = undefined))
    const address = await written
    response.type(TYPES[ending] ?? 'text/plain')
    const own = address === undefined ? text.toString() : text.toString().replaceAll(address, baseUrl())
    response.set('ETag', `"${createHash('sha256').update(own).digest('base64url').slice(0, 27)}"`)
    response.send(own)
  })
}
