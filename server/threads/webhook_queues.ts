import { OPEN_MAX } from '../domain/webhooks/receivers.ts'
import type { WebhookBatch } from './webhook_messages.ts'

/** A webhook and its number. */
export type NumberedWebhook = WebhookBatch['webhooks'][number]

interface Queue {
  readonly waiting: NumberedWebhook[]
  openCount: number
}

/** Starts webhooks: those of a queue in order, and only as many at a time as may be open. */
export class WebhookQueues {
  readonly #queues = new Map<string, Queue>()
  readonly #send: (webhook: NumberedWebhook) => Promise<void>

  /** @param send resolves when the webhook has been answered, and never rejects */
  constructor(send: (webhook: NumberedWebhook) => Promise<void>) {
    this.#send = send
  }

  /** Webhooks in a queue wait until `begin`. */
  add(numbered: NumberedWebhook): void {
    const { queue: name } = numbered.webhook
    if (name === undefined) return void this.#send(numbered)
    const queue = this.#queues.get(name) ?? { waiting: [], openCount: 0 }
    this.#queues.set(name, queue)
    queue.waiting.push(numbered)
  }

  begin(): void {
    for (const [name, queue] of this.#queues) this.#advance(name, queue)
  }

  /** Removes the waiting webhooks of a queue. @returns their numbers */
  takeBack(name: string): number[] {
    return (
      this.#queues
        .get(name)
        ?.waiting.splice(0)
        .map(({ number }) => number) ?? []
    )
  }

  #advance(name: string, queue: Queue): void {
    while (queue.openCount < OPEN_MAX) {
      const next = queue.waiting.shift()
      if (next === undefined) break
      queue.openCount += 1
      void this.#send(next).then(() => {
        queue.openCount -= 1
        this.#advance(name, queue)
      })
    }
    if (queue.openCount + queue.waiting.length === 0) this.#queues.delete(name)
  }
}
