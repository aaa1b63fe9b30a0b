import { getCACertificates } from 'node:tls'
import type { Worker } from 'node:worker_threads'
import type { Receivers, Reply, Webhook } from '../domain/webhooks/receivers.ts'
import { startThread } from './start_thread.ts'
import type { ReplyBatch, WebhookBatch, WebhookThreadOptions } from './webhook_messages.ts'

interface WebhookSenderOptions extends Pick<WebhookThreadOptions, 'allowedHosts' | 'brands'> {
  readonly refusalOf: Receivers['refusalOf']
  /** Called when the thread has ended by itself; the next webhook starts another one. */
  onThreadDeath(error: unknown): void
  /** From one call to a thread that has something to send to the next; left out, five seconds. */
  readonly callMilliseconds?: number
}

/** The thread ended before the answer: nobody knows whether the receiver had the webhook. */
class ThreadEndedError extends Error {
  override readonly name = 'ThreadEndedError'

  constructor() {
    super('the thread that sends webhooks ended')
  }
}

/** From one batch to the next: to wake a thread costs more than what a small batch holds. */
const GAP_MS = 5
const CALL_MS = 5_000
/** A thread that has left so many calls unanswered hangs. A busy machine makes it late, though never by so much. */
const CALLS_MAX = 12
/** Far more than all that can be in flight takes. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 256 }

/**
 * Sends webhooks from a thread of its own, which starts with the first of them: encryption and HTTP hold up no request. One batch goes
 * each way at a time, so the busier a thread is, the larger are the batches that it gets.
 */
export class WebhookSender implements Receivers {
  readonly refusalOf: Receivers['refusalOf']
  readonly #options: WebhookSenderOptions
  readonly #unanswered = new Map<number, PromiseWithResolvers<Reply | undefined>>()
  #thread: Worker | undefined
  #webhooks: WebhookBatch['webhooks'][number][] = []
  #cancelled: number[] = []
  #takenBack: string[] = []
  /** Calls since the thread was last heard of. */
  #callCount = 0
  #isCalling = false
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

  /** Ends the thread, with the connections that it keeps. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#thread?.terminate()
  }

  /** Hands over, as one batch, what comes in this turn of the event loop, or in a moment where the last batch has only just gone. */
  #post(): void {
    if (this.#isPosting) return
    this.#isPosting = true
    const early = this.#postedAt + GAP_MS - performance.now()
    if (early > 0) setTimeout(() => this.#postNow(), early)
    else setImmediate(() => this.#postNow())
  }

  #postNow(): void {
    this.#isPosting = false
    const batch: WebhookBatch = {
      webhooks: this.#webhooks,
      cancelled: this.#cancelled,
      takenBack: this.#takenBack,
      isCall: this.#isCalling || this.#thread === undefined,
    }
    this.#empty()
    if (this.#isClosed || (this.#thread === undefined && batch.webhooks.length === 0)) return
    this.#thread ??= this.#start()
    this.#thread.postMessage(batch)
    this.#postedAt = performance.now()
  }

  #empty(): void {
    this.#webhooks = []
    this.#cancelled = []
    this.#takenBack = []
    this.#isCalling = false
  }

  #start(): Worker {
    const { allowedHosts, brands } = this.#options
    const workerData: WebhookThreadOptions = { allowedHosts, brands, certificates: getCACertificates('default') }
    const thread = startThread('webhook_thread', { workerData, resourceLimits: RESOURCE_LIMITS })
    let failure: unknown
    let calls: NodeJS.Timeout | undefined
    const call = (): void => {
      if (this.#callCount >= CALLS_MAX) failure = new Error('it hung')
      if (this.#callCount >= CALLS_MAX) void thread.terminate()
      else this.#call()
    }
    thread.on('message', (replies: ReplyBatch) => {
      // Until it first answers, it is made; how long that takes is the machine's affair.
      calls ??= setInterval(call, this.#options.callMilliseconds ?? CALL_MS).unref()
      this.#callCount = 0
      for (const { number, reply } of replies) this.#unanswered.get(number)?.resolve(reply)
      this.#post()
    })
    thread.on('error', (error) => (failure = error))
    thread.on('exit', (code) => {
      clearInterval(calls)
      this.#ended(failure ?? new Error(`exit code ${code}`))
    })
    return thread
  }

  /** Asks a thread for an answer that has had something to do for long enough. */
  #call(): void {
    if (this.#unanswered.size === 0) return
    this.#callCount += 1
    this.#isCalling = true
    this.#post()
  }

  #ended(failure: unknown): void {
    this.#thread = undefined
    this.#callCount = 0
    this.#empty()
    for (const { reject } of this.#unanswered.values()) reject(new ThreadEndedError())
    if (!this.#isClosed) this.#options.onThreadDeath(failure)
  }
}
