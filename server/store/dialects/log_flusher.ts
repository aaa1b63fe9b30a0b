import { closeSync, fdatasync, openSync } from 'node:fs'
import { promisify } from 'node:util'

const flushToDisk = promisify(fdatasync)

/**
 * Flushes the write-ahead log to the disk without blocking the event loop. A flush covers every transaction committed before it began, so
 * many writers share one (group commit).
 */
export class LogFlusher {
  readonly #path: string
  #file: number | undefined
  #running: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined
  #failure: unknown

  /** @param path the log file, which exists from the first write until the database is closed */
  constructor(path: string) {
    this.#path = path
  }

  /**
   * Resolves when everything that was committed before the call is on the disk.
   * @throws Error if the disk has failed. Every later flush fails, too, because the system reports lost writes only once.
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
