import type { Config } from '../config.ts'
import type { LoadTools } from '../http/assistant_tools.ts'
import { systemClock } from '../kernel/clock.ts'
import type { MetricsReport } from '../metrics/scrape.ts'
import { composeService, type Service } from '../service.ts'
import { developmentOverrides } from './development_overrides.ts'
import { keepYoungGeneration } from './keep_young_generation.ts'
import type { PrimaryMessage, WorkerMessage } from './messages.ts'
import { describeStartFailure } from './start_failure.ts'

const METRICS_TIMEOUT_MS = 3_000

type PendingMetrics = Map<number, (reports: readonly MetricsReport[]) => void>

/** Runs one of several processes that serve requests. The primary starts, stops and restarts it. */
export async function runWorker(config: Config, loadTools: LoadTools): Promise<void> {
  const waiting: PendingMetrics = new Map()
  let service: Service | undefined
  // A worker that is still starting has no requests to complete.
  const end = (): void => {
    if (!service) process.exit(0)
    service.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  // A terminal sends its interrupt to every process. The primary handles it.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined)
  process.on('SIGTERM', end)
  process.on('disconnect', end)
  process.on('message', (message: PrimaryMessage) => (message.kind === 'stop' ? end() : onMessage(message, service, waiting)))
  try {
    const cluster = {
      hasSiblings: true,
      allMetrics: (own: MetricsReport) => askPrimary(own, waiting),
    }
    service = await composeService(config, systemClock, cluster, undefined, await developmentOverrides(config), loadTools)
    send({ kind: 'ready', url: service.url })
    keepYoungGeneration()
  } catch (error) {
    send({ kind: 'failed', message: describeStartFailure(error) })
    process.exit(1)
  }
}

function onMessage(message: PrimaryMessage, service: Service | undefined, waiting: PendingMetrics): void {
  if (message.kind === 'all metrics') waiting.get(message.id)?.(message.reports)
  else if (message.kind === 'renew tls') service?.renewTls()
  else if (message.kind === 'report wanted') {
    // If the metrics are unavailable, send nothing: the primary does not wait for them.
    service?.metricsReport().then(
      (report) => send({ kind: 'report', id: message.id, report }),
      () => undefined,
    )
  }
}

function send(message: WorkerMessage): void {
  // If the primary is gone, the worker is about to stop.
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined)
}

let lastId = 0

/** The metrics of every worker, or of this one alone if the primary does not respond. */
async function askPrimary(own: MetricsReport, waiting: PendingMetrics): Promise<readonly MetricsReport[]> {
  const id = (lastId += 1)
  const reply = Promise.withResolvers<readonly MetricsReport[]>()
  const timeout = setTimeout(() => reply.resolve([own]), METRICS_TIMEOUT_MS)
  waiting.set(id, reply.resolve)
  send({ kind: 'metrics wanted', id, own })
  try {
    return await reply.promise
  } finally {
    clearTimeout(timeout)
    waiting.delete(id)
  }
}
