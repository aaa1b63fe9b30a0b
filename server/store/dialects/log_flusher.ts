import { closeSync, fdatasync, openSync } from 'node:fs'
import { promisify } from 'node:util'
import { SharedFlush } from './shared_flush.ts'

const flushToDisk = promisify(fdatasync)

/** Brings the write-ahead log to the disk beside the event loop. */
export class LogFlusher {
  readonly #path: string
  readonly #shared = new SharedFlush(() => this.#write())
  #file: number | undefined
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
    return this.#shared.run()
  }

  async close(): Promise<void> {
    await this.#shared.idle()
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
