import cluster, { type Worker } from 'node:cluster'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { systemClock } from '../kernel/clock.ts'
import { makeLog } from '../log.ts'
import type { MetricsReport } from '../metrics/scrape.ts'
import type { Service } from '../service.ts'
import { prepareDatabase } from '../service/prepare_database.ts'
import { shareCounters } from '../store/open_counters.ts'
import { openDatabase } from '../store/open.ts'
import type { PrimaryMessage, WorkerMessage } from './messages.ts'
import { StartError } from './start_failure.ts'

const RESTART_DELAY_MS = 200
const RESTART_DELAY_MS_MAX = 30_000
/** A worker that ends later than this did not fail at startup. */
const HEALTHY_AFTER_MS = 10_000
const REPORT_TIMEOUT_MS = 2_000
/** Extra time that a worker gets to stop before it is killed. */
const KILL_AFTER_MS = 5_000

interface MetricsRequest {
  readonly reports: MetricsReport[]
  readonly missing: Set<number>
  finish(): void
}

/** The service that all processes form together. */
type WholeService = Pick<Service, 'renewTls' | 'stop'>

/**
 * Starts the workers and restarts workers that end, with growing delays if they end early. Handles no requests itself.
 * @param onCreated called before the first worker starts
 * @returns the service, once all workers are ready
 * @throws StartError with the message of a worker that could not start
 */
export async function startPrimary(
  config: Config,
  onCreated: (running: WholeService) => void,
): Promise<WholeService & Pick<Service, 'url' | 'bootstrapped'>> {
  const database = openDatabase(config.database)
  const log = makeLog(config)
  const { bootstrapped } = await prepareDatabase(database, config, systemClock, log).finally(() => database.close())
  if (config.database.engine === 'sqlite')
    log.info('on SQLite, workers read in parallel but write one at a time; use PostgreSQL for many writers')
  const primary = new Primary(config, log)
  const running = { renewTls: () => primary.tellAll({ kind: 'renew tls' }), stop: () => primary.stop() }
  onCreated(running)
  return { ...running, url: await primary.start(), bootstrapped }
}

class Primary {
  readonly #config: Config
  readonly #log: Logger
  readonly #metricsRequests = new Map<number, MetricsRequest>()
  readonly #started = Promise.withResolvers<string>()
  readonly #allExited = Promise.withResolvers<void>()
  #ready = 0
  #earlyDeaths = 0
  #isStopping = false
  #lastMetricsRequest = 0

  constructor(config: Config, log: Logger) {
    this.#config = config
    this.#log = log
  }

  async start(): Promise<string> {
    shareCounters()
    // Workers accept connections from a shared queue. If the primary distributed connections, those on their way to an ending worker would
    // never get a response.
    cluster.schedulingPolicy = cluster.SCHED_NONE
    cluster.setupPrimary({ exec: fileURLToPath(new URL('../main.js', import.meta.url)), args: [] })
    cluster.on('message', (worker, message: WorkerMessage) => this.#onMessage(worker, message))
    for (let count = 0; count < this.#config.workers; count += 1) this.#fork()
    try {
      return await this.#started.promise
    } catch (error) {
      await this.stop()
      throw error
    }
  }

  tellAll(message: PrimaryMessage): void {
    for (const worker of liveWorkers()) worker.send(message)
  }

  async stop(): Promise<void> {
    if (!this.#isStopping) {
      this.#isStopping = true
      this.tellAll({ kind: 'stop' })
      if (liveWorkers().length === 0) this.#allExited.resolve()
      setTimeout(
        () => liveWorkers().forEach((worker) => worker.process.kill('SIGKILL')),
        this.#config.load.stopSecondsMax * 1000 + KILL_AFTER_MS,
      ).unref()
    }
    await this.#allExited.promise
  }

  #fork(): void {
    const worker = cluster.fork()
    // A message to an ending worker fails. Its exit is handled below.
    worker.on('error', () => undefined)
    const startedAt = performance.now()
    worker.once('exit', (code, signal) =>
      this.#onExit(worker, performance.now() - startedAt, code === 0 ? 'done' : (signal ?? `code ${code}`)),
    )
  }

  #onExit(worker: Worker, livedMs: number, reason: string): void {
    for (const request of this.#metricsRequests.values()) this.#markReported(request, worker.id)
    if (this.#isStopping) {
      if (liveWorkers().length === 0) this.#allExited.resolve()
      return
    }
    this.#earlyDeaths = livedMs < HEALTHY_AFTER_MS ? this.#earlyDeaths + 1 : 0
    const delay = Math.min(RESTART_DELAY_MS_MAX, RESTART_DELAY_MS * 2 ** this.#earlyDeaths)
    this.#log.warn(
      { worker: worker.process.pid, reason, lived_ms: Math.round(livedMs), restart_ms: delay },
      'a worker ended unexpectedly',
    )
    setTimeout(() => {
      if (!this.#isStopping) this.#fork()
    }, delay)
  }

  #onMessage(worker: Worker, message: WorkerMessage): void {
    if (message.kind === 'ready') {
      this.#ready += 1
      this.#log.info({ worker: worker.process.pid, url: message.url }, 'a worker is ready')
      if (this.#ready >= this.#config.workers) this.#started.resolve(message.url)
    } else if (message.kind === 'failed') {
      this.#log.error({ worker: worker.process.pid }, message.message)
      this.#started.reject(new StartError(message.message))
    } else if (message.kind === 'metrics wanted') {
      this.#collectMetrics(worker, message.id, message.own)
    } else if (message.kind === 'report') {
      const request = this.#metricsRequests.get(message.id)
      if (!request) return
      request.reports.push(message.report)
      this.#markReported(request, worker.id)
    }
  }

  /** Collects the metrics of all workers, except slow ones, and sends them to the worker that requested them. */
  #collectMetrics(recipient: Worker, requestId: number, own: MetricsReport): void {
    const id = (this.#lastMetricsRequest += 1)
    const others = liveWorkers().filter((worker) => worker !== recipient)
    const timeout = setTimeout(() => request.finish(), REPORT_TIMEOUT_MS)
    const request: MetricsRequest = {
      reports: [own],
      missing: new Set(others.map((worker) => worker.id)),
      finish: () => {
        clearTimeout(timeout)
        this.#metricsRequests.delete(id)
        if (recipient.isConnected())
          recipient.send({ kind: 'all metrics', id: requestId, reports: request.reports } satisfies PrimaryMessage)
      },
    }
    this.#metricsRequests.set(id, request)
    if (others.length === 0) request.finish()
    for (const worker of others) worker.send({ kind: 'report wanted', id } satisfies PrimaryMessage)
  }

  #markReported(request: MetricsRequest, workerId: number): void {
    if (request.missing.delete(workerId) && request.missing.size === 0) request.finish()
  }
}

function liveWorkers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined && worker.isConnected()) as Worker[]
}
