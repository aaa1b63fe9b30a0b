import type { Config } from '../config.ts'
import { systemClock } from '../kernel/clock.ts'
import type { MetricsReport } from '../metrics/scrape.ts'
import { startService, type Service } from '../service.ts'
import { releaseStartMemory } from './memory.ts'
import type { FromPrimary, FromWorker } from './messages.ts'
import { describeStartFailure } from './start_failure.ts'

const METRICS_PATIENCE_MS = 3_000

type Waiting = Map<number, (reports: readonly MetricsReport[]) => void>

/** One of several processes that serve requests. The primary starts it, stops it and starts it anew when it dies. */
export async function runWorker(config: Config): Promise<void> {
  const waiting: Waiting = new Map()
  let service: Service | undefined
  // A worker that has not begun to serve has nobody to say goodbye to.
  const end = (): void => {
    if (!service) process.exit(0)
    service.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  // A terminal sends its interrupt to every process; the primary decides what it means.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined)
  process.on('SIGTERM', end)
  process.on('disconnect', end)
  process.on('message', (message: FromPrimary) => (message.kind === 'stop' ? end() : hear(message, service, waiting)))
  try {
    service = await startService(config, systemClock, {
      hasSiblings: true,
      allMetrics: (own) => askPrimary(own, waiting),
      beforeServing: releaseStartMemory,
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
    // Figures that cannot be had are left out: the primary does not wait for them.
    service?.metricsReport().then(
      (report) => tell({ kind: 'report', id: message.id, report }),
      () => undefined,
    )
  }
}

function tell(message: FromWorker): void {
  // Without a primary there is nobody to tell; the worker is about to stop.
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined)
}

let lastId = 0

/** The figures of every worker, or those of this one alone when the primary does not answer. */
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
