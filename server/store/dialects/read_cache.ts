import type { Connection } from '../database.ts'

const ENTRIES_MAX = 1_000

/** Whether the cached reads are current. While it is `unknown`, because the engine cannot tell, nothing is cached. */
export type CacheState = 'current' | 'outdated' | 'unknown'

/** Caches reads of `accessTables` until a commit may have changed them. */
export class ReadCache {
  readonly #reader: Connection
  readonly #cacheState: () => CacheState
  readonly #cached = new Map<string, unknown>()
  /** How often the whole cache has been dropped. */
  #drops = 0

  /** @param cacheState called before each read */
  constructor(reader: Connection, cacheState: () => CacheState) {
    this.#reader = reader
    this.#cacheState = cacheState
  }

  /** The cached result for a key, or the result of `work`. A result of undefined is not cached. */
  async read<T>(key: string, work: (connection: Connection) => Promise<T>): Promise<T> {
    const cacheState = this.#cacheState()
    if (cacheState === 'unknown') return work(this.#reader)
    if (cacheState === 'outdated' || this.#cached.size >= ENTRIES_MAX) this.drop()
    const known = this.#cached.get(key)
    // The same key always comes with the same work, so the result has this type.
    if (known !== undefined) return known as T
    const drops = this.#drops
    const found = await work(this.#reader)
    // A result that was read before a commit must not stay cached after it.
    if (found !== undefined && drops === this.#drops) this.#cached.set(key, found)
    return found
  }

  /** Call this after every commit that may have changed `accessTables`. */
  drop(): void {
    this.#cached.clear()
    this.#drops += 1
  }
}
