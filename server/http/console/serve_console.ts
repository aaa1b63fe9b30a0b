import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import compression from 'compression'
import type { Router } from 'express'
import { PackedFolder } from '../../kernel/packed_folder.ts'
import type { Response } from '../../kernel/response.ts'
import type { Dependencies } from '../dependencies.ts'
import { failurePage } from '../oauth/failure_page.ts'
import { redirectResponse } from '../oauth/page.ts'
import { respondWithPage, type PageHandler } from '../oauth/person_pages.ts'
import { basePath, CONSOLE_PATH, SIGN_IN_PATH } from '../oauth/site_paths.ts'
import { consoleApi } from './console_api.ts'

const YEAR_SECONDS = 31_536_000
/** Matches names that cannot lead out of the folder. */
const FILE = /^(?:assets\/)?[\w-]+\.\w+$/
/** The build does not know the path of the service's address, and writes this placeholder instead. */
const BASE_PLACEHOLDER = '/__BASE__'

/** Serves the console: its API, its files, and one page for every other path below `/console`. */
export function serveConsole(app: Router, deps: Dependencies, folder: string): void {
  app.use(CONSOLE_PATH, compression())
  app.use(`${CONSOLE_PATH}/api`, consoleApi(deps))
  const read = readerOf(folder)
  app.get(`${CONSOLE_PATH}/assets/:name`, async (request, response, next) => {
    deps.contexts.of(response).operationLabel = 'page'
    const bytes = await read(`assets/${request.params.name}`)
    if (bytes === undefined) return next()
    // The name of an asset contains a digest of its content.
    response.setHeader('Cache-Control', `public, max-age=${YEAR_SECONDS}, immutable`)
    response.type(extname(request.params.name)).send(bytes)
  })
  const showConsole = consolePage(read)
  app.get([CONSOLE_PATH, `${CONSOLE_PATH}/{*path}`], (request, response) => respondWithPage(deps, showConsole, request, response))
}

type Reader = (name: string) => Promise<Buffer | undefined>

/** Reads files of the build. In the published package, they are packed. */
function readerOf(folder: string): Reader {
  const packed = PackedFolder.of(folder)
  return async (name) => {
    if (!FILE.test(name)) return undefined
    return packed?.read(name) ?? readFile(join(folder, 'dist', name)).catch(() => undefined)
  }
}

function consolePage(read: Reader): PageHandler {
  return async (deps, { request, session }) => {
    if (!session) {
      const query = new URLSearchParams({ return_to: request.originalUrl })
      return redirectResponse(`${deps.baseUrl()}${SIGN_IN_PATH}?${query.toString()}`, 303)
    }
    const html = (await read('index.html'))?.toString()
    return html === undefined ? notBuilt() : { status: 200, headers: HEADERS, text: withBase(html, basePath(deps.baseUrl())) }
  }
}

function withBase(html: string, base: string): string {
  return html.replaceAll(BASE_PLACEHOLDER, base)
}

function notBuilt(): Response {
  const message = 'The console has not been built. Run “npm run console” and reload this page.'
  return failurePage({ status: 404, title: 'Nothing is here', message })
}

const HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
}
