import cluster, { type Worker } from 'node:cluster'
import { serviceUnavailable } from '../kernel/unavailable.ts'
import type { Counters, Draw, Drawn } from './counters.ts'
import { MemoryCounters } from './memory_counters.ts'

const PRIMARY_TIMEOUT_MS = 5_000

/** What a worker asks the primary process to draw: for each of some requests, its budgets. */
interface DrawsMessage {
  readonly kind: 'draws'
  readonly id: number
  readonly draws: readonly (readonly Draw[])[]
}

interface DrawnMessage {
  readonly kind: 'drawn'
  readonly id: number
  readonly drawn: readonly Drawn[]
}

/** A request that waits for its draws. */
interface Waiting {
  readonly draws: readonly Draw[]
  readonly resolve: (drawn: Drawn) => void
  readonly reject: (error: unknown) => void
}

/** Counters in the memory of this process. Those of a worker are in its primary process, which must have called `shareCounters`. */
export function processCounters(): Counters {
  return cluster.isWorker ? new WorkerCounters() : new MemoryCounters()
}

/** Lets the workers of a primary process share its counters. To be called once. */
export function shareCounters(): void {
  const counters = new MemoryCounters()
  const reply = async (worker: Worker, { id, draws }: DrawsMessage): Promise<void> => {
    const drawn = await Promise.all(draws.map((one) => counters.draw(one)))
    // The worker may have ended meanwhile.
    worker.send({ kind: 'drawn', id, drawn } satisfies DrawnMessage, () => undefined)
  }
  cluster.on('message', (worker, message: DrawsMessage | { readonly kind: unknown }) => {
    if (isDraws(message)) void reply(worker, message)
  })
}

function isDraws(message: DrawsMessage | { readonly kind: unknown }): message is DrawsMessage {
  return message.kind === 'draws'
}

/** Draws by messages to the primary process: one for all requests of a turn of the event loop. */
class WorkerCounters implements Counters {
  /** Not sent yet. */
  #next: Waiting[] = []
  readonly #sent = new Map<number, { readonly requests: readonly Waiting[]; readonly timeout: NodeJS.Timeout }>()
  #lastId = 0
  readonly #onMessage = (message: DrawnMessage | { readonly kind: unknown }): void => {
    if (isDrawn(message)) this.#settle(message)
  }

  constructor() {
    process.on('message', this.#onMessage)
  }

  /** @throws ServiceError `service_unavailable` when the primary process does not answer */
  draw(draws: readonly Draw[]): Promise<Drawn> {
    if (this.#next.length === 0) setImmediate(() => this.#send())
    return new Promise((resolve, reject) => this.#next.push({ draws, resolve, reject }))
  }

  async close(): Promise<void> {
    process.off('message', this.#onMessage)
  }

  #send(): void {
    const id = (this.#lastId += 1)
    const requests = this.#next
    this.#next = []
    const giveUp = (error: Error): void => this.#fail(id, error)
    const timeout = setTimeout(() => giveUp(new Error('the primary process does not answer')), PRIMARY_TIMEOUT_MS)
    this.#sent.set(id, { requests, timeout: timeout.unref() })
    const message: DrawsMessage = { kind: 'draws', id, draws: requests.map(({ draws }) => draws) }
    // Without a primary, the worker is about to stop.
    if (process.connected) process.send?.(message, undefined, undefined, (error) => error && giveUp(error))
    else giveUp(new Error('there is no primary process'))
  }

  #settle({ id, drawn }: DrawnMessage): void {
    for (const [index, { resolve }] of this.#take(id).entries()) {
      const own = drawn[index]
      if (own) resolve(own)
    }
  }

  #fail(id: number, error: Error): void {
    const failure = serviceUnavailable('Requests cannot be counted at the moment. Nothing was changed.', error)
    for (const { reject } of this.#take(id)) reject(failure)
  }

  #take(id: number): readonly Waiting[] {
    const sent = this.#sent.get(id)
    this.#sent.delete(id)
    clearTimeout(sent?.timeout)
    return sent?.requests ?? []
  }
}

function isDrawn(message: DrawnMessage | { readonly kind: unknown }): message is DrawnMessage {
  return message.kind === 'drawn'
}
