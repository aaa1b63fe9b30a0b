import { createHash } from 'node:crypto'
import type { Request, Router } from 'express'
import { isSameDigest } from '../kernel/is_same_digest.ts'
import { isLoopback } from '../config/parsers.ts'
import type { MetricsAccess } from '../config.ts'
import type { Traffic } from './exchange.ts'

export interface MetricsPage {
  readonly access: Exclude<MetricsAccess, 'off'>
  /** The figures in the text format of Prometheus. */
  read(): Promise<{ readonly contentType: string; readonly text: string }>
}

/** Headers that a proxy leaves on what it passes on. */
const FORWARDING_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']

/** Serves `/metrics` to those who may read it. To everyone else there is no such path. */
export function serveMetrics(app: Router, page: MetricsPage, traffic: Traffic): void {
  app.get('/metrics', async (request, response, next) => {
    if (!mayRead(page.access, request)) return next()
    traffic.of(response).subject = 'page'
    const { contentType, text } = await page.read()
    // Not `type` and `send`: they would reorder the parameters of the content type.
    response.setHeader('Content-Type', contentType)
    response.end(text)
  })
}

function mayRead(access: MetricsPage['access'], request: Request): boolean {
  if (typeof access === 'object') return isToken(access.token, request.headers.authorization)
  // Behind a proxy on the same machine everyone comes from the loopback.
  return isLoopback(request.socket.remoteAddress ?? '') && FORWARDING_HEADERS.every((name) => request.headers[name] === undefined)
}

function isToken(token: string, header: string | undefined): boolean {
  return isSameDigest(digest(`Bearer ${token}`), digest(header ?? ''))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest()
}
