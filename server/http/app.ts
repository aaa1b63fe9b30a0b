import express, { type Express, type NextFunction, type Request, type Response } from 'express'
import type { TrustedProxies } from '../config/values.ts'
import type { Admission } from './admission.ts'
import { answerWithFailure } from './broken.ts'
import { answer } from './chain.ts'
import type { Cors } from './cors.ts'
import type { Traffic } from './exchange.ts'
import { answerFailure } from './failure.ts'
import { serveFiles } from './files.ts'
import { serveSignIn } from './oauth/sign_in.ts'
import { servePages, type Pages } from './pages.ts'
import type { ChainParts } from './parts.ts'

/** The Express application: the API, and the service's own pages. */
export function createApp(parts: ChainParts, pages: Pages, trustedProxies: TrustedProxies): Express {
  const app = bareApp(trustedProxies)
  app.use((request: Request, response: Response, next: NextFunction) => {
    if (receive(parts, request, response)) return
    if (request.url.startsWith('/v1/')) answer(parts, request, response).catch(next)
    else next()
  })
  serveFiles(app, parts)
  servePages(app, pages, parts)
  serveSignIn(app, parts)
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
export function createWaitingApp(parts: WaitingParts, trustedProxies: TrustedProxies): Express {
  const app = bareApp(trustedProxies)
  app.use((request: Request, response: Response) => {
    if (receive(parts, request, response)) return
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

function bareApp(trustedProxies: TrustedProxies): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', false)
  app.set('trust proxy', trustedProxies)
  return app
}

/** Opens the exchange of a request. @returns whether that was all: a preflight has its answer */
function receive({ traffic, cors }: Pick<WaitingParts, 'traffic' | 'cors'>, request: Request, response: Response): boolean {
  const isPreflight = request.method === 'OPTIONS'
  traffic.open(request, response, isPreflight ? 'preflight' : 'unknown')
  if (isPreflight) cors.preflight(request, response)
  return isPreflight
}
