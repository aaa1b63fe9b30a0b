import type { Connection } from '../database.ts'
import type { SqliteStatement } from './sqlite_statement.ts'

const KEPT_MAX = 1_000

/**
 * What was read from a SQLite file, for as long as nothing is committed to it: not by this process, which writes through another
 * handle, and not by any other. The engine shows this by a number that it keeps beside the file for its own caches.
 */
export class MemoryOfReads {
  readonly #reader: Connection
  readonly #version: SqliteStatement
  readonly #kept = new Map<string, unknown>()
  #keptAt: unknown

  /** @param version asks for that number, through the reader's own handle */
  constructor(reader: Connection, version: SqliteStatement) {
    this.#reader = reader
    this.#version = version
  }

  /** @param work finds nothing, and is not kept, when it resolves to undefined */
  async read<T>(key: string, work: (connection: Connection) => Promise<T>): Promise<T> {
    // Asked before the work: what is read after a commit may stand under an older number, never the other way round.
    const version = this.#now()
    if (version !== this.#keptAt || this.#kept.size >= KEPT_MAX) {
      this.#kept.clear()
      this.#keptAt = version
    }
    const known = this.#kept.get(key)
    // The caller of this key is the one who kept it, with the same work.
    if (known !== undefined) return known as T
    const found = await work(this.#reader)
    if (found !== undefined && version === this.#keptAt) this.#kept.set(key, found)
    return found
  }

  #now(): unknown {
    return this.#version.value()
  }
}
