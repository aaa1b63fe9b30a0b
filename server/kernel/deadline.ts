import { serviceUnavailable } from './unavailable.ts'

/**
 * The time that one request may take. When it is over before anything was committed, the answer is 503 and nothing can be
 * committed any more; once a commit has begun, the answer waits for its outcome.
 */
export class Deadline {
  readonly #end: number
  readonly #milliseconds: number
  #timer: NodeJS.Timeout | undefined
  #hasExpired = false
  readonly #listeners: (() => void)[] = []

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds
    this.#end = performance.now() + milliseconds
  }

  /** Settles as the work does, or rejects when the time is over first. The work itself goes on unheard. */
  guard<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#timer = setTimeout(() => reject(this.#expire()), Math.max(0, this.#end - performance.now()))
      work.then(
        (result) => {
          this.lift()
          resolve(result)
        },
        (error: Error) => {
          this.lift()
          reject(error)
        },
      )
    })
  }

  /** Hears when the time is over: nothing that has not been committed will be. */
  onExpiry(listener: () => void): void {
    this.#listeners.push(listener)
  }

  /** @throws ServiceError `service_unavailable` when the time is over */
  check(): void {
    // A busy process may be late with its timers, so the clock decides.
    if (this.#hasExpired || (this.#timer !== undefined && performance.now() > this.#end)) throw this.#expire()
  }

  /** The last thing before a commit. @throws ServiceError as `check` */
  beginCommit(): void {
    this.check()
    this.lift()
  }

  /** From here on the request may take as long as it needs: its answer is a stream, or a commit is on its way. */
  lift(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #expire(): Error {
    this.#hasExpired = true
    for (const listener of this.#listeners.splice(0)) listener()
    return serviceUnavailable(
      `The service could not finish this request within ${this.#milliseconds / 1000} seconds. Nothing was changed.`,
    )
  }
}
