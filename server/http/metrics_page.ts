import { createHash } from 'node:crypto'
import type { Request, Router } from 'express'
import { isSameDigest } from '../kernel/is_same_digest.ts'
import { isLoopback } from '../config/parsers.ts'
import type { MetricsAccess } from '../config.ts'
import type { Contexts } from './contexts.ts'

export interface MetricsPage {
  readonly access: Exclude<MetricsAccess, 'off'>
  /** The metrics in the text format of Prometheus. */
  read(): Promise<{ readonly contentType: string; readonly text: string }>
}

/** Headers that proxies add to the requests that they forward. */
const FORWARDING_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']

/** Serves `/metrics` to those who may read it; for everyone else the path is unknown. */
export function serveMetrics(app: Router, page: MetricsPage, contexts: Contexts): void {
  app.get('/metrics', async (request, response, next) => {
    if (!mayRead(page.access, request)) return next()
    contexts.of(response).operationLabel = 'page'
    const { contentType, text } = await page.read()
    // `type` and `send` would change the order of the content type's parameters.
    response.setHeader('Content-Type', contentType)
    response.end(text)
  })
}

function mayRead(access: MetricsPage['access'], request: Request): boolean {
  if (typeof access === 'object') return isToken(access.token, request.headers.authorization)
  // A proxy on the same machine connects from a loopback address on behalf of anyone.
  return isLoopback(request.socket.remoteAddress ?? '') && FORWARDING_HEADERS.every((name) => request.headers[name] === undefined)
}

function isToken(token: string, header: string | undefined): boolean {
  return isSameDigest(digest(`Bearer ${token}`), digest(header ?? ''))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest()
}
