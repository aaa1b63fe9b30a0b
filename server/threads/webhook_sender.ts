import { getCACertificates } from 'node:tls'
import type { Worker } from 'node:worker_threads'
import type { Receivers, Reply, Webhook } from '../domain/webhooks/receivers.ts'
import { startThread } from './start_thread.ts'
import type { ReplyBatch, WebhookBatch, WebhookThreadOptions } from './webhook_messages.ts'

interface WebhookSenderOptions extends Pick<WebhookThreadOptions, 'allowedHosts' | 'brands'> {
  readonly refusalOf: Receivers['refusalOf']
  /** Called when the thread has ended unexpectedly; the next webhook starts another one. */
  onThreadDeath(error: unknown): void
  /** Time between pings to a thread that has something to send; five seconds by default. */
  readonly pingMilliseconds?: number
}

/** The thread ended before the reply: it is unknown whether the receiver got the webhook. */
class ThreadEndedError extends Error {
  override readonly name = 'ThreadEndedError'

  constructor() {
    super('the thread that sends webhooks ended')
  }
}

/** Between two batches: waking the thread costs more than the work in a small batch. */
const BATCH_INTERVAL_MS = 5
const PING_INTERVAL_MS = 5_000
/** A thread that leaves this many pings unanswered is hung; on a busy machine it is late, but never by this much. */
const UNANSWERED_PINGS_MAX = 12
/** Far more than everything that can be in flight needs. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 256 }

/**
 * Sends webhooks from a separate thread, so that encryption and HTTP hold up no requests. The thread starts with the first webhook. Only
 * one batch is in transit each way, so a busier thread gets larger batches.
 */
export class WebhookSender implements Receivers {
  readonly refusalOf: Receivers['refusalOf']
  readonly #options: WebhookSenderOptions
  readonly #unanswered = new Map<number, PromiseWithResolvers<Reply | undefined>>()
  #thread: Worker | undefined
  #webhooks: WebhookBatch['webhooks'][number][] = []
  #cancelled: number[] = []
  #takenBack: string[] = []
  /** Pings since the last message from the thread. */
  #unansweredPings = 0
  #isPingDue = false
  #isPosting = false
  #postedAt = -Infinity
  #isClosed = false
  #lastNumber = 0

  constructor(options: WebhookSenderOptions) {
    this.#options = options
    this.refusalOf = options.refusalOf
  }

  send(webhook: Webhook & { readonly queue: string }, signal: AbortSignal): Promise<Reply | undefined>
  send(webhook: Webhook, signal: AbortSignal): Promise<Reply>
  async send(webhook: Webhook, signal: AbortSignal): Promise<Reply | undefined> {
    signal.throwIfAborted()
    if (this.#isClosed) throw new ThreadEndedError()
    const number = (this.#lastNumber += 1)
    const answered = Promise.withResolvers<Reply | undefined>()
    const cancel = (): void => {
      answered.reject(signal.reason)
      this.#cancelled.push(number)
      this.#post()
    }
    this.#unanswered.set(number, answered)
    this.#webhooks.push({ number, webhook })
    this.#post()
    signal.addEventListener('abort', cancel)
    try {
      return await answered.promise
    } finally {
      signal.removeEventListener('abort', cancel)
      this.#unanswered.delete(number)
    }
  }

  takeBack(queue: string): void {
    this.#takenBack.push(queue)
    this.#post()
  }

  /** Ends the thread and its connections. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#thread?.terminate()
  }

  /** Posts one batch at the end of this turn of the event loop, or a moment later if the last batch was posted only just now. */
  #post(): void {
    if (this.#isPosting) return
    this.#isPosting = true
    const early = this.#postedAt + BATCH_INTERVAL_MS - performance.now()
    if (early > 0) setTimeout(() => this.#postNow(), early)
    else setImmediate(() => this.#postNow())
  }

  #postNow(): void {
    this.#isPosting = false
    const batch: WebhookBatch = {
      webhooks: this.#webhooks,
      cancelled: this.#cancelled,
      takenBack: this.#takenBack,
      isPing: this.#isPingDue || this.#thread === undefined,
    }
    this.#clear()
    if (this.#isClosed || (this.#thread === undefined && batch.webhooks.length === 0)) return
    this.#thread ??= this.#start()
    this.#thread.postMessage(batch)
    this.#postedAt = performance.now()
  }

  #clear(): void {
    this.#webhooks = []
    this.#cancelled = []
    this.#takenBack = []
    this.#isPingDue = false
  }

  #start(): Worker {
    const { allowedHosts, brands } = this.#options
    const workerData: WebhookThreadOptions = { allowedHosts, brands, certificates: getCACertificates('default') }
    const thread = startThread('webhook_thread', { workerData, resourceLimits: RESOURCE_LIMITS })
    let failure: unknown
    let pings: NodeJS.Timeout | undefined
    const pingOrTerminate = (): void => {
      if (this.#unansweredPings < UNANSWERED_PINGS_MAX) return this.#ping()
      failure = new Error('it hung')
      void thread.terminate()
    }
    thread.on('message', (replies: ReplyBatch) => {
      // Until its first message the thread is starting, which may take any time.
      pings ??= setInterval(pingOrTerminate, this.#options.pingMilliseconds ?? PING_INTERVAL_MS).unref()
      this.#unansweredPings = 0
      for (const { number, reply } of replies) this.#unanswered.get(number)?.resolve(reply)
      this.#post()
    })
    thread.on('error', (error) => (failure = error))
    thread.on('exit', (code) => {
      clearInterval(pings)
      this.#onExit(failure ?? new Error(`exit code ${code}`))
    })
    return thread
  }

  /** Pings a thread that has work. */
  #ping(): void {
    if (this.#unanswered.size === 0) return
    this.#unansweredPings += 1
    this.#isPingDue = true
    this.#post()
  }

  #onExit(failure: unknown): void {
    this.#thread = undefined
    this.#unansweredPings = 0
    this.#clear()
    for (const { reject } of this.#unanswered.values()) reject(new ThreadEndedError())
    if (!this.#isClosed) this.#options.onThreadDeath(failure)
  }
}
