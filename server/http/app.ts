import type { IncomingMessage, ServerResponse } from 'node:http'
import express, { Router, type Express, type Request, type RequestHandler, type Response } from 'express'
import type { Logger } from 'pino'
import type { TrustedProxies } from '../config/parsers.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Admission } from './admission.ts'
import { answer } from './chain.ts'
import type { Cors } from './cors.ts'
import type { Traffic } from './exchange.ts'
import { failureHandler } from './failure.ts'
import { serveFiles } from './files.ts'
import { framingFault } from './framing.ts'
import type { Interceptor } from './interceptor.ts'
import type { HeaderNames } from './headers.ts'
import { answerMalformedRequest, noteRequest } from './malformed_request.ts'
import { messageClasses, type MessageClasses } from './message_classes.ts'
import { serveMetadata } from './oauth/metadata.ts'
import { serveSignIn } from './oauth/sign_in.ts'
import { productNameIn } from './contract_files.ts'
import { servePages, type Pages } from './pages.ts'
import type { ChainParts } from './parts.ts'
import { Peer, trustOf } from './peer.ts'
import { serveSettings } from './settings_pages.ts'
import { invalidUrl } from './url.ts'

/** What the application needs from the first request on, before anything else is ready. */
interface AppParts {
  readonly traffic: Traffic
  readonly cors: Cors
  readonly admission: Admission
  readonly headers: HeaderNames
  readonly log: Logger
  readonly metrics: Metrics
  readonly interceptor?: Interceptor | undefined
}

/** The one application. It answers from the first request on: at first by saying that the service starts. */
export interface App {
  /** Takes every request of the listener. */
  readonly onRequest: (request: IncomingMessage, response: ServerResponse) => void
  /** What the listener makes its requests and responses of. */
  readonly messages: MessageClasses
  /** From here on it serves the API and the pages. */
  serve(parts: ChainParts, pages: Pages): void
}

/** Every request passes these, in this order. */
export function createApp(parts: AppParts, trustedProxies: TrustedProxies): App {
  const app = bareApp()
  const receive = receiver(parts, trustedProxies)
  const fail = failureHandler(parts.traffic)
  let site = starting(parts)
  app.use(receive)
  app.use(preflights(parts))
  app.use((request: Request, response: Response, next) => site(request, response, next))
  app.use(fail)

  /** Express calls no middleware for a target in which it finds no path (`x:y`); its own words would be the answer. */
  function failUnrouted(request: Request, response: Response, thrown: unknown): void {
    const failing = (): unknown => fail(thrown ?? invalidUrl('The URL is not a path.'), request, response, () => undefined)
    if (parts.traffic.isOpen(response)) failing()
    else receive(request, response, failing)
  }
  const take = (request: Request, response: Response): void =>
    void app(request, response, (thrown?: unknown) => failUnrouted(request, response, thrown))
  const { interceptor } = parts
  return {
    // The listener makes them of `messages`, so they are of the application's own kind.
    onRequest: (request, response) => {
      const [own, ownResponse] = [request as Request, response as Response]
      if (interceptor) interceptor.receive(own, ownResponse, () => take(own, ownResponse))
      else take(own, ownResponse)
    },
    messages: messageClasses(app),
    serve: (chainParts, pages) => void (site = serving(chainParts, pages)),
  }
}

function bareApp(): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', false)
  return app
}

/** Opens the exchange of a request that can be read in one way only, and be answered. */
function receiver(parts: AppParts, trustedProxies: TrustedProxies): RequestHandler {
  const trusts = trustOf(trustedProxies)
  return (request, response, next) => {
    const fault = framingFault(request)
    if (fault) return answerMalformedRequest(parts, Object.assign(new Error(fault), { code: fault }), request.socket)
    if (!noteRequest(request.socket, response)) return
    parts.traffic.open(request, response, new Peer(request, trusts))
    next()
  }
}

function preflights({ traffic, cors }: AppParts): RequestHandler {
  return (request, response, next) => {
    if (request.method !== 'OPTIONS') return next()
    traffic.of(response).subject = 'preflight'
    cors.preflight(request, response)
  }
}

/** While the rest of the service is made: the process is alive, and everything else has to wait. */
function starting({ cors, admission }: AppParts): RequestHandler {
  return (request, response) => {
    if (request.path === '/healthz') return void response.json({ status: 'ok' })
    if (request.path === '/readyz') return void response.status(503).json({ status: 'not ready' })
    cors.expose(request, response)
    admission.enter(response)
  }
}

/** The API, and what is served beside it. What is nowhere gets the API's answer. */
function serving(parts: ChainParts, pages: Pages): RequestHandler {
  const api: RequestHandler = (request, response) => answer(parts, request, response)
  const beside = Router()
  beside.use(handingOver(parts.admission))
  serveFiles(beside, parts)
  servePages(beside, pages, parts)
  serveSignIn(beside, parts)
  serveSettings(beside, parts)
  serveMetadata(beside, parts, productNameIn(pages.contractFolder))
  beside.use(api)
  // The target as it came: nothing is decoded, and `/V1/` is another path.
  return (request, response, next) =>
    request.originalUrl.startsWith('/v1/') ? api(request, response, next) : beside(request, response, next)
}

/** What is held of a file while it goes out: what has been read of it, and what waits at the socket. */
const FILE_BYTES_HELD = 131_072

/** A file is made as it is taken: its request is over for the service once the first bytes go out. */
function handingOver(admission: Admission): RequestHandler {
  return (_request, response, next) => {
    response.once('pipe', () => admission.handOver(response, FILE_BYTES_HELD))
    next()
  }
}
