import type { Logger } from 'pino'
import { loadTlsPair } from '../config/load_tls_pair.ts'
import type { Config } from '../config.ts'
import { RefusalLog } from '../domain/shared/index.ts'
import type { Runtimes } from '../domain/agents/index.ts'
import { Admission } from '../http/admission.ts'
import { createApp, type App } from '../http/app.ts'
import { Connections } from '../http/connections.ts'
import { Cors } from '../http/cors.ts'
import { Contexts } from '../http/contexts.ts'
import { HeaderNames } from '../http/header_names.ts'
import type { Interceptor } from '../http/interceptor.ts'
import { listen, type Listener } from '../http/listener.ts'
import { respondToMalformedRequest } from '../http/malformed_request.ts'
import { trustRuleOf } from '../http/remote_client.ts'
import { networkOf } from '../http/network_of.ts'
import { OpenStreams } from '../http/open_streams.ts'
import { makeLog } from '../log.ts'
import type { Database } from '../store/database.ts'
import { Metrics, processMetrics } from '../metrics/metrics.ts'

/** The parts that test kits can replace. */
export interface TestOverrides {
  /** Whether to open a port; otherwise connections come only through `Service.connect`. */
  readonly hasPort?: boolean
  readonly interceptor?: Interceptor
  /** Replaces the opened database. */
  readonly wrapDatabase?: (opened: Database) => Database
  /** Replaces the runtimes of agents. */
  readonly wrapRuntimes?: (own: Runtimes) => Runtimes
}

/** The parts that receive requests. They are created first, so that requests get a response while the service is starting. */
export interface Ingress {
  readonly config: Config
  readonly hasPort: boolean
  readonly interceptor: Interceptor | undefined
  readonly log: Logger
  readonly metrics: Metrics
  readonly headers: HeaderNames
  readonly contexts: Contexts
  readonly refusals: RefusalLog
  readonly cors: Cors
  readonly admission: Admission
  readonly streams: OpenStreams
  readonly app: App
}

/** Creates the parts that receive requests, without opening a port. */
export function makeIngress(config: Config, { hasPort = true, interceptor }: TestOverrides): Ingress {
  const [log, metrics, headers] = [makeLog(config), new Metrics(), new HeaderNames(config.headerBrand)]
  const refusals = new RefusalLog({ keepsBodies: config.keepsRefusedBodies })
  const contexts = new Contexts({ log, metrics, headers, refusals })
  const admission = new Admission(config.load, (response) => networkOf(contexts.of(response).remote.address))
  const streams = new OpenStreams()
  if (config.metrics !== 'off') processMetrics()
  metrics.watch({
    requestsInFlight: () => admission.requestsInFlight,
    unfinishedBodies: () => admission.unfinishedBodies,
    unsentResponses: () => admission.unsentResponses,
    openStreams: () => streams.size,
  })
  const cors = new Cors(config.transport.corsOrigins, headers.brands, interceptor?.takesPrefer)
  const app = createApp(
    { contexts, cors, admission, headers, log, metrics, refusals, interceptor },
    config.transport.trustedProxies,
  )
  return { config, hasPort, interceptor, log, metrics, headers, admission, streams, contexts, refusals, cors, app }
}

/**
 * Opens the port. Until the application serves, requests get the error `service_unavailable`.
 * @throws ListenError
 */
export function startListening({
  config,
  hasPort,
  log,
  metrics,
  headers,
  refusals,
  app,
  interceptor,
}: Ingress): Promise<Listener> {
  const { tls, trustedProxies } = config.transport
  const runBackground: NonNullable<Interceptor['runBackground']> = interceptor?.runBackground ?? ((_name, work) => work())
  const trusts = trustRuleOf(trustedProxies)
  const connections = new Connections(config.load.connectionsMax, (address) => trusts(address, 0))
  return listen(hasPort ? config : undefined, tls && loadTlsPair(tls), {
    messages: app.messages,
    onConnection: (socket) => connections.add(socket),
    onSecureConnection: (socket) => connections.secure(socket),
    onRequest: app.onRequest,
    onMalformedRequest: (error, socket) =>
      runBackground('malformed request', () => respondToMalformedRequest({ headers, log, metrics, refusals }, error, socket)),
    onTlsFailure: (error) => {
      metrics.refused('broken_tls')
      log.debug({ err: error }, 'a connection failed before it was encrypted')
    },
  })
}

/** Reads the certificate and its key again. If they cannot be used, the previous ones are kept, and the log says so. */
export function renewTls({ config, log }: Ingress, listener: Listener): void {
  const { tls } = config.transport
  if (!tls) return
  try {
    listener.renewTls(loadTlsPair(tls))
    log.info('the certificate was reloaded')
  } catch (error) {
    log.error({ err: error }, 'the new certificate is invalid; the old one stays in use')
  }
}
