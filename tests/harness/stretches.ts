import type { Database } from '../../server/store/database.ts'

/** The processor time of one request on the thread that handles all requests, in milliseconds. */
export interface Stretches {
  /** The longest time between two turns of the event loop. */
  readonly longest: number
  /** All turns that did work while a write transaction was open. */
  readonly inTransaction: number
}

/** Shorter turns only polled for events. */
const WORKING_MS = 0.5

/**
 * Measures how long the event loop is blocked. It counts processor time of this thread only, so that other processes on the machine do not
 * affect the figures.
 */
export class StretchMeter {
  #openTransactions = 0

  /** For `TestParts`: tracks when write transactions are open. */
  readonly wrapDatabase = (opened: Database): Database => {
    const watched: Pick<Database, 'write'> = {
      write: (work, ...rest) =>
        opened.write(
          async (transaction) => {
            this.#openTransactions += 1
            try {
              return await work(transaction)
            } finally {
              this.#openTransactions -= 1
            }
          },
          ...rest,
        ),
    }
    return new Proxy(opened, {
      get(target, key) {
        if (key === 'write') return watched.write
        const value: unknown = Reflect.get(target, key, target)
        return typeof value === 'function' ? (value.bind(target) as unknown) : value
      },
    })
  }

  /** Runs work that awaits responses of a service on this thread. */
  async of(work: () => Promise<void>): Promise<Stretches> {
    let [longest, inTransaction, isDone] = [0, 0, false]
    let before = process.threadCpuUsage()
    const ended = Promise.withResolvers<void>()
    const turn = (): void => {
      const { user, system } = process.threadCpuUsage(before)
      before = process.threadCpuUsage()
      const milliseconds = (user + system) / 1000
      longest = Math.max(longest, milliseconds)
      if (this.#openTransactions > 0 && milliseconds > WORKING_MS) inTransaction += milliseconds
      if (isDone) ended.resolve()
      else setImmediate(turn)
    }
    setImmediate(turn)
    await work().finally(() => (isDone = true))
    await ended.promise
    return { longest, inTransaction }
  }
}
