import { randomInt } from 'node:crypto'
import { readdirSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Presence } from '../presence.ts'
import { lockFile } from './file_lock.ts'

const NUMBER_MAX = 2 ** 31

/** Shows the presence of a process by a lock on a file beside the database. Processes remove the files of processes that were killed. */
export class SqlitePresence implements Presence {
  readonly #path: string
  #held: { readonly number: number; readonly free: () => void } | undefined

  /** @param path the path of the database, which must exist */
  constructor(path: string) {
    // Resolves links, so that the same file always has the same path.
    this.#path = realpathSync(path)
  }

  async own(): Promise<number | undefined> {
    this.#held ??= this.#take()
    return this.#held?.number
  }

  async hasEnded(number: number): Promise<boolean> {
    if (number === this.#held?.number) return false
    try {
      const free = lockFile(this.#fileOf(number))
      free?.()
      return free !== undefined
    } catch {
      return false
    }
  }

  close(): void {
    this.#held?.free()
    this.#held = undefined
  }

  #take(): { readonly number: number; readonly free: () => void } | undefined {
    try {
      this.#removeLeftovers()
      const number = randomInt(1, NUMBER_MAX)
      const free = lockFile(this.#fileOf(number))
      return free && { number, free }
    } catch {
      // Without such a file, the idempotency keys of an ended process are released after a minute.
      return undefined
    }
  }

  #fileOf(number: number): string {
    return `${this.#path}-process-${number}`
  }

  #removeLeftovers(): void {
    const prefix = `${basename(this.#path)}-process-`
    const left = readdirSync(dirname(this.#path)).filter(
      (name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)),
    )
    for (const name of left) lockFile(join(dirname(this.#path), name))?.()
  }
}
