import { fileURLToPath } from 'node:url'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import { type Bootstrapped } from './bootstrap/bootstrap.ts'
import type { Config } from './config.ts'
import { BrandedValues } from './contract/branded_values.ts'
import { sharedValidator } from './contract/contract_validator.ts'
import { RateLimiter, JobQueue } from './domain/shared/index.ts'
import { FileVault } from './domain/files/index.ts'
import { SessionFeed, workspaceTools, type TurnDeps } from './domain/agents/index.ts'
import { KeyedRequests } from './application/keyed_requests.ts'
import type { AssistantTools, LoadTools } from './http/assistant_tools.ts'
import { type Listener } from './http/listener.ts'
import type { Pages } from './http/pages.ts'
import { systemClock, type Clock } from './kernel/clock.ts'
import { Metrics } from './metrics/metrics.ts'
import { ownMetrics, renderMetrics, reportOf, mergeReports, type MetricsReport, type MetricsText } from './metrics/scrape.ts'
import { HttpsFiles } from './outbound/https_files.ts'
import { userAgentOf } from './outbound/user_agent.ts'
import { WebhookReceivers } from './outbound/webhook_receivers.ts'
import { QueuedReceivers } from './jobs/queued_receivers.ts'
import type { Database } from './store/database.ts'
import type { ChatError } from './runtimes/model_endpoint/chat.ts'
import { runtimesOf } from './runtimes/runtimes.ts'
import { openFiles } from './store/files/open.ts'
import type { FileStorage } from './store/files/storage.ts'
import { openDatabase } from './store/open.ts'
import { openCounters } from './store/open_counters.ts'
import { summarizerOf } from './runtimes/meeting_notes/summarizer.ts'
import { transcriptionEndpoint } from './runtimes/meeting_notes/transcription_endpoint.ts'
import { noteAddress } from './store/instance.ts'
import { makeIngress, renewTls, startListening, type Ingress, type TestOverrides } from './service/ingress.ts'
import { logDamage } from './service/log_damage.ts'
import { prepareDatabase } from './service/prepare_database.ts'
import { startJobs } from './service/start_jobs.ts'
import { callOnce, stop } from './service/stop.ts'

export interface Service {
  /** The address at which the service listens, without a trailing slash. */
  readonly url: string
  readonly database: Database
  readonly bootstrapped: Bootstrapped
  readonly vault: FileVault
  /** Accepts a connection that did not come through the port, such as one end of an in-memory stream pair. */
  connect(stream: Duplex): void
  /** Runs the jobs that are due, and those that they create. @returns once no job is due or running */
  drainJobs(): Promise<void>
  /** The metrics of this process. */
  metricsReport(): Promise<MetricsReport>
  /** Reads the certificate and its key again, for new connections. If they cannot be used, the previous ones are kept, and the log says so. */
  renewTls(): void
  /** Waits for requests in flight, ends streams cleanly, and closes everything. */
  stop(): Promise<void>
}

/** Data about the service's other processes. */
interface ClusterContext {
  /** Whether there are other processes, which may be serving while this one starts or stops. */
  readonly hasSiblings?: boolean
  /** Collects the metrics of all processes. @param own the metrics of this process */
  readonly allMetrics?: (own: MetricsReport) => Promise<readonly MetricsReport[]>
  /** Called when everything is ready but requests are still refused. From then on, the service can be stopped. */
  readonly beforeServing?: (service: Pick<Service, 'renewTls' | 'stop'>) => void
}

export type AgentDeps = Pick<TurnDeps, 'runtimes' | 'tools'>

function agentDeps(config: Config, log: Logger): AgentDeps {
  const report = ({ reason, status }: ChatError): void => log.warn({ reason, status }, 'a request to the model endpoint failed')
  return { runtimes: runtimesOf(config, { report }), tools: workspaceTools }
}

/**
 * The composition root: creates all parts of the service, connects them and starts the service. Programs and tests share it.
 * @param agents replaces the configured runtimes and tools of agents
 * @param loadTools loads the tools for assistants; without it, they are not served
 * @throws ListenError; and any error of opening the database or the file storage, after everything has been closed again
 */
export async function composeService(
  config: Config,
  clock: Clock = systemClock,
  cluster: ClusterContext = {},
  agents?: AgentDeps,
  tests: TestOverrides = {},
  loadTools?: LoadTools,
): Promise<Service> {
  const ingress = makeIngress(config, tests)
  const queue = new JobQueue()
  const { wrapDatabase = (access) => access, wrapRuntimes = (own) => own } = tests
  const opened = openDatabase(config.database)
  ingress.metrics.watchDatabase(opened)
  const watched = (access: Database): Database => queue.watching(metered(wrapDatabase(access), ingress.metrics))
  const database = logDamage(watched(opened), ingress.log)
  const background = watched({ ...opened, ...opened.background })
  let listening: Listener | undefined
  let storage: FileStorage | undefined
  try {
    // Early requests get an error that the service is starting. If other processes are ready, they get these requests instead.
    if (!cluster.hasSiblings) listening = await startListening(ingress)
    const { bootstrapped, cursors, fileLinks, devices } = await prepareDatabase(database, config, clock, ingress.log)
    storage = await openFiles(config.files.address)
    const { place } = storage
    const onFault = (error: unknown): void => ingress.log.error({ err: error, storage: place }, 'the file storage failed')
    const vault = new FileVault({ database, storage, clock, onFault })
    const validator = sharedValidator()
    validator.prepare()
    ingress.refusals.begin(database)
    const counters = await openCounters(database, config.redisUrl, (error) =>
      ingress.log.warn({ err: error }, 'Redis does not respond; each process counts requests for rate limits by itself'),
    )
    const receivers = makeReceivers(ingress)
    const listener = (listening ??= await startListening(ingress))
    await noteAddress(database, config.baseUrl ?? listener.url)
    const parts = {
      ...ingress,
      database,
      validator,
      branded: BrandedValues.of(config.headerBrand),
      cursors,
      devices,
      vault,
      files: {
        bytesMax: config.files.bytesMax,
        links: fileLinks,
        brand: config.headerBrand,
        remote: new HttpsFiles({ allowedHosts: config.files.importHosts, userAgent: userAgentOf(ingress.headers.brands) }),
      },
      meetingNotes: {
        transcriber: config.transcription && transcriptionEndpoint(config.transcription),
        summarizer: summarizerOf(config.agentModel),
      },
      receivers,
      rateLimiter: new RateLimiter(counters, config.rateLimits),
      feed: new SessionFeed(database),
      streamLimits: config.streams,
      clock,
      keyedRequests: new KeyedRequests(database, clock),
      requiresHttps: config.transport.requiresHttps,
      auditsWrites: config.auditLog.hasWrites,
      auditLogDays: config.auditLog.days,
      requestMilliseconds: config.load.requestSecondsMax * 1000,
      consoleFolder: config.hasConsole ? pathOf('../console') : undefined,
      baseUrl: () => config.baseUrl ?? listener.url,
    }
    ingress.app.serve(
      parts,
      pagesOf(ingress, { database, storage }, cluster, assistantTools(config, listener, cluster, loadTools)),
    )
    const { runtimes, tools } = agents ?? agentDeps(config, ingress.log)
    const running = startJobs({ ...parts, database: background, queue, runtimes: wrapRuntimes(runtimes), tools })
    const resources = {
      database,
      storage,
      counters,
      receivers,
      keyedRequests: parts.keyedRequests,
      jobs: running,
      hasSiblings: cluster.hasSiblings ?? false,
    }
    const control = { renewTls: () => renewTls(ingress, listener), stop: callOnce(() => stop(ingress, listener, resources)) }
    cluster.beforeServing?.(control)
    ingress.admission.open()
    ingress.log.info({ url: listener.url, engine: database.engine }, 'listening')
    return {
      url: listener.url,
      database,
      bootstrapped,
      vault,
      connect: (stream) => listener.connect(stream),
      drainJobs: () => running.drain(),
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

/** The same database, with the duration of its write transactions measured. */
function metered(database: Database, metrics: Metrics): Database {
  return {
    ...database,
    write: (work, workspaceId) => metrics.timeTransaction(() => database.write(work, workspaceId)),
    exclusively: (work, rebuilds) => metrics.timeTransaction(() => database.exclusively(work, rebuilds)),
  }
}

function makeReceivers({ config, headers }: Ingress): QueuedReceivers {
  return new QueuedReceivers(new WebhookReceivers({ allowedHosts: config.webhookPrivateHosts, brands: headers.brands }))
}

function pagesOf(
  { config, metrics, admission }: Ingress,
  { database, storage }: Stores,
  { allMetrics }: ClusterContext,
  tools: AssistantTools | undefined,
): Pages {
  const readMetrics = async (): Promise<MetricsText> =>
    renderMetrics(allMetrics === undefined ? ownMetrics(metrics) : mergeReports(await allMetrics(await reportOf(metrics))))
  return {
    docsFolder: config.siteFolder ?? pathOf('../docs'),
    contractFolder: config.siteFolder ?? pathOf('../generated'),
    tools,
    metrics: config.metrics === 'off' ? undefined : { access: config.metrics, read: readMetrics },
    whyNotReady: async () => (admission.isServing ? firstOutage({ database, storage }) : 'the service is starting or stopping'),
  }
}

function assistantTools(
  { mcpPath: path }: Config,
  { connect }: Listener,
  { hasSiblings = false }: ClusterContext,
  load: LoadTools | undefined,
): AssistantTools | undefined {
  return path === undefined || load === undefined ? undefined : { path, load, connect, hasSiblings }
}

interface Stores {
  readonly database: Database
  readonly storage: FileStorage
}

/** Why a store cannot be used; undefined if both work. */
async function firstOutage({ database, storage }: Stores): Promise<string | undefined> {
  try {
    const reason = await database.outage()
    if (reason !== undefined) return reason
  } catch {
    return 'the database does not respond'
  }
  try {
    await storage.check()
  } catch {
    return 'the file storage cannot be used'
  }
  return undefined
}

function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url))
}
