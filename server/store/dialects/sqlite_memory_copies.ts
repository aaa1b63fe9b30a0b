import { randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import type { MemoryCopies, MemoryCopy } from '../database.ts'
import type { Mutex } from './mutex.ts'

/** The only handle of a database in memory. */
interface MemoryHandle {
  readonly handle: DatabaseSync
  replace(handle: DatabaseSync): void
}

/**
 * Copies a database in memory by `vacuum into`, which every supported release of Node.js has: its `backup` opens no database of this
 * engine's memory before release 24, and its `serialize` is newer still. The handle changes with each restoring, so no page is copied twice.
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

/** A database that only its handle keeps. Its name is one for all threads of the process. */
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
