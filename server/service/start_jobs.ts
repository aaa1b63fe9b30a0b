import { countJobs, type JobQueue } from '../domain/shared/index.ts'
import type { DeliveryDeps } from '../domain/events/index.ts'
import type { TurnDeps } from '../domain/agents/index.ts'
import { jobKinds } from '../jobs/job_kinds.ts'
import { jobDeps } from '../jobs/job_deps.ts'
import { startJobRunner } from '../jobs/job_runner.ts'
import { webhookKinds } from '../jobs/webhook_kinds.ts'
import { maskText } from '../kernel/masking.ts'
import { sumCounts } from '../store/usage.ts'
import type { Ingress } from './ingress.ts'

export interface RunningJobs {
  /** Runs the jobs that are due, and those that they create. @returns once no job is due or running */
  drain(): Promise<void>
  /** Aborts running jobs, waits for them to end, and leaves unfinished ones to other processes. */
  stop(): Promise<void>
}

type JobsDeps = Parameters<typeof jobDeps>[0] &
  Pick<TurnDeps, 'feed' | 'runtimes' | 'tools'> &
  Pick<DeliveryDeps, 'receivers'> &
  Pick<Ingress, 'metrics' | 'interceptor'> & { readonly queue: JobQueue }

export function startJobs(deps: JobsDeps): RunningJobs {
  const { database, queue, clock, log, metrics, receivers, feed, runtimes, tools, interceptor } = deps
  const now = (): number => clock.now()
  const kinds = [...jobKinds({ ...jobDeps(deps), feed, runtimes, tools }), ...webhookKinds({ database, receivers, now })]
  const runner = startJobRunner({ database, queue, kinds, now, scrub: maskText, log, runBackground: interceptor?.runBackground })
  metrics.watchJobs({ shared: () => countJobs(database, kinds, now()), running: () => runner.running() })
  metrics.watchUsage(async () => database.read(sumCounts))
  return { drain: () => runner.drain(), stop: () => runner.stop() }
}
