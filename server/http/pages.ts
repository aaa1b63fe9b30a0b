import { existsSync } from 'node:fs'
import { join } from 'node:path'
import compression from 'compression'
import express, { type RequestHandler, type Router } from 'express'
import { serveContractFiles } from './contract_files.ts'
import type { Exchanges, Failure } from './exchanges.ts'
import { serveMetrics, type MetricsPage } from './metrics_page.ts'
import { basePath } from './oauth/site_paths.ts'
import { servePacked } from './packed_site.ts'
import { pagePolicy } from './page_policy.ts'
import { serveSchemaFiles } from './schema_files.ts'
import { serveSiteTexts } from './site_texts.ts'
import { requireTransport } from './require_transport.ts'
import { PackedFolder } from '../kernel/packed_folder.ts'

/** What the service serves besides the API. */
export interface Pages {
  /** Folder of the rendered reference. It may be packed, and need not exist. */
  readonly docsFolder: string
  /** Folder of the contract files: `openapi.yaml`, its other forms, and `versions/` with those of each release date. */
  readonly contractFolder: string
  /** Undefined when metrics are switched off. */
  readonly metrics: MetricsPage | undefined
  /** Why the service cannot handle requests; undefined if it can. */
  whyNotReady(): Promise<string | undefined>
}

interface PageParts {
  readonly exchanges: Exchanges
  readonly requiresHttps: boolean
  baseUrl(): string
}

const notBuilt = (base: string): string => `<!doctype html><meta charset="utf-8"><title>Reference</title>
<p>The reference has not been rendered yet. Run <code>npm run docs</code> and reload this page;
the contract itself is at <a href="${base}/openapi.yaml">/openapi.yaml</a>.`

const NO_SUCH_PAGE: Failure = {
  status: 404,
  code: 'invalid_request_url',
  message: 'The reference has no such page.',
  internal: undefined,
}

/** @param home address of the reference's first page */
const noSuchPage = (home: string): string => `<!doctype html><html lang="en"><meta charset="utf-8"><title>No such page</title>
<p>The reference has no such page. <a href="${home}">Its first page</a> leads to all others.`

/** Serves the reference, the contract files, the health checks and the metrics. */
export function servePages(app: Router, pages: Pages, parts: PageParts): void {
  const page = asPage(parts)
  const base = (): string => basePath(parts.baseUrl())
  app.get('/', page, (_request, response) => response.redirect(302, `${base()}/docs/`))
  app.get('/docs', page, (request, response, next) =>
    request.originalUrl === '/docs' ? response.redirect(301, `${base()}/docs/`) : next(),
  )
  app.use('/docs', compression())
  const packed = PackedFolder.of(pages.docsFolder)
  serveSiteTexts(app, page, { ...pages, packed }, () => parts.baseUrl())
  app.use(
    '/docs',
    page,
    packed === undefined
      ? express.static(pages.docsFolder, {
          extensions: ['html'],
          index: 'index.html',
          redirect: false,
          cacheControl: false,
          setHeaders: (response, path) => response.setHeader('Content-Security-Policy', pagePolicy(path)),
        })
      : servePacked(packed),
  )
  const { exchanges } = parts
  app.get(/^\/docs\//, (request, response, next) => {
    if (!isDecodable(request.path)) return next()
    if (isFolder(pages.docsFolder, packed, request.path)) return response.redirect(301, `${base()}${request.path}/`)
    exchanges.of(response).failure = NO_SUCH_PAGE
    const isBuilt = packed !== undefined || existsSync(pages.docsFolder)
    response
      .status(404)
      .type('html')
      .send(isBuilt || request.path !== '/docs/' ? noSuchPage(`${base()}/docs/`) : notBuilt(base()))
  })
  serveContractFiles(app, page, pages.contractFolder, () => parts.baseUrl())
  serveSchemaFiles(app, page, pages.contractFolder, () => parts.baseUrl())
  // Browsers request it for every site.
  app.get('/favicon.ico', page, (_request, response) => void response.status(204).end())
  serveHealth(app, pages, parts)
  if (pages.metrics) serveMetrics(app, pages.metrics, parts.exchanges)
}

/** Whether a path of the reference is that of a folder with a first page. @param path with `/docs/` */
function isFolder(docsFolder: string, packed: PackedFolder | undefined, path: string): boolean {
  // Resolves dots, so that the path stays in the folder.
  const { pathname } = new URL(path, 'http://localhost')
  const name = `${pathname.slice('/docs/'.length)}/index.html`
  return pathname.startsWith('/docs/') && (packed?.has(name) ?? existsSync(join(docsFolder, name)))
}

/** Whether every percent sign begins the code of a character. */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

/** Serves the health checks, over plain HTTP too: load balancers and orchestrators on the same network call them. */
function serveHealth(app: Router, { whyNotReady }: Pages, { exchanges }: PageParts): void {
  app.get('/healthz', (_request, response) => {
    exchanges.of(response).operationLabel = 'page'
    response.json({ status: 'ok' })
  })
  app.get('/readyz', async (_request, response) => {
    exchanges.of(response).operationLabel = 'page'
    const reason = await whyNotReady()
    response
      .status(reason === undefined ? 200 : 503)
      .json(reason === undefined ? { status: 'ready' } : { status: 'not ready', reason })
  })
}

/** Labels a request as one for a page, sets the security headers of pages, and requires HTTPS if the API does. */
function asPage({ exchanges, requiresHttps }: PageParts): RequestHandler {
  return (request, response, next) => {
    const exchange = exchanges.of(response)
    exchange.operationLabel = 'page'
    response.setHeader('Content-Security-Policy', pagePolicy(undefined))
    response.setHeader('X-Frame-Options', 'DENY')
    response.setHeader('Referrer-Policy', 'no-referrer')
    response.setHeader('Cross-Origin-Opener-Policy', 'same-origin')
    // Pages change with each release, so caches must revalidate them.
    response.setHeader('Cache-Control', 'no-cache')
    requireTransport(exchange, request, requiresHttps)
    next()
  }
}
