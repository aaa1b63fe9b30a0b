import { randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import type { MemoryCopies, MemoryCopy } from '../database.ts'
import type { Semaphore } from './semaphore.ts'
import type { SqliteHandle } from './sqlite_handle.ts'

/**
 * Copies a database in memory by `vacuum into`, which works in every supported release of Node.js. Before release 24, `backup` cannot write
 * to a database in memory, and `serialize` is even newer. Restoring replaces the handle instead of copying pages back.
 */
export class SqliteMemoryCopies implements MemoryCopies {
  readonly #current: SqliteHandle
  readonly #writeLock: Semaphore

  constructor(current: SqliteHandle, writeLock: Semaphore) {
    this.#current = current
    this.#writeLock = writeLock
  }

  save(): Promise<MemoryCopy> {
    return this.#writeLock.run(async () => copyOf(this.#current.database))
  }

  restore(copy: MemoryCopy): Promise<void> {
    if (!(copy instanceof DatabaseSync)) throw new TypeError('expected a copy of a SQLite database in memory')
    return this.#writeLock.run(async () => this.#current.replace(copyOf(copy)))
  }
}

/** A copy that lives as long as its handle. Its name is random, because all threads of the process share these names. */
function copyOf(source: DatabaseSync): DatabaseSync {
  const address = `file:/workspace-copy-${randomUUID()}?vfs=memdb`
  const copy = new DatabaseSync(address)
  try {
    source.exec(`vacuum into '${address}'`)
    return copy
  } catch (error) {
    copy.close()
    throw error
  }
}
