import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import { bootstrap, type Bootstrapped } from './bootstrap/bootstrap.ts'
import { loadTlsPair } from './config/load_tls_pair.ts'
import type { Config } from './config.ts'
import { sharedValidator } from './contract/validator.ts'
import { operations } from '../generated/operations.ts'
import { Budgets } from './domain/budgets.ts'
import { FileVault } from './domain/file_uploads/vault.ts'
import { countJobs } from './domain/jobs/count.ts'
import { JobQueue } from './domain/jobs/queue.ts'
import { KnownDevices } from './domain/people/devices.ts'
import { SessionFeed } from './domain/sessions/feed.ts'
import { workspaceTools } from './domain/sessions/agent_tools.ts'
import type { TurnParts } from './domain/sessions/turn_parts.ts'
import { Admission } from './http/admission.ts'
import { createApp, type App } from './http/app.ts'
import { Connections } from './http/connections.ts'
import { Cors } from './http/cors.ts'
import { Traffic } from './http/exchange.ts'
import { HeaderNames } from './http/headers.ts'
import { KeyedRequests } from './application/keyed_requests.ts'
import type { Interceptor } from './http/interceptor.ts'
import { listen, type Listener } from './http/listener.ts'
import { answerMalformedRequest } from './http/malformed_request.ts'
import type { Pages } from './http/pages.ts'
import { trustOf } from './http/peer.ts'
import { networkOf } from './http/rate.ts'
import { OpenStreams } from './http/streams.ts'
import { jobKinds } from './jobs/job_kinds.ts'
import { jobParts } from './jobs/job_parts.ts'
import { startJobRunner, type JobRunner } from './jobs/job_runner.ts'
import { systemClock, type Clock } from './kernel/clock.ts'
import { Cursors } from './kernel/cursors.ts'
import { FileLinks } from './kernel/file_links.ts'
import { makeLog, scrub } from './log.ts'
import { Metrics, processMetrics } from './metrics/metrics.ts'
import { ownMetrics, renderMetrics, reportOf, mergeReports, type MetricsReport, type MetricsText } from './metrics/scrape.ts'
import { HttpsFiles } from './outbound/https_files.ts'
import { WebhookReceivers } from './outbound/webhook_receivers.ts'
import { WebhookSender } from './threads/webhook_sender.ts'
import type { Counters } from './store/counters.ts'
import type { Database } from './store/database.ts'
import type { ChatError } from './runtimes/model_endpoint/chat.ts'
import { runtimesOf } from './runtimes/runtimes.ts'
import { openFiles } from './store/files/open.ts'
import type { FileStorage } from './store/files/storage.ts'
import { openDatabase } from './store/open.ts'
import { openCounters } from './store/open_counters.ts'
import { summariserOf } from './runtimes/meeting_notes/summariser.ts'
import { transcriptionEndpoint } from './runtimes/meeting_notes/transcription_endpoint.ts'
import { noteAddress, settleInstanceValue } from './store/instance.ts'
import { migrate } from './store/migrations.ts'
import { noticingWaits } from './store/waits.ts'

export interface Service {
  /** Where it listens, without a trailing slash. */
  readonly url: string
  readonly database: Database
  readonly bootstrapped: Bootstrapped
  /** Where the bytes of files are stored. */
  readonly vault: FileVault
  /** Takes a connection that has come in by another way than a port. */
  connect(line: Duplex): void
  /** Carries out the jobs that are due, and what comes of them. @returns when nothing is due and nothing runs */
  settled(): Promise<void>
  /** The figures of this process. */
  metricsReport(): Promise<MetricsReport>
  /** Reads the certificate and its key again, for connections to come. When they cannot be used, the old ones stay and the log says so. */
  renewTls(): void
  /** Lets requests in flight finish and streams say goodbye, then closes everything. */
  stop(): Promise<void>
}

/** The processes beside this one. */
interface ClusterContext {
  /** Others may be serving while this one starts. */
  readonly hasSiblings?: boolean
  /** The figures of all processes, given those of this one. */
  readonly allMetrics?: (own: MetricsReport) => Promise<readonly MetricsReport[]>
  /** Runs when everything is made and no request is let in yet: from here on the service can be stopped. */
  readonly beforeServing?: (service: Pick<Service, 'renewTls' | 'stop'>) => void
}

/** What test kits change. */
export interface TestParts {
  /** Whether it listens at all; otherwise connections come by `Service.connect` alone. */
  readonly hasPort?: boolean
  readonly interceptor?: Interceptor
}

/** What makes the answers of agents. */
export type AgentParts = Pick<TurnParts, 'runtimes' | 'tools'>

function agentParts(config: Config, log: Logger): AgentParts {
  const report = ({ reason, status }: ChatError): void =>
    log.warn({ reason, status }, 'the model endpoint gave no answer to an attempt')
  return { runtimes: runtimesOf(config, { report }), tools: workspaceTools }
}

/** The composition root: makes every part and joins them. Used by `npm start` and by the tests alike. */
export async function startService(
  config: Config,
  clock: Clock = systemClock,
  cluster: ClusterContext = {},
  agents?: AgentParts,
  tests: TestParts = {},
): Promise<Service> {
  const ingress = makeIngress(config, tests)
  const queue = new JobQueue()
  const database = queue.watching(metered(openDatabase(config.database), ingress.metrics))
  let listening: Listener | undefined
  let storage: FileStorage | undefined
  try {
    // Requests that come before everything is ready are told so; beside processes that are ready, they are left to those.
    if (!cluster.hasSiblings) listening = await startListening(ingress)
    const { bootstrapped, cursors, fileLinks, devices } = await prepareDatabase(database, config, clock, ingress.log)
    storage = await openFiles(config.files.address)
    const vault = new FileVault({ database, storage, clock })
    const validator = sharedValidator()
    validator.warm(Object.values(operations))
    const counters = await openCounters(database, config.redisUrl, (error) =>
      ingress.log.warn({ err: error }, 'Redis does not answer; budgets are counted by each process for itself'),
    )
    const receivers = makeWebhookSender(ingress)
    const listener = (listening ??= await startListening(ingress))
    await noteAddress(database, config.baseUrl ?? listener.url)
    const parts = {
      ...ingress,
      database,
      validator,
      cursors,
      devices,
      vault,
      files: {
        bytesMax: config.files.bytesMax,
        links: fileLinks,
        remote: new HttpsFiles({ allowedHosts: config.files.importHosts }),
      },
      meetingNotes: {
        transcriber: config.transcription && transcriptionEndpoint(config.transcription),
        summariser: summariserOf(config.agentModel),
      },
      receivers,
      budgets: new Budgets(counters, config.rateLimits),
      feed: new SessionFeed(database),
      streamLimits: config.streams,
      clock,
      keyedRequests: new KeyedRequests(database, clock),
      requiresHttps: config.transport.requiresHttps,
      requestMilliseconds: config.load.requestSecondsMax * 1000,
      baseUrl: () => config.baseUrl ?? listener.url,
    }
    ingress.app.serve(parts, pagesOf(ingress, database, cluster))
    const { runtimes, tools } = agents ?? agentParts(config, ingress.log)
    const jobs = startJobs({ ...parts, queue, runtimes, tools })
    const resources = {
      database,
      storage,
      counters,
      receivers,
      keyedRequests: parts.keyedRequests,
      jobs,
      hasSiblings: cluster.hasSiblings ?? false,
    }
    const control = { renewTls: () => renewTls(ingress, listener), stop: once(() => stop(ingress, listener, resources)) }
    cluster.beforeServing?.(control)
    ingress.admission.open()
    ingress.log.info({ url: listener.url, engine: database.engine }, 'listening')
    return {
      url: listener.url,
      database,
      bootstrapped,
      vault,
      connect: (line) => listener.connect(line),
      settled: () => jobs.settled(),
      metricsReport: () => reportOf(ingress.metrics),
      ...control,
    }
  } catch (error) {
    await listening?.closeAtOnce()
    await storage?.close()
    await database.close()
    throw error
  }
}

/** The same database, with its transactions counted. */
function metered(database: Database, metrics: Metrics): Database {
  metrics.watchDatabase(database)
  return {
    ...database,
    write: (work, workspaceId) => metrics.timeTransaction(() => database.write(work, workspaceId)),
    exclusively: (work) => metrics.timeTransaction(() => database.exclusively(work)),
  }
}

/** Addresses are checked here; webhooks are sent by a thread. */
function makeWebhookSender({ config, headers, log }: Ingress): WebhookSender {
  const options = { allowedHosts: config.webhookPrivateHosts, brands: headers.brands }
  const receivers = new WebhookReceivers(options)
  return new WebhookSender({
    ...options,
    refusalOf: (url) => receivers.refusalOf(url),
    onThreadDeath: (error) =>
      log.warn({ err: error }, 'the thread that sends webhooks ended; the next webhook starts another one'),
  })
}

/** Runs jobs from here on. */
function startJobs(
  parts: Parameters<typeof jobParts>[0] &
    Pick<TurnParts, 'feed' | 'runtimes' | 'tools'> &
    Pick<Ingress, 'metrics'> & { readonly queue: JobQueue },
): JobRunner {
  const { database, queue, clock, log, metrics, feed, runtimes, tools } = parts
  const kinds = jobKinds({ ...jobParts(parts), feed, runtimes, tools })
  const now = (): number => clock.now()
  const runner = startJobRunner({ database, queue, kinds, now, scrub, log })
  metrics.watchJobs({ shared: () => countJobs(database, kinds, now()), running: () => runner.running() })
  return runner
}

/** Brings the database to the newest schema and gives an empty one its first records. */
export async function prepareDatabase(
  database: Database,
  config: Config,
  clock: Clock,
  log: Logger,
): Promise<{ bootstrapped: Bootstrapped; cursors: Cursors; fileLinks: FileLinks; devices: KnownDevices }> {
  const store = noticingWaits(database, () => log.info('another process is preparing the database; this one waits for it'))
  await migrate(store)
  const secret = async (name: string): Promise<Buffer> =>
    Buffer.from(await database.write((db) => settleInstanceValue(db, name, randomBytes(32).toString('base64'))), 'base64')
  return {
    cursors: new Cursors(await secret('cursor secret')),
    fileLinks: new FileLinks(await secret('file link secret')),
    devices: new KnownDevices(await secret('device secret')),
    bootstrapped: await bootstrap(store, config, clock.now()),
  }
}

/** What takes requests in, ready before anything else is. */
interface Ingress {
  readonly config: Config
  readonly hasPort: boolean
  readonly interceptor: Interceptor | undefined
  readonly log: Logger
  readonly metrics: Metrics
  readonly headers: HeaderNames
  readonly traffic: Traffic
  readonly cors: Cors
  readonly admission: Admission
  readonly streams: OpenStreams
  readonly app: App
}

function makeIngress(config: Config, { hasPort = true, interceptor }: TestParts): Ingress {
  const [log, metrics, headers] = [makeLog(config), new Metrics(), new HeaderNames(config.headerBrand)]
  const traffic = new Traffic({ log, metrics, headers })
  const admission = new Admission(config.load, (response) => networkOf(traffic.of(response).peer.address))
  const streams = new OpenStreams()
  if (config.metrics !== 'off') processMetrics()
  metrics.watch({
    requestsInFlight: () => admission.requestsInFlight,
    unfinishedBodies: () => admission.unfinishedBodies,
    unsentAnswers: () => admission.unsentAnswers,
    openStreams: () => streams.size,
  })
  const cors = new Cors(config.transport.corsOrigins, headers.brands)
  const app = createApp({ traffic, cors, admission, headers, log, metrics, interceptor }, config.transport.trustedProxies)
  return { config, hasPort, interceptor, log, metrics, headers, admission, streams, traffic, cors, app }
}

/** From here on requests are answered: at first by saying that the service starts. */
function startListening({ config, hasPort, log, metrics, headers, app }: Ingress): Promise<Listener> {
  const { tls, trustedProxies } = config.transport
  const trusts = trustOf(trustedProxies)
  const connections = new Connections(config.load.connectionsMax, (address) => trusts(address, 0))
  return listen(hasPort ? config : undefined, tls && loadTlsPair(tls), {
    messages: app.messages,
    onConnection: (socket) => connections.add(socket),
    onSecureConnection: (socket) => connections.secure(socket),
    onRequest: app.onRequest,
    onMalformedRequest: (error, socket) => answerMalformedRequest({ headers, log, metrics }, error, socket),
    onTlsFailure: (error) => {
      metrics.refused('broken_tls')
      log.debug({ err: error }, 'a connection failed before it was encrypted')
    },
  })
}

function pagesOf({ config, metrics, admission }: Ingress, database: Database, { allMetrics }: ClusterContext): Pages {
  const readMetrics = async (): Promise<MetricsText> =>
    renderMetrics(allMetrics === undefined ? ownMetrics(metrics) : mergeReports(await allMetrics(await reportOf(metrics))))
  return {
    docsFolder: config.siteFolder ?? pathOf('../docs'),
    contractFolder: config.siteFolder ?? pathOf('../generated'),
    metrics: config.metrics === 'off' ? undefined : { access: config.metrics, read: readMetrics },
    isReady: async () =>
      admission.isServing &&
      (await database
        .read((db) => db.get({}, 'select 1 as ready'))
        .then(
          (row) => row !== undefined,
          () => false,
        )),
  }
}

function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url))
}

function renewTls({ config, log }: Ingress, listener: Listener): void {
  const { tls } = config.transport
  if (!tls) return
  try {
    listener.renewTls(loadTlsPair(tls))
    log.info('the certificate was read again')
  } catch (error) {
    log.error({ err: error }, 'the new certificate cannot be used; the one in use stays')
  }
}

/** What outlives the requests. */
interface Resources {
  readonly database: Database
  readonly counters: Counters
  readonly storage: FileStorage
  readonly receivers: WebhookSender
  readonly keyedRequests: KeyedRequests
  readonly jobs: JobRunner
  readonly hasSiblings: boolean
}

/** In-flight requests get their answers and streams their last frame; what takes longer than it may is cut off. */
async function stop(
  { config, log, admission, streams }: Ingress,
  listener: Listener,
  { database, storage, counters, receivers, keyedRequests, jobs, hasSiblings }: Resources,
): Promise<void> {
  log.info('stopping')
  const stopped = jobs.stop()
  const isOver = Promise.withResolvers<undefined>()
  const patience = setTimeout(() => {
    isOver.resolve(undefined)
    log.warn({ requests: admission.requestsInFlight, streams: streams.size }, 'stopping took too long; what is left is cut off')
    void listener.closeAtOnce()
  }, config.load.stopSecondsMax * 1000)
  // Alone, it tells those who still come that it stops; others would serve them.
  const closing = hasSiblings ? listener.close() : undefined
  await Promise.all([admission.stop(hasSiblings), streams.end()])
  await (closing ?? listener.close())
  await Promise.race([stopped, isOver.promise])
  clearTimeout(patience)
  await keyedRequests.stop().catch(() => undefined)
  await receivers.close()
  await counters.close()
  await storage.close()
  await database.close()
  log.info('stopped')
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  return () => (result ??= work())
}
