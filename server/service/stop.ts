import { KeyedRequests } from '../application/keyed_requests.ts'
import { type Listener } from '../http/listener.ts'
import type { QueuedReceivers } from '../threads/queued_receivers.ts'
import type { Counters } from '../store/counters.ts'
import type { Database } from '../store/database.ts'
import type { FileStorage } from '../store/files/storage.ts'
import type { Ingress } from './ingress.ts'
import type { RunningJobs } from './start_jobs.ts'

/** What outlives the requests. */
export interface Resources {
  readonly database: Database
  readonly counters: Counters
  readonly storage: FileStorage
  readonly receivers: QueuedReceivers
  readonly keyedRequests: KeyedRequests
  readonly jobs: RunningJobs
  readonly hasSiblings: boolean
}

/** In-flight requests get their answers and streams their last frame; what takes longer than it may is cut off. */
export async function stop(
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
  await jobs.close()
  receivers.close()
  await counters.close()
  await storage.close()
  await database.close()
  log.info('stopped')
}

/** Makes work that is asked for repeatedly run once. */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  return () => (result ??= work())
}
