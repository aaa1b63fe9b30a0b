import type { MetricsReport } from '../metrics/scrape.ts'

/** A message from a worker to the primary. */
export type WorkerMessage =
  | { readonly kind: 'ready'; readonly url: string }
  /** The worker cannot start. The message is for the operator. */
  | { readonly kind: 'failed'; readonly message: string }
  /** A client requests the metrics of all workers; `own` contains the sender's. */
  | { readonly kind: 'metrics wanted'; readonly id: number; readonly own: MetricsReport }
  | { readonly kind: 'report'; readonly id: number; readonly report: MetricsReport }

/** A message from the primary to a worker. */
export type PrimaryMessage =
  | { readonly kind: 'stop' }
  | { readonly kind: 'renew tls' }
  | { readonly kind: 'report wanted'; readonly id: number }
  | { readonly kind: 'all metrics'; readonly id: number; readonly reports: readonly MetricsReport[] }
