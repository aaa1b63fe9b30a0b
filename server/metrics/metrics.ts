import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { boundedLookUp } from './bounded_look_up.ts'

interface FinishedRequest {
  /** Id of the operation, or a fixed word for anything else, so that clients cannot create time series. */
  readonly operation: string
  readonly status: number | 'aborted'
  readonly seconds: number
}

interface OperationSeries {
  readonly durations: Histogram.Internal<'operation'>
  readonly byStatus: Map<FinishedRequest['status'], Counter.Internal>
}

/** Values that are read when the metrics are scraped. */
interface LiveValues {
  requestsInFlight(): number
  unfinishedBodies(): number
  unsentResponses(): number
  openStreams(): number
}

/** Numbers of jobs by kind, read when the metrics are scraped. */
interface JobCounts {
  /** The numbers of jobs that are due or dead, of all processes together. @throws Error if the database does not respond */
  shared(): Promise<readonly { readonly kind: string; readonly state: 'due' | 'dead'; readonly count: number }[]>
  /** The number of jobs that are running in this process. */
  running(): ReadonlyMap<string, number>
}

/** The contents of the workspaces, by kind, read when the metrics are scraped. */
interface UsageTotals {
  readonly used: Readonly<Record<string, number>>
  /** The number of workspaces that have reached a quota. */
  readonly full: Readonly<Record<string, number>>
}

/** A database whose state is read when the metrics are scraped. */
interface WatchedDatabase {
  readonly engine: string
  /** @throws Error if the database does not respond */
  statistics(): Promise<DatabaseFigures>
}

type DatabaseFigures = Readonly<Record<'bytes' | 'counts', Readonly<Record<string, number>>>>

/** Time limits for reading from the database: it may be busy for a long time, and the other metrics must not wait for it. */
const JOB_COUNT_MS = 500
const USAGE_SUM_MS = 500
/** A database that takes longer to respond counts as down. */
const STATISTICS_MS = 5_000
const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60]
const TRANSACTION_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 10]

/** Metrics of one service: requests, transactions, and the state of its database at the time of a scrape. */
export class Metrics {
  readonly registry = new Registry()
  readonly #requests: Counter<'operation' | 'status'>
  readonly #durations: Histogram<'operation'>
  readonly #series = new Map<string, OperationSeries>()
  readonly #transactions: Counter<'outcome'>
  readonly #transactionDurations: Histogram
  readonly #refused: Counter<'reason'>

  constructor() {
    const registers = [this.registry]
    this.#requests = new Counter({
      name: 'workspace_requests_total',
      help: 'Responses by operation and HTTP status.',
      labelNames: ['operation', 'status'],
      registers,
    })
    this.#durations = new Histogram({
      name: 'workspace_request_duration_seconds',
      help: 'Time from the end of the request headers to the end of the response.',
      labelNames: ['operation'],
      buckets: REQUEST_BUCKETS,
      registers,
    })
    this.#transactions = new Counter({
      name: 'workspace_transactions_total',
      help: 'Write transactions: committed or rolled back.',
      labelNames: ['outcome'],
      registers,
    })
    this.#transactionDurations = new Histogram({
      name: 'workspace_transaction_duration_seconds',
      help: 'Duration of a write transaction, including its wait in the write queue.',
      buckets: TRANSACTION_BUCKETS,
      registers,
    })
    this.#refused = new Counter({
      name: 'workspace_refused_requests_total',
      help: 'Requests refused before they were read, because of overload or of invalid HTTP or TLS.',
      labelNames: ['reason'],
      registers,
    })
  }

  request({ operation, status, seconds }: FinishedRequest): void {
    // Finding a series by its labels costs more than incrementing it.
    let known = this.#series.get(operation)
    if (!known) this.#series.set(operation, (known = { durations: this.#durations.labels(operation), byStatus: new Map() }))
    let requests = known.byStatus.get(status)
    if (!requests) known.byStatus.set(status, (requests = this.#requests.labels(operation, String(status))))
    requests.inc()
    known.durations.observe(seconds)
  }

  refused(reason: 'overload' | 'unavailable' | 'broken_http' | 'broken_tls'): void {
    this.#refused.labels(reason).inc()
  }

  /** Adds gauges, which are evaluated on each scrape. */
  watch({ requestsInFlight, unfinishedBodies, unsentResponses, openStreams }: LiveValues): void {
    gauge(this.registry, 'workspace_requests_in_flight', 'API requests without a complete response.', (metric) =>
      metric.set(requestsInFlight()),
    )
    gauge(this.registry, 'workspace_unfinished_bodies', 'API requests whose bodies are still arriving.', (metric) =>
      metric.set(unfinishedBodies()),
    )
    gauge(this.registry, 'workspace_unsent_answers', 'Responses that clients have not read yet.', (metric) =>
      metric.set(unsentResponses()),
    )
    gauge(this.registry, 'workspace_open_streams', 'Open event streams.', (metric) => metric.set(openStreams()))
  }

  watchJobs({ shared, running }: JobCounts): void {
    const labelNames = ['kind', 'state'] as const
    const registers = [this.registry]
    const look = boundedLookUp(JOB_COUNT_MS, shared)
    const jobs: Gauge<'kind' | 'state'> = new Gauge({
      name: 'workspace_jobs',
      help: 'Jobs of all processes: due but not claimed, or dead.',
      labelNames,
      registers,
      aggregator: 'max',
      async collect() {
        jobs.reset()
        for (const { kind, state, count } of (await look()) ?? []) jobs.labels(kind, state).set(count)
      },
    })
    const own: Gauge<'kind'> = new Gauge({
      name: 'workspace_jobs_running',
      help: 'Running jobs.',
      labelNames: ['kind'],
      registers,
      collect() {
        own.reset()
        for (const [kind, count] of running()) own.labels(kind).set(count)
      },
    })
  }

  /** @param look throws if the database does not respond */
  watchUsage(look: () => Promise<UsageTotals>): void {
    const bounded = boundedLookUp(USAGE_SUM_MS, look)
    const watch = (name: string, help: string, part: keyof UsageTotals): void => {
      const labelNames = ['kind'] as const
      const metric: Gauge<'kind'> = new Gauge({
        ...{ name, help, labelNames, registers: [this.registry], aggregator: 'max' },
        async collect() {
          for (const [kind, count] of Object.entries((await bounded())?.[part] ?? {})) metric.labels(kind).set(count)
        },
      })
    }
    watch('workspace_usage', 'Usage of all workspaces: pages, other blocks, meeting notes, files and their bytes.', 'used')
    watch('workspace_quotas_full', 'Workspaces that have reached a quota, by kind.', 'full')
  }

  watchDatabase({ engine, statistics }: WatchedDatabase): void {
    // The gauges of one scrape are collected at the same time, and share one read.
    const figures = boundedLookUp(STATISTICS_MS, statistics)
    const set = (
      metric: Gauge<'engine' | 'part' | 'state'>,
      label: 'part' | 'state',
      values: Readonly<Record<string, number>> = {},
    ): void => {
      for (const [name, value] of Object.entries(values)) metric.set({ engine, [label]: name }, value)
    }
    const registers = [this.registry]
    const bytes: Gauge<'engine' | 'part'> = new Gauge({
      name: 'workspace_database_bytes',
      help: 'Size of the database by part.',
      labelNames: ['engine', 'part'],
      registers,
      // Processes share a database, so its size is the same for all of them and must not be added up.
      aggregator: 'max',
      collect: async () => set(bytes, 'part', (await figures())?.bytes),
    })
    const counts: Gauge<'engine' | 'state'> = new Gauge({
      name: 'workspace_database_connections',
      help: 'Connections and waiting work, by state.',
      labelNames: ['engine', 'state'],
      registers,
      collect: async () => set(counts, 'state', (await figures())?.counts),
    })
    gauge(
      this.registry,
      'workspace_database_up',
      'Whether the database responds.',
      async (up) => up.set((await figures()) === undefined ? 0 : 1),
      'min',
    )
  }

  /** Counts a write transaction and measures its duration. */
  async timeTransaction<T>(transaction: () => Promise<T>): Promise<T> {
    const startedAt = performance.now()
    let outcome = 'rolled_back'
    try {
      const result = await transaction()
      outcome = 'committed'
      return result
    } finally {
      this.#transactions.labels(outcome).inc()
      this.#transactionDurations.observe((performance.now() - startedAt) / 1000)
    }
  }
}

function gauge(
  registry: Registry,
  name: string,
  help: string,
  read: (metric: Gauge) => void | Promise<void>,
  aggregator: 'sum' | 'min' = 'sum',
): void {
  const metric: Gauge = new Gauge({ name, help, registers: [registry], aggregator, collect: () => read(metric) })
}

let processRegistry: Registry | undefined

/** Starts to collect metrics of the process: memory, CPU, garbage collection, event loop lag. Repeated calls have no effect. */
export function processMetrics(): Registry {
  if (processRegistry === undefined) {
    processRegistry = new Registry()
    collectDefaultMetrics({ register: processRegistry })
  }
  return processRegistry
}
