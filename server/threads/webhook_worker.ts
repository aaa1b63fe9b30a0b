import { getCACertificates } from 'node:tls'
import type { Worker } from 'node:worker_threads'
import { pino, type Logger } from 'pino'
import { startThread } from './start_thread.ts'
import type { WebhookThreadOptions, WebhookThreadOrder, WebhookThreadReport } from './webhook_messages.ts'

interface WebhookWorkerOptions extends Omit<WebhookThreadOptions, 'certificates'> {
  readonly log: Logger
  /** Whether jobs are due that the thread would run. It is asked while there is no thread. */
  isDue(): Promise<boolean>
  /** Time between pings; five seconds by default. */
  readonly pingMilliseconds?: number
}

const LOOK_INTERVAL_MS = 300
const PING_INTERVAL_MS = 5_000
/** A thread that leaves this many pings unanswered is hung; on a busy machine it is late, but never by this much. */
const UNANSWERED_PINGS_MAX = 12
/** Pauses before the next thread after one, two … that have died young. */
const RESTART_PAUSES_MS: readonly number[] = [0, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000]
/** A thread that has lived so long does not die of what made those before it die. */
const YOUNG_MS = 60_000
/** Far more than everything that can be in flight needs. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 256 }

/**
 * Forms events and delivers them in a thread, so that encryption, HTTP and statements of the database hold up no requests. The thread
 * starts with the first event. When it dies, another one takes its place, after a pause if those before it died young, too, and its jobs
 * go on when their leases are over.
 */
export class WebhookWorker {
  readonly #options: WebhookWorkerOptions
  readonly #looking: NodeJS.Timeout
  #thread: Worker | undefined
  #running: ReadonlyMap<string, number> = new Map()
  #settled = Promise.withResolvers<undefined>()
  /** Pings since the last answer; undefined until the first message, because to start may take any time. */
  #unansweredPings: number | undefined
  #failure: unknown
  #exited: Promise<void> = Promise.resolve()
  #startedTime = 0
  /** Threads in a row that have died young. */
  #diedYoung = 0
  #nextStart = -Infinity
  #asking: Promise<void> | undefined
  #isStopping = false

  constructor(options: WebhookWorkerOptions) {
    this.#options = options
    this.#looking = setInterval(() => void this.#startIfDue(), LOOK_INTERVAL_MS).unref()
  }

  /** Tells that jobs were added. */
  look(): void {
    if (this.#thread) this.#order('look')
    else void this.#startIfDue()
  }

  running(): ReadonlyMap<string, number> {
    return this.#running
  }

  /** Resolves when nothing is due and nothing runs. */
  async settled(): Promise<void> {
    await this.#startIfDue()
    if (!this.#thread) return
    this.#order('settle')
    await this.#settled.promise
  }

  /** Lets what is on its way be answered, for a moment, and ends the thread. */
  async stop(): Promise<void> {
    this.#isStopping = true
    clearInterval(this.#looking)
    this.#order('stop')
    await this.#exited
  }

  /** Ends the thread at once. */
  async kill(): Promise<void> {
    this.#isStopping = true
    clearInterval(this.#looking)
    await this.#thread?.terminate()
  }

  #order(order: WebhookThreadOrder): void {
    this.#thread?.postMessage(order)
  }

  async #startIfDue(): Promise<void> {
    if (this.#thread || performance.now() < this.#nextStart) return
    await (this.#asking ??= this.#startWhereDue())
  }

  async #startWhereDue(): Promise<void> {
    // The runner of all other jobs says so when the database does not answer.
    const isDue = await this.#options.isDue().catch(() => false)
    this.#asking = undefined
    if (isDue && !this.#isStopping) this.#start()
  }

  #start(): void {
    const { database, allowedHosts, brands, sharedTime, pingMilliseconds = PING_INTERVAL_MS } = this.#options
    const certificates = getCACertificates('default')
    const workerData: WebhookThreadOptions = { database, allowedHosts, brands, certificates, sharedTime }
    const thread = startThread('server/threads/webhook_thread', { workerData, resourceLimits: RESOURCE_LIMITS })
    const exited = Promise.withResolvers<void>()
    this.#thread = thread
    this.#exited = exited.promise
    this.#startedTime = performance.now()
    this.#order('ping')
    const pings = setInterval(() => this.#ping(thread), pingMilliseconds).unref()
    thread.on('message', (report: WebhookThreadReport) => this.#hear(report))
    thread.on('error', (error) => (this.#failure = error))
    thread.on('exit', (code) => {
      clearInterval(pings)
      this.#onExit(this.#failure ?? new Error(`exit code ${code}`))
      exited.resolve()
    })
  }

  #hear({ done, line, running }: WebhookThreadReport): void {
    this.#unansweredPings = 0
    this.#running = running ?? this.#running
    if (done === 'settle') this.#finishSettling()
    if (line !== undefined) relay(this.#options.log, line)
  }

  #ping(thread: Worker): void {
    if (this.#unansweredPings === undefined) return
    if (this.#unansweredPings >= UNANSWERED_PINGS_MAX) {
      this.#failure = new Error('it hung')
      return void thread.terminate()
    }
    this.#unansweredPings += 1
    this.#order('ping')
  }

  #onExit(failure: unknown): void {
    this.#thread = undefined
    this.#running = new Map()
    this.#unansweredPings = undefined
    this.#failure = undefined
    this.#finishSettling()
    if (this.#isStopping) return
    const milliseconds = this.#pauseBeforeNext()
    this.#options.log.warn(
      { err: failure, restart_ms: milliseconds },
      'the thread that delivers events ended; the next event starts another one',
    )
  }

  /** What makes threads die may last: a full disk, a job that needs too much memory. */
  #pauseBeforeNext(): number {
    const now = performance.now()
    this.#diedYoung = now - this.#startedTime < YOUNG_MS ? this.#diedYoung + 1 : 0
    const milliseconds = RESTART_PAUSES_MS[Math.max(0, this.#diedYoung - 1)] ?? YOUNG_MS
    this.#nextStart = now + milliseconds
    return milliseconds
  }

  #finishSettling(): void {
    this.#settled.resolve(undefined)
    this.#settled = Promise.withResolvers()
  }
}

/** Writes a line of the thread's log to that of the service. */
function relay(log: Logger, line: string): void {
  const { level, msg, ...fields } = JSON.parse(line) as { readonly level: number; readonly msg: string }
  log[pino.levels.labels[level] === 'error' ? 'error' : 'warn'](fields, msg)
}
