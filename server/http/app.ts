import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import express, { type Express, type NextFunction, type Request, type Response } from 'express'
import type { TrustedProxies } from '../config/values.ts'
import type { Admission } from './admission.ts'
import { answerWithFailure } from './broken.ts'
import { answer } from './chain.ts'
import type { Cors } from './cors.ts'
import type { Traffic } from './exchange.ts'
import { answerFailure } from './failure.ts'
import { serveFiles } from './files.ts'
import { serveMetadata } from './oauth/metadata.ts'
import { serveSignIn } from './oauth/sign_in.ts'
import { servePages, type Pages } from './pages.ts'
import type { ChainParts } from './parts.ts'
import { Peer, trustOf, type Trusts } from './peer.ts'

/**
 * Everything that the service answers: the API, and the pages of an Express application. The API stands in front of it: Express makes
 * each request and response objects of its own kind, which costs as much as the whole chain of checks.
 */
export function createApp(parts: ChainParts, pages: Pages, trustedProxies: TrustedProxies): RequestListener {
  const trusts = trustOf(trustedProxies)
  const app = createPages(parts, pages)
  const fail = (response: ServerResponse, error: unknown): void => answerWithFailure(parts.traffic, error, response)
  return (request, response) => {
    if (receive(parts, request, response, trusts)) return
    if (request.url?.startsWith('/v1/')) answer(parts, request, response).catch((error: unknown) => fail(response, error))
    else app(request, response)
  }
}

function createPages(parts: ChainParts, pages: Pages): Express {
  const app = bareApp()
  serveFiles(app, parts)
  servePages(app, pages, parts)
  serveSignIn(app, parts)
  serveMetadata(app, parts)
  app.use((request: Request, response: Response, next: NextFunction) => {
    answer(parts, request, response).catch(next)
  })
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) =>
    answerWithFailure(parts.traffic, error, response),
  )
  return app
}

interface WaitingParts {
  readonly traffic: Traffic
  readonly cors: Cors
  readonly admission: Admission
}

/** Stands in for the application while it is being made: the process is alive, and everything else has to wait. */
export function createWaitingApp(parts: WaitingParts, trustedProxies: TrustedProxies): RequestListener {
  const trusts = trustOf(trustedProxies)
  const app = bareApp()
  app.use((request: Request, response: Response) => {
    if (receive(parts, request, response, trusts)) return
    if (request.path === '/healthz') return void response.json({ status: 'ok' })
    if (request.path === '/readyz') return void response.status(503).json({ status: 'not ready' })
    const exchange = parts.traffic.of(response)
    parts.cors.expose(request, response)
    try {
      parts.admission.enter(response)
    } catch (thrown) {
      answerFailure(exchange, request, response, thrown)
    }
  })
  return app
}

function bareApp(): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', false)
  return app
}

/** What is held of a file while it goes out: what has been read of it, and what waits at the socket. */
const FILE_BYTES_HELD = 131_072

/** Opens the exchange of a request. @returns whether that was all: a preflight has its answer */
function receive(
  { traffic, cors, admission }: WaitingParts,
  request: IncomingMessage,
  response: ServerResponse,
  trusts: Trusts,
): boolean {
  const isPreflight = request.method === 'OPTIONS'
  traffic.open(request, response, isPreflight ? 'preflight' : 'unknown', new Peer(request, trusts))
  response.once('pipe', () => admission.handOver(response, FILE_BYTES_HELD))
  if (isPreflight) cors.preflight(request, response)
  return isPreflight
}
