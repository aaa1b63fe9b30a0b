import { KeyedRequests } from '../application/keyed_requests.ts'
import { type Listener } from '../http/listener.ts'
import type { QueuedReceivers } from '../jobs/queued_receivers.ts'
import type { Counters } from '../store/counters.ts'
import type { Database } from '../store/database.ts'
import type { FileStorage } from '../store/files/storage.ts'
import type { Ingress } from './ingress.ts'
import type { RunningJobs } from './start_jobs.ts'

/** Parts of the service that are closed after the last response. */
export interface Resources {
  readonly database: Database
  readonly counters: Counters
  readonly storage: FileStorage
  readonly receivers: QueuedReceivers
  readonly keyedRequests: KeyedRequests
  readonly jobs: RunningJobs
  readonly hasSiblings: boolean
}

/**
 * Stops the service: requests in flight get their responses and streams a last frame, then all resources are closed. Whatever exceeds the
 * time limit for stopping is aborted.
 */
export async function stop(
  { config, log, admission, streams, refusals }: Ingress,
  listener: Listener,
  { database, storage, counters, receivers, keyedRequests, jobs, hasSiblings }: Resources,
): Promise<void> {
  log.info('stopping')
  const stopped = jobs.stop()
  const timedOut = Promise.withResolvers<undefined>()
  const timeout = setTimeout(() => {
    timedOut.resolve(undefined)
    log.warn(
      { requests: admission.requestsInFlight, streams: streams.size },
      'stopping took longer than STOP_SECONDS_MAX; remaining requests are aborted',
    )
    void listener.closeAtOnce()
  }, config.load.stopSecondsMax * 1000)
  // Without other processes, the port stays open a little longer, so that new requests get a response that explains the refusal.
  const closing = hasSiblings ? listener.close() : undefined
  await Promise.all([admission.stop(hasSiblings), streams.end()])
  await (closing ?? listener.close())
  await Promise.race([stopped, timedOut.promise])
  clearTimeout(timeout)
  await keyedRequests.stop().catch(() => undefined)
  await refusals.stop()
  await receivers.close()
  await counters.close()
  await storage.close()
  await database.close()
  log.info('stopped')
}

/** A function that runs `work` on its first call, and returns the result of that run on each call. */
export function callOnce<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  return () => (result ??= work())
}
