import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import type { Request, RequestHandler, Router } from 'express'
import { PackedFolder } from '../kernel/packed_folder.ts'
import { namedAddress } from './contract_files.ts'
import { policyOfPage } from './page_policy.ts'

/** Matches paths of files and folders of the reference, and no path that could lead out of it. */
const PATH = /^\/docs\/((?:[\w-]+(?:\.[\w-]+)*\/)*(?:[\w-]+(?:\.[\w-]+)*)?)$/
const TEXTS: ReadonlySet<string> = new Set(['.html', '.md', '.txt', '.yaml', '.json'])
const MARKDOWN = 'text/markdown'

interface Folders {
  /** Folder of the rendered reference. It may be packed, and need not exist. */
  readonly docsFolder: string
  readonly contractFolder: string
}

/**
 * Serves the reference, with the address of this service in place of the address in the contract. A page is also found without its file
 * extension, and served as Markdown if the Accept header prefers that.
 */
export function serveSite(
  app: Router,
  page: RequestHandler,
  { docsFolder, contractFolder }: Folders,
  baseUrl: () => string,
): void {
  const packed = PackedFolder.of(docsFolder)
  const read = (name: string): Promise<Buffer | undefined> =>
    packed?.read(name) ?? readFile(join(docsFolder, name)).catch(() => undefined)
  let written: Promise<string | undefined> | undefined
  const named = async (text: string): Promise<string> => {
    written ??= readFile(join(contractFolder, 'openapi.yaml'), 'utf8').then(namedAddress)
    written.catch(() => (written = undefined))
    const address = await written
    return address === undefined ? text : text.replaceAll(address, baseUrl())
  }
  app.get(PATH, page, async (request, response, next) => {
    const [, path = ''] = PATH.exec(request.path) ?? []
    response.vary('Accept')
    for (const name of candidates(path, request)) {
      const bytes = await read(name)
      if (bytes === undefined) continue
      const ending = posix.extname(name)
      response.type(ending === '.md' ? MARKDOWN : ending)
      if (ending === '.html') response.set('Content-Security-Policy', policyOfPage(bytes.toString()))
      const sent = TEXTS.has(ending) ? await named(bytes.toString()) : bytes
      response.set('ETag', `"${createHash('sha256').update(sent).digest('base64url').slice(0, 27)}"`)
      return void response.send(sent)
    }
    if (await read(`${path}/index.html`)) return response.redirect(301, `${baseUrl()}${request.path}/`)
    next()
  })
}

/** The files to which a path may refer, the caller's preferred one first. */
function candidates(path: string, request: Request): string[] {
  const page = path === '' || path.endsWith('/') ? `${path}index` : path.replace(/\.html$/, '')
  const html = path.endsWith('.html') || page !== path ? [`${page}.html`] : [path, `${page}.html`]
  return request.accepts(['text/html', MARKDOWN]) === MARKDOWN ? [`${page}.md`, ...html] : html
}
