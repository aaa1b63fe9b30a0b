import type { MetricsReport } from '../metrics/scrape.ts'

/** What a worker tells the primary. */
export type FromWorker =
  | { readonly kind: 'ready'; readonly url: string }
  /** It cannot start; the message tells the operator why. */
  | { readonly kind: 'failed'; readonly message: string }
  /** A client wants the metrics of all workers; these are its own. */
  | { readonly kind: 'metrics wanted'; readonly id: number; readonly own: MetricsReport }
  | { readonly kind: 'report'; readonly id: number; readonly report: MetricsReport }

/** What the primary tells a worker. */
export type FromPrimary =
  | { readonly kind: 'stop' }
  | { readonly kind: 'renew tls' }
  | { readonly kind: 'report wanted'; readonly id: number }
  | { readonly kind: 'all metrics'; readonly id: number; readonly reports: readonly MetricsReport[] }
