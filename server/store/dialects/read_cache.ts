import type { SQLOutputValue } from 'node:sqlite'
import { andThen, type MaybePromise } from '../../kernel/maybe_promise.ts'
import type { Connection } from '../database.ts'
import { isBusy } from './sqlite_failures.ts'
import type { ChangedTable, SqliteStatement } from './sqlite_statement.ts'

const ENTRIES_MAX = 1_000

/** A connection on which nothing is read but what is cached, so that it knows of which tables that is. */
interface CachedConnection extends Connection {
  mayUse(table: ChangedTable): boolean
  readonly handle: { close(): void }
}

/**
 * Caches what was read from a SQLite file until somebody commits a change of it. SQLite signals commits through other handles, in this process
 * and in others, by `PRAGMA data_version`, and does not say what changed: they drop everything. Commits through the handle of the writer, which
 * come with nearly all of this process' requests that write, drop it only if they changed a table that was read.
 */
export class ReadCache {
  readonly #reader: CachedConnection
  readonly #version: SqliteStatement
  readonly #cached = new Map<string, unknown>()
  #cachedAt: unknown
  /** How often `forget` has dropped everything. */
  #drops = 0

  /** @param version `PRAGMA data_version`, prepared on the handle of the writer */
  constructor(reader: CachedConnection, version: SqliteStatement) {
    this.#reader = reader
    this.#version = version
  }

  /** The cached result for a key, or that of `work`. A result of undefined is not cached. */
  read<T>(key: string, work: (connection: Connection) => MaybePromise<T>): MaybePromise<T> {
    // Read before `work` runs: a result may be newer than the version that it is cached under, but never older.
    const version = this.#versionNow()
    if (version === undefined) return work(this.#reader)
    if (version !== this.#cachedAt || this.#cached.size >= ENTRIES_MAX) {
      this.#cached.clear()
      this.#cachedAt = version
    }
    const known = this.#cached.get(key)
    // A key always comes with the same work, hence the type.
    if (known !== undefined) return known as T
    const drops = this.#drops
    const keep = (found: T): T => {
      if (found !== undefined && version === this.#cachedAt && drops === this.#drops) this.#cached.set(key, found)
      return found
    }
    return andThen(work(this.#reader), keep)
  }

  /** Undefined while another process recovers the file: readers wait for that, the handle of the writer does not. */
  #versionNow(): SQLOutputValue | undefined {
    try {
      return this.#version.value()
    } catch (error) {
      if (isBusy(error)) return undefined
      throw error
    }
  }

  /** To be called with the tables that a transaction of the writer has changed, right after its end. */
  forget(changed: ReadonlySet<ChangedTable>): void {
    for (const table of changed) {
      if (!this.#reader.mayUse(table)) continue
      this.#cached.clear()
      this.#drops += 1
      return
    }
  }

  close(): void {
    this.#reader.handle.close()
  }
}
