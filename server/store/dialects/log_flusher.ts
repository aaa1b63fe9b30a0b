import { closeSync, fdatasync, openSync } from 'node:fs'
import { promisify } from 'node:util'

const flushToDisk = promisify(fdatasync)

/**
 * Brings the write-ahead log to the disk beside the event loop. Everyone whose transaction was committed before a flush began is
 * served by it, so that many writers share one.
 */
export class LogFlusher {
  readonly #path: string
  #file: number | undefined
  #running: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined
  #failure: unknown

  /** @param path the log; it is there as long as the database is open, once something was written */
  constructor(path: string) {
    this.#path = path
  }

  /**
   * @returns when everything that was committed before the call is on the disk
   * @throws Error when the disk has failed; from then on every flush fails, because what it lost it will not tell a second time
   */
  flush(): Promise<void> {
    if (this.#next === undefined) {
      const next = this.#running
        .catch(() => undefined)
        .then(() => {
          this.#next = undefined
          this.#running = this.#write()
          return this.#running
        })
      this.#next = next
    }
    return this.#next
  }

  async close(): Promise<void> {
    await (this.#next ?? this.#running).catch(() => undefined)
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }

  async #write(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure
    try {
      this.#file ??= openSync(this.#path, 'r+')
      await flushToDisk(this.#file)
    } catch (error) {
      this.#failure = error
      throw error
    }
  }
}
