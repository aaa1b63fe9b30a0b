import compression from 'compression'
import type { RequestHandler, Router } from 'express'
import type { AssistantTools } from './assistant_tools.ts'
import { serveContractFiles } from './contract_files.ts'
import type { Contexts } from './contexts.ts'
import type { Failure } from './http_context.ts'
import { serveMetrics, type MetricsPage } from './metrics_page.ts'
import { basePath } from './oauth/site_paths.ts'
import { policyOfPage } from './page_policy.ts'
import { serveSchemaFiles } from './schema_files.ts'
import { serveSite } from './site.ts'
import { requireTransport } from './require_transport.ts'

/** The parts of the service besides the API. */
export interface Pages {
  /** Folder of the rendered reference. It may be packed, and need not exist. */
  readonly docsFolder: string
  /** The folder of the contract files: `openapi.yaml`, its other forms, and those of each release date in `versions/`. */
  readonly contractFolder: string
  /** Undefined if metrics are switched off. */
  readonly metrics: MetricsPage | undefined
  /** Undefined if tools for assistants are not served. */
  readonly tools: AssistantTools | undefined
  /** Why the service cannot handle requests; undefined if it can. */
  whyNotReady(): Promise<string | undefined>
}

interface PageDeps {
  readonly contexts: Contexts
  readonly requiresHttps: boolean
  baseUrl(): string
}

const notBuilt = (base: string): string => `<!doctype html><meta charset="utf-8"><title>Reference</title>
<p>The reference has not been rendered yet. Run <code>npm run docs</code> and reload this page;
the contract itself is at <a href="${base}/openapi.yaml">/openapi.yaml</a>.`

const NO_SUCH_PAGE: Failure = {
  status: 404,
  code: 'invalid_request_url',
  message: 'The reference does not contain this page.',
  internal: undefined,
}

/** @param home address of the reference's first page */
const noSuchPage = (home: string): string => `<!doctype html><html lang="en"><meta charset="utf-8"><title>Page not found</title>
<p>The reference does not contain this page. All pages are listed on <a href="${home}">its first page</a>.`

/** Serves the reference, the contract files, the health checks and the metrics. */
export function servePages(app: Router, pages: Pages, deps: PageDeps): void {
  const page = asPage(deps)
  const base = (): string => basePath(deps.baseUrl())
  app.get('/', page, (_request, response) => response.redirect(302, `${base()}/docs/`))
  app.get('/docs', page, (request, response, next) =>
    request.originalUrl === '/docs' ? response.redirect(301, `${base()}/docs/`) : next(),
  )
  app.use('/docs', compression())
  serveSite(app, page, pages, () => deps.baseUrl())
  const { contexts } = deps
  app.get(/^\/docs\//, page, (request, response, next) => {
    if (!isDecodable(request.path)) return next()
    contexts.of(response).failure = NO_SUCH_PAGE
    response
      .status(404)
      .type('html')
      .send(request.path === '/docs/' ? notBuilt(base()) : noSuchPage(`${base()}/docs/`))
  })
  serveContractFiles(app, page, pages.contractFolder, () => deps.baseUrl())
  serveSchemaFiles(app, page, pages.contractFolder, () => deps.baseUrl())
  // Browsers request this file for every site.
  app.get('/favicon.ico', page, (_request, response) => void response.status(204).end())
  serveHealth(app, pages, deps)
  if (pages.metrics) serveMetrics(app, pages.metrics, deps.contexts)
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

/** Serves the health checks, even over plain HTTP: load balancers and orchestrators on the same network call them. */
function serveHealth(app: Router, { whyNotReady }: Pages, { contexts }: PageDeps): void {
  app.get('/healthz', (_request, response) => {
    contexts.of(response).operationLabel = 'page'
    response.json({ status: 'ok' })
  })
  app.get('/readyz', async (_request, response) => {
    contexts.of(response).operationLabel = 'page'
    const reason = await whyNotReady()
    response
      .status(reason === undefined ? 200 : 503)
      .json(reason === undefined ? { status: 'ready' } : { status: 'not ready', reason })
  })
}

/** Labels a request as one for a page, sets the security headers of pages, and requires HTTPS if the API does. */
function asPage({ contexts, requiresHttps }: PageDeps): RequestHandler {
  return (_request, response, next) => {
    const context = contexts.of(response)
    context.operationLabel = 'page'
    response.setHeader('Content-Security-Policy', policyOfPage(''))
    response.setHeader('X-Frame-Options', 'DENY')
    response.setHeader('Referrer-Policy', 'no-referrer')
    response.setHeader('Cross-Origin-Opener-Policy', 'same-origin')
    // Pages change with each release, so caches must revalidate them.
    response.setHeader('Cache-Control', 'no-cache')
    requireTransport(context, requiresHttps)
    next()
  }
}
