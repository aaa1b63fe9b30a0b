import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RequestHandler, Router } from 'express'
import { namedAddress } from './contract_files.ts'
import { packedReader } from './packed_site.ts'

/** The Markdown files and lists of the reference: names without anything that could lead out of its folder. */
const TEXT = /^\/docs\/((?:[\w-]+(?:\.[\w-]+)*\/)*[\w-]+(?:\.[\w-]+)*\.(?:md|txt))$/

interface Folders {
  readonly docsFolder: string
  readonly contractFolder: string
}

/**
 * Serves what programs read of the reference, such as `sitemap.txt`, with the address of this service in the place of the one that the
 * contract names. In HTML, the page itself does that.
 */
export function serveSiteTexts(
  app: Router,
  page: RequestHandler,
  { docsFolder, contractFolder }: Folders,
  baseUrl: () => string,
): void {
  const read = packedReader(docsFolder) ?? ((path: string) => readFile(join(docsFolder, path)).catch(() => undefined))
  let written: Promise<string | undefined> | undefined
  app.get(TEXT, page, async (request, response, next) => {
    const path = TEXT.exec(request.path)?.[1]
    const text = path === undefined ? undefined : await read(path)
    if (path === undefined || text === undefined) return next()
    written ??= readFile(join(contractFolder, 'openapi.yaml'), 'utf8').then(namedAddress)
    written.catch(() => (written = undefined))
    const address = await written
    response.type(path.endsWith('.md') ? 'text/markdown' : 'text/plain')
    const own = address === undefined ? text.toString() : text.toString().replaceAll(address, baseUrl())
    response.set('ETag', `"${createHash('sha256').update(own).digest('base64url').slice(0, 27)}"`)
    response.send(own)
  })
}
