import { fileURLToPath } from 'node:url'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import { type Bootstrapped } from './bootstrap/bootstrap.ts'
import type { Config } from './config.ts'
import { sharedValidator } from './contract/validator.ts'
import { operations } from '../generated/operations.ts'
import { Budgets } from './domain/budgets.ts'
import { FileVault } from './domain/file_uploads/vault.ts'
import { JobQueue } from './domain/jobs/queue.ts'
import { SessionFeed } from './domain/sessions/feed.ts'
import { workspaceTools } from './domain/sessions/agent_tools.ts'
import type { TurnParts } from './domain/sessions/turn_parts.ts'
import { KeyedRequests } from './application/keyed_requests.ts'
import { type Listener } from './http/listener.ts'
import type { Pages } from './http/pages.ts'
import { systemClock, type Clock } from './kernel/clock.ts'
import { Metrics } from './metrics/metrics.ts'
import { ownMetrics, renderMetrics, reportOf, mergeReports, type MetricsReport, type MetricsText } from './metrics/scrape.ts'
import { HttpsFiles } from './outbound/https_files.ts'
import { WebhookReceivers } from './outbound/webhook_receivers.ts'
import { QueuedReceivers } from './threads/queued_receivers.ts'
import type { Database } from './store/database.ts'
import type { ChatError } from './runtimes/model_endpoint/chat.ts'
import { runtimesOf } from './runtimes/runtimes.ts'
import { openFiles } from './store/files/open.ts'
import type { FileStorage } from './store/files/storage.ts'
import { openDatabase } from './store/open.ts'
import { openCounters } from './store/open_counters.ts'
import { summariserOf } from './runtimes/meeting_notes/summariser.ts'
import { transcriptionEndpoint } from './runtimes/meeting_notes/transcription_endpoint.ts'
import { noteAddress } from './store/instance.ts'
import { makeIngress, renewTls, startListening, type Ingress, type TestParts } from './service/ingress.ts'
import { prepareDatabase } from './service/prepare_database.ts'
import { startJobs, type RunningJobs } from './service/start_jobs.ts'
import { once, stop } from './service/stop.ts'

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
  let jobs: RunningJobs | undefined
  const queue = new JobQueue(() => jobs?.look())
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
    const receivers = makeReceivers(ingress)
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
    const running = (jobs = startJobs({ ...parts, queue, runtimes, tools }))
    const resources = {
      database,
      storage,
      counters,
      receivers,
      keyedRequests: parts.keyedRequests,
      jobs: running,
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
      settled: () => running.settled(),
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

function makeReceivers({ config, headers }: Ingress): QueuedReceivers {
  return new QueuedReceivers(new WebhookReceivers({ allowedHosts: config.webhookPrivateHosts, brands: headers.brands }))
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
