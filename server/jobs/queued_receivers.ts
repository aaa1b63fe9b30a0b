import { renderWebhook, OPEN_MAX, type Receivers, type Reply, type Webhook } from '../domain/events/index.ts'
import type { WebhookReceivers } from '../outbound/webhook_receivers.ts'

/** The open webhooks of one subscription, and those that wait for a slot. */
interface Queue {
  /** Resolve to whether the webhook may be sent. */
  readonly waiting: ((mayBegin: boolean) => void)[]
  openCount: number
}

/**
 * Renders, signs and sends webhooks in the thread that calls it. Webhooks of one queue are sent in order, and only a limited number at a
 * time.
 */
export class QueuedReceivers implements Receivers {
  readonly #receivers: WebhookReceivers
  readonly #queues = new Map<string, Queue>()

  constructor(receivers: WebhookReceivers) {
    this.#receivers = receivers
  }

  refusalOf(url: string): Promise<string | undefined> {
    return this.#receivers.refusalOf(url)
  }

  send(webhook: Webhook & { readonly queue: string }, signal: AbortSignal): Promise<Reply | undefined>
  send(webhook: Webhook, signal: AbortSignal): Promise<Reply>
  async send(webhook: Webhook, signal: AbortSignal): Promise<Reply | undefined> {
    const { queue: name } = webhook
    if (name === undefined) return this.#post(webhook, signal)
    const queue = this.#queues.get(name) ?? { waiting: [], openCount: 0 }
    this.#queues.set(name, queue)
    // Reserve the slot before awaiting anything, so that webhooks keep the order of the calls.
    if (queue.openCount < OPEN_MAX) queue.openCount += 1
    else if (!(await new Promise<boolean>((begin) => queue.waiting.push(begin)))) return undefined
    try {
      return await this.#post(webhook, signal)
    } finally {
      this.#pass(name, queue)
    }
  }

  dropQueued(name: string): void {
    for (const begin of this.#queues.get(name)?.waiting.splice(0) ?? []) begin(false)
  }

  /** Closes the keep-alive connections. */
  close(): Promise<void> {
    return this.#receivers.close()
  }

  /** Passes the slot to the next webhook in a queue. */
  #pass(name: string, queue: Queue): void {
    const begin = queue.waiting.shift()
    if (begin) return begin(true)
    queue.openCount -= 1
    if (queue.openCount === 0) this.#queues.delete(name)
  }

  async #post(webhook: Webhook, signal: AbortSignal): Promise<Reply> {
    signal.throwIfAborted()
    const start = performance.now()
    const reply = await this.#receivers.send({ url: webhook.url, ...renderWebhook(webhook) }, signal)
    return { ...reply, milliseconds: performance.now() - start }
  }
}
