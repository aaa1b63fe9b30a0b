import type { IncomingMessage, ServerResponse } from 'node:http'
import express, { Router, type Express, type Request, type RequestHandler, type Response } from 'express'
import type { Logger } from 'pino'
import type { TrustedProxies } from '../config/parsers.ts'
import type { RefusalLog } from '../domain/shared/index.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Admission } from './admission.ts'
import { serveChains } from './chain.ts'
import { serveConsole } from './console/serve_console.ts'
import type { Cors } from './cors.ts'
import type { Contexts } from './contexts.ts'
import { failureHandler } from './failure_handler.ts'
import { serveFiles } from './files.ts'
import { framingFault } from './framing_fault.ts'
import type { Interceptor } from './interceptor.ts'
import type { HeaderNames } from './header_names.ts'
import { respondToMalformedRequest, recordRequest } from './malformed_request.ts'
import { messageClasses, type MessageClasses } from './message_classes.ts'
import { serveMetadata } from './oauth/metadata.ts'
import { serveConnections } from './oauth/connections.ts'
import { serveSignIn } from './oauth/sign_in.ts'
import { productNameIn } from './contract_files.ts'
import { servePages, type Pages } from './pages.ts'
import type { Dependencies } from './dependencies.ts'
import { RemoteClient, trustRuleOf } from './remote_client.ts'
import { serveRecords } from './record_pages/serve_records.ts'
import { serveTools } from './serve_tools.ts'
import { serveSettings } from './settings_pages.ts'
import { invalidUrl } from './parse_url.ts'

/** Dependencies of the responses that are sent while the rest of the service is starting. */
interface AppDeps {
  readonly contexts: Contexts
  readonly cors: Cors
  readonly admission: Admission
  readonly headers: HeaderNames
  readonly log: Logger
  readonly metrics: Metrics
  readonly refusals: RefusalLog
  readonly interceptor?: Interceptor | undefined
}

/** The Express application. Until `serve` is called, it responds that the service is starting. */
export interface App {
  /** Handles every request of the listener. */
  readonly onRequest: (request: IncomingMessage, response: ServerResponse) => void
  /** The classes of the listener's requests and responses. */
  readonly messages: MessageClasses
  /** Begins to serve the API and the pages. */
  serve(deps: Dependencies, pages: Pages): void
}

/** Creates the Express application with its middleware. */
export function createApp(deps: AppDeps, trustedProxies: TrustedProxies): App {
  const app = bareApp()
  const receive = receiver(deps, trustedProxies)
  const fail = failureHandler(deps.contexts)
  let serveRequest = starting(deps)
  // One middleware for all steps: Express takes as long to enter a middleware as one of the API's checks takes.
  app.use((request: Request, response: Response, next) => {
    if (!receive(request, response)) return undefined
    if (request.method === 'OPTIONS') return respondToPreflight(deps, request, response)
    // The result may be a promise. Express passes its error on.
    return serveRequest(request, response, next)
  })
  app.use(fail)

  /**
   * Sends the contract's error for a target without a path, such as `x:y`. Express does not call any middleware for it, and would send an
   * error of its own.
   */
  function failUnrouted(request: Request, response: Response, thrown: unknown): void {
    const failing = (): unknown => fail(thrown ?? invalidUrl('The URL is not a path.'), request, response, () => undefined)
    if (deps.contexts.isOpen(response) || receive(request, response)) failing()
  }
  const handle = (request: Request, response: Response): void =>
    void app(request, response, (thrown?: unknown) => failUnrouted(request, response, thrown))
  const { interceptor } = deps
  return {
    // The listener creates them from `messages`, so they are Express requests and responses.
    onRequest: (incoming, outgoing) => {
      const [request, response] = [incoming as Request, outgoing as Response]
      if (interceptor) interceptor.receive(request, response, () => handle(request, response))
      else handle(request, response)
    },
    messages: messageClasses(app),
    serve: (chainDeps, pages) => void (serveRequest = serving(chainDeps, pages)),
  }
}

function bareApp(): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', false)
  return app
}

/**
 * Refuses ambiguous message framing, and opens the context of every other request that can still get a response. Returns whether to
 * continue with the request.
 */
function receiver(deps: AppDeps, trustedProxies: TrustedProxies): (request: Request, response: Response) => boolean {
  const trusts = trustRuleOf(trustedProxies)
  return (request, response) => {
    const fault = framingFault(request)
    if (fault) respondToMalformedRequest(deps, Object.assign(new Error(fault), { code: fault }), request.socket)
    if (fault || !recordRequest(request.socket, response)) return false
    deps.contexts.open(request, response, new RemoteClient(request, trusts))
    return true
  }
}

function respondToPreflight({ contexts, cors }: AppDeps, request: Request, response: Response): void {
  contexts.of(response).operationLabel = 'preflight'
  cors.preflight(request, response)
}

/** Responds while the service is starting: to `/healthz` and `/readyz` as usual, to everything else with `service_unavailable`. */
function starting({ cors, admission }: AppDeps): RequestHandler {
  return (request, response) => {
    if (request.path === '/healthz') return void response.json({ status: 'ok' })
    if (request.path === '/readyz') return void response.status(503).json({ status: 'not ready' })
    cors.expose(request, response)
    admission.admit(response)
  }
}

/** Serves the API and the other pages. Unknown paths get the API's error. */
function serving(deps: Dependencies, pages: Pages): RequestHandler {
  const api: RequestHandler = serveChains(deps)
  const otherPages = Router()
  otherPages.use(trackingFiles(deps.admission))
  serveFiles(otherPages, deps)
  servePages(otherPages, pages, deps)
  serveSignIn(otherPages, deps)
  serveConnections(otherPages, deps)
  serveSettings(otherPages, deps)
  serveRecords(otherPages, deps)
  if (deps.consoleFolder !== undefined) serveConsole(otherPages, deps, deps.consoleFolder)
  serveMetadata(otherPages, deps, productNameIn(pages.contractFolder), pages.tools?.path)
  if (pages.tools) serveTools(otherPages, pages.tools, deps)
  otherPages.use(api)
  // The target is compared as sent, neither decoded nor in lower case: `/V1/` is another path.
  return (request, response, next) =>
    request.originalUrl.startsWith('/v1/') ? api(request, response, next) : otherPages(request, response, next)
}

/** How many bytes of a file are in memory while it is sent: the latest chunk, and the buffer of the socket. */
const FILE_BYTES_HELD = 131_072

/** Ends the request for a file once its first bytes are sent: the rest is streamed, and no longer occupies a slot. */
function trackingFiles(admission: Admission): RequestHandler {
  return (_request, response, next) => {
    response.once('pipe', () => admission.trackResponse(response, FILE_BYTES_HELD))
    next()
  }
}
