import type { Config } from '../config.ts'
import { countJobs } from '../domain/jobs/count.ts'
import type { JobQueue } from '../domain/jobs/queue.ts'
import type { TurnParts } from '../domain/sessions/turn_parts.ts'
import { jobKinds } from '../jobs/job_kinds.ts'
import { jobParts } from '../jobs/job_parts.ts'
import { startJobRunner } from '../jobs/job_runner.ts'
import { webhookKinds } from '../jobs/webhook_kinds.ts'
import { maskText } from '../kernel/masking.ts'
import { listDueKinds } from '../store/jobs.ts'
import { sumCounts } from '../store/usage.ts'
import { WebhookWorker } from '../threads/webhook_worker.ts'
import type { Ingress } from './ingress.ts'

/** The jobs that this process runs. */
export interface RunningJobs {
  /** Announces that jobs have been added. */
  look(): void
  /** Runs the jobs that are due, and those that they create. @returns once no job is due or running */
  drain(): Promise<void>
  /** Aborts running jobs, waits for them to end, and leaves unfinished ones to other processes. */
  stop(): Promise<void>
  /** Ends at once whatever `stop` has not ended. */
  close(): Promise<void>
}

type StartParts = Parameters<typeof jobParts>[0] &
  Pick<TurnParts, 'feed' | 'runtimes' | 'tools'> &
  Pick<Ingress, 'config' | 'metrics' | 'headers' | 'interceptor'> & { readonly queue: JobQueue }

/** Starts to run jobs: those of webhooks in a separate thread, unless only this thread has access to the database or the clock. */
export function startJobs(parts: StartParts): RunningJobs {
  const { config, database, queue, clock, log, metrics, headers, receivers, feed, runtimes, tools, interceptor } = parts
  const now = (): number => clock.now()
  const [own, ofWebhooks] = [jobKinds({ ...jobParts(parts), feed, runtimes, tools }), webhookKinds({ database, receivers, now })]
  const names = ofWebhooks.map(({ name }) => name)
  const worker =
    clock.shared === undefined || isInMemory(config)
      ? undefined
      : new WebhookWorker({
          database: config.database,
          allowedHosts: config.webhookPrivateHosts,
          brands: headers.brands,
          sharedTime: clock.shared === 'machine' ? undefined : clock.shared,
          log,
          isDue: async () => (await database.read((db) => listDueKinds(db, names, now()))).length > 0,
        })
  const kinds = worker ? own : [...own, ...ofWebhooks]
  const runner = startJobRunner({ database, queue, kinds, now, scrub: maskText, log, runApart: interceptor?.runApart })
  metrics.watchJobs({
    shared: () => countJobs(database, [...own, ...ofWebhooks], now()),
    running: () => new Map([...runner.running(), ...(worker?.running() ?? [])]),
  })
  metrics.watchUsage(async () => database.read(sumCounts))
  return {
    look: () => worker?.look(),
    drain: async () => void (await Promise.all([runner.drain(), worker?.settled()])),
    stop: async () => void (await Promise.all([runner.stop(), worker?.stop()])),
    close: async () => worker?.kill(),
  }
}

function isInMemory({ database }: Config): boolean {
  return database.engine === 'sqlite' && database.path === ':memory:'
}
