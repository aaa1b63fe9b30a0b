import { closeSync, fdatasync, openSync } from 'node:fs'
import { promisify } from 'node:util'

const flushToDisk = promisify(fdatasync)

/** Group commit: flushes the write-ahead log to disk without blocking the event loop. All commits during one flush share the next one. */
export class LogFlusher {
  readonly #path: string
  #running: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined
  #file: number | undefined
  #failure: unknown

  /** @param path the log file, which exists from the first write until the database is closed */
  constructor(path: string) {
    this.#path = path
  }

  /**
   * Resolves when everything that was committed before the call is on disk.
   * @throws Error if the disk has failed. Every later flush fails as well, because the operating system reports lost writes only once.
   */
  flush(): Promise<void> {
    this.#next ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined
        this.#running = this.#write()
        return this.#running
      })
    return this.#next
  }

  async close(): Promise<void> {
    await (this.#next ?? this.#running).catch(() => undefined)
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }

  async #write(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure
    // An error of opening the file may be temporary, for example for lack of file descriptors.
    const file = (this.#file ??= openSync(this.#path, 'r+'))
    try {
      await flushToDisk(file)
    } catch (error) {
      this.#failure = error
      throw error
    }
  }
}
