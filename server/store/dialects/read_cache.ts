import { andThen, type MaybePromise } from '../../kernel/maybe_promise.ts'
import type { Connection } from '../database.ts'
import type { SqliteStatement } from './sqlite_statement.ts'

const ENTRIES_MAX = 1_000

/**
 * Caches what was read from a SQLite file until this process, which writes through another handle, or another one commits to it. SQLite
 * signals that by `PRAGMA data_version`.
 */
export class ReadCache {
  readonly #reader: Connection
  readonly #version: SqliteStatement
  readonly #cached = new Map<string, unknown>()
  #cachedAt: unknown

  /** @param version `PRAGMA data_version`, prepared on the handle of the reader */
  constructor(reader: Connection, version: SqliteStatement) {
    this.#reader = reader
    this.#version = version
  }

  /** The cached result for a key, or that of `work`. A result of undefined is not cached. */
  read<T>(key: string, work: (connection: Connection) => MaybePromise<T>): MaybePromise<T> {
    // Read before `work` runs: a result may be newer than the version that it is cached under, but never older.
    const version = this.#version.value()
    if (version !== this.#cachedAt || this.#cached.size >= ENTRIES_MAX) {
      this.#cached.clear()
      this.#cachedAt = version
    }
    const known = this.#cached.get(key)
    // A key always comes with the same work, hence the type.
    if (known !== undefined) return known as T
    const keep = (found: T): T => {
      if (found !== undefined && version === this.#cachedAt) this.#cached.set(key, found)
      return found
    }
    return andThen(work(this.#reader), keep)
  }
}
