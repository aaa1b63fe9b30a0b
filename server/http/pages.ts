import { existsSync } from 'node:fs'
import compression from 'compression'
import express, { type RequestHandler, type Router } from 'express'
import { serveContractFiles } from './contract_files.ts'
import type { Traffic } from './exchange.ts'
import { serveMetrics, type MetricsPage } from './metrics_page.ts'
import { packedNames, servePacked } from './packed_site.ts'
import { policyOf } from './page_policy.ts'
import { serveSchemaFiles } from './schema_files.ts'
import { serveSiteTexts } from './site_texts.ts'
import { requireTransport } from './transport.ts'

/** What the service shows besides the API. */
export interface Pages {
  /** Folder of the rendered reference, which may be packed, or not have been built. */
  readonly docsFolder: string
  /** Folder of the contract as files: `openapi.yaml`, its other forms, and `versions/` with those of each release date. */
  readonly contractFolder: string
  /** Undefined when no one may read the metrics. */
  readonly metrics: MetricsPage | undefined
  isReady(): Promise<boolean>
}

interface PageParts {
  readonly traffic: Traffic
  readonly requiresHttps: boolean
  baseUrl(): string
}

const NOT_BUILT = `<!doctype html><meta charset="utf-8"><title>Reference</title>
<p>The reference has not been rendered yet. Run <code>npm run docs</code> and reload this page;
the contract itself is at <a href="/openapi.yaml">/openapi.yaml</a>.`

const NO_SUCH_PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>No such page</title>
<p>The reference has no such page. <a href="/docs/">Its first page</a> leads to all others.`

/** The reference, the contract as files, the two health pages and the metrics. */
export function servePages(app: Router, pages: Pages, parts: PageParts): void {
  const page = asPage(parts)
  app.get('/', page, (_request, response) => response.redirect(302, '/docs/'))
  app.get('/docs', page, (request, response, next) =>
    request.originalUrl === '/docs' ? response.redirect(301, '/docs/') : next(),
  )
  app.use('/docs', compression())
  serveSiteTexts(app, page, pages, () => parts.baseUrl())
  app.use(
    '/docs',
    page,
    servePacked(pages.docsFolder) ??
      express.static(pages.docsFolder, {
        extensions: ['html'],
        index: 'index.html',
        cacheControl: false,
        setHeaders: (response, path) => response.setHeader('Content-Security-Policy', policyOf(path)),
      }),
  )
  app.get(/^\/docs\//, (request, response) => {
    const isBuilt = existsSync(pages.docsFolder) || existsSync(packedNames(pages.docsFolder).index)
    response
      .status(404)
      .type('html')
      .send(isBuilt || request.path !== '/docs/' ? NO_SUCH_PAGE : NOT_BUILT)
  })
  serveContractFiles(app, page, pages.contractFolder, () => parts.baseUrl())
  serveSchemaFiles(app, page, pages.contractFolder, () => parts.baseUrl())
  // Browsers ask for it by themselves, whatever a page says.
  app.get('/favicon.ico', page, (_request, response) => void response.status(204).end())
  serveHealth(app, pages, parts)
  if (pages.metrics) serveMetrics(app, pages.metrics, parts.traffic)
}

/** Health is asked by machines near by, so it is answered by plain HTTP too. */
function serveHealth(app: Router, { isReady }: Pages, { traffic }: PageParts): void {
  app.get('/healthz', (_request, response) => {
    traffic.of(response).subject = 'page'
    response.json({ status: 'ok' })
  })
  app.get('/readyz', async (_request, response) => {
    traffic.of(response).subject = 'page'
    const ready = await isReady()
    response.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'not ready' })
  })
}

/** Marks a request as one for a page, and gives its answer what browsers should know. */
function asPage({ traffic, requiresHttps }: PageParts): RequestHandler {
  return (request, response, next) => {
    const exchange = traffic.of(response)
    exchange.subject = 'page'
    response.setHeader('Content-Security-Policy', policyOf(undefined))
    response.setHeader('X-Frame-Options', 'DENY')
    response.setHeader('Referrer-Policy', 'no-referrer')
    response.setHeader('Cross-Origin-Opener-Policy', 'same-origin')
    // A page may be kept, but is asked for again: it changes with each release.
    response.setHeader('Cache-Control', 'no-cache')
    requireTransport(exchange, request, requiresHttps)
    next()
  }
}
