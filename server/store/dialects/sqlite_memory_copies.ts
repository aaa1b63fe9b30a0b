import { randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import type { MemoryCopies, MemoryCopy } from '../database.ts'
import type { Mutex } from './mutex.ts'

/** The connection of a database in memory. */
interface MemoryHandle {
  readonly handle: DatabaseSync
  replace(handle: DatabaseSync): void
}

/**
 * Copies a database in memory by `vacuum into`, which works in every supported release of Node.js: `backup` cannot write to a memory
 * database before release 24, and `serialize` is newer still. Restoring replaces the handle instead of copying the pages back.
 */
export class SqliteMemoryCopies implements MemoryCopies {
  readonly #current: MemoryHandle
  readonly #turn: Mutex

  constructor(current: MemoryHandle, turn: Mutex) {
    this.#current = current
    this.#turn = turn
  }

  save(): Promise<MemoryCopy> {
    return this.#turn.run(async () => copyOf(this.#current.handle))
  }

  restore(copy: MemoryCopy): Promise<void> {
    if (!(copy instanceof DatabaseSync)) throw new TypeError('a copy of another engine')
    return this.#turn.run(async () => this.#current.replace(copyOf(copy)))
  }
}

/** A copy that lives as long as its handle. The random name is needed because all threads of the process share these names. */
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
