import { serviceUnavailable } from './unavailable.ts'

/**
 * The time limit of one request. If it is reached before anything has been committed, the response is 503, and nothing can be committed
 * afterwards. Once a commit has begun, the response waits for its outcome.
 */
export class Deadline {
  readonly #end: number
  readonly #milliseconds: number
  #timer: NodeJS.Timeout | undefined
  #isLifted = false
  #hasExpired = false
  readonly #listeners: (() => void)[] = []

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds
    this.#end = performance.now() + milliseconds
  }

  /** Settles like the work, or rejects if the limit is reached first. The work then continues, but its outcome is ignored. */
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

  /** Calls the listener when the limit is reached: uncommitted work will not be committed. */
  onExpiry(listener: () => void): void {
    this.#listeners.push(listener)
  }

  /** @throws ServiceError `service_unavailable` if the limit has been reached */
  check(): void {
    // In a busy process, timers may be late, so check the clock.
    if (this.#hasExpired || (!this.#isLifted && performance.now() > this.#end)) throw this.#expire()
  }

  /**
   * Call this right before a commit.
   * @throws ServiceError as `check`
   */
  beginCommit(): void {
    this.check()
    this.lift()
  }

  /** Removes the limit: the response is a stream, or a commit has begun. */
  lift(): void {
    clearTimeout(this.#timer)
    this.#isLifted = true
  }

  #expire(): Error {
    this.#hasExpired = true
    for (const listener of this.#listeners.splice(0)) listener()
    return serviceUnavailable(
      `The service could not finish this request within ${this.#milliseconds / 1000} seconds. Nothing was changed.`,
    )
  }
}
