import type { Config } from '../config.ts'
import { systemClock } from '../kernel/clock.ts'
import type { MetricsReport } from '../metrics/scrape.ts'
import { startService, type Service } from '../service.ts'
import { releaseStartMemory } from './memory.ts'
import type { FromPrimary, FromWorker } from './messages.ts'
import { describeStartFailure } from './start_failure.ts'

const METRICS_PATIENCE_MS = 3_000

type Waiting = Map<number, (reports: readonly MetricsReport[]) => void>

/** Runs one of several processes that serve requests. The primary starts, stops and restarts it. */
export async function runWorker(config: Config): Promise<void> {
  const waiting: Waiting = new Map()
  let service: Service | undefined
  // A worker that does not serve yet has nothing to finish.
  const end = (): void => {
    if (!service) process.exit(0)
    service.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  // A terminal sends its interrupt to every process; the primary handles it.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined)
  process.on('SIGTERM', end)
  process.on('disconnect', end)
  process.on('message', (message: FromPrimary) => (message.kind === 'stop' ? end() : hear(message, service, waiting)))
  try {
    service = await startService(config, systemClock, {
      hasSiblings: true,
      allMetrics: (own) => askPrimary(own, waiting),
      beforeServing: () => releaseStartMemory(),
    })
    tell({ kind: 'ready', url: service.url })
  } catch (error) {
    tell({ kind: 'failed', message: describeStartFailure(error) })
    process.exit(1)
  }
}

function hear(message: FromPrimary, service: Service | undefined, waiting: Waiting): void {
  if (message.kind === 'all metrics') waiting.get(message.id)?.(message.reports)
  else if (message.kind === 'renew tls') service?.renewTls()
  else if (message.kind === 'report wanted') {
    // Metrics that are not available are left out: the primary does not wait for them.
    service?.metricsReport().then(
      (report) => tell({ kind: 'report', id: message.id, report }),
      () => undefined,
    )
  }
}

function tell(message: FromWorker): void {
  // Without a primary, the worker is about to stop.
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined)
}

let lastId = 0

/** The metrics of every worker, or of this one alone if the primary does not respond. */
async function askPrimary(own: MetricsReport, waiting: Waiting): Promise<readonly MetricsReport[]> {
  const id = (lastId += 1)
  const answer = Promise.withResolvers<readonly MetricsReport[]>()
  const patience = setTimeout(() => answer.resolve([own]), METRICS_PATIENCE_MS)
  waiting.set(id, answer.resolve)
  tell({ kind: 'metrics wanted', id, own })
  try {
    return await answer.promise
  } finally {
    clearTimeout(patience)
    waiting.delete(id)
  }
}
