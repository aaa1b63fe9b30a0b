import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { outcomeUnknown, storageUnavailable } from '../../kernel/unavailable.ts'
import type { Connection, Database, DatabaseAccess, Transaction } from '../database.ts'
import { storageOverloaded } from '../failures.ts'
import type { StoreLimits } from '../limits.ts'
import { sqliteCacheState } from './sqlite_cache_state.ts'
import { LogFlusher } from './log_flusher.ts'
import { Semaphore, type WaitLimit } from './semaphore.ts'
import { createPrivateFile } from './private_file.ts'
import { ReadCache } from './read_cache.ts'
import { SqliteConnection } from './sqlite_connection.ts'
import { isBusy, sqliteFailure } from './sqlite_failures.ts'
import { SqliteHandle } from './sqlite_handle.ts'
import { SqliteMemoryCopies } from './sqlite_memory_copies.ts'
import { SqlitePresence } from './sqlite_presence.ts'

const OPEN_TIMEOUT_MS = 15_000
const OPEN_PAUSE_MS = 20
const TURN_PAUSE_MS_MAX = 25
/**
 * The first pause while another thread or process has the write lock. Each later pause is up to twice as long. Another thread of this
 * process keeps the lock for a millisecond or two.
 */
const TURN_PAUSE_MS_MIN = 2
/**
 * The size of the log, in pages of 4 KiB, that triggers a checkpoint. The larger the log, the less often pages that change often are
 * written back.
 */
const LOG_PAGES_MAX = 4_000
/** The size to which the log file is truncated after a checkpoint. */
const LOG_BYTES_KEPT_MAX = 64 * 1024 * 1024

interface Handles {
  readonly writer: SqliteHandle
  readonly reader: SqliteHandle
  /** Undefined for a database in memory, because such a database does not count commits. */
  readonly cache: ReadCache | undefined
  /** Undefined for a database in memory. */
  readonly flusher: LogFlusher | undefined
}

/**
 * Opens a SQLite database: one writer at a time, and concurrent readers (WAL). A database in memory has a single handle, so reads
 * and transactions exclude each other, and reads never see uncommitted data.
 * @param path a file, created with its folder if missing, or `:memory:`
 */
export function openSqlite(path: string, { queueWaitMs }: StoreLimits): Database {
  const inMemory = path === ':memory:'
  const handles = inMemory ? openInMemory() : openFile(path)
  const { reader, cache } = handles
  const connection = new SqliteConnection(reader)
  const writeLock = new Semaphore()
  const presence = inMemory ? undefined : new SqlitePresence(path)
  // The reader of a file has its own handle and sees only committed data. The only handle of a database in memory may be in a transaction.
  const read = <T>(work: (connection: Connection) => Promise<T>): Promise<T> =>
    inMemory ? writeLock.run(() => within(reader, work)) : work(connection)
  const limit: WaitLimit = {
    milliseconds: queueWaitMs,
    stuckMs: queueWaitMs,
    exhausted: () => storageOverloaded('the wait for the write queue exceeded its limit'),
  }

  const access: DatabaseAccess = {
    read: (work) => translated(() => read(work)),
    snapshot: (work) => translated(() => (inMemory ? read(work) : readSnapshot(path, work))),
    write: (work) => translated(() => flushed(handles, () => transact(handles, writeLock, work, limit))),
  }

  return {
    ...access,
    background: access,
    engine: 'sqlite',
    presence,
    copies: inMemory ? new SqliteMemoryCopies(reader, writeLock) : undefined,
    readCached: (key, work) => translated(() => (cache ? cache.read(key, work) : read(work))),
    exclusively: (work, rebuilds) =>
      translated(() => flushed(handles, () => transact(handles, writeLock, work, undefined, rebuilds))),
    configure: async () => undefined,
    outage: async () => {
      await translated(() => read((db) => db.get({}, 'select 1')))
      return undefined
    },
    statistics: async () => ({
      bytes: { ...sizes(reader.database), wal: inMemory ? 0 : fileSize(`${path}-wal`) },
      counts: { waiting: writeLock.waiting },
    }),
    close: () =>
      writeLock.run(() => {
        presence?.close()
        return close(handles)
      }),
  }
}

function openInMemory(): Handles {
  const only = new SqliteHandle(':memory:')
  return { writer: only, reader: only, cache: undefined, flusher: undefined }
}

/**
 * The engine keeps the file consistent (`synchronous = NORMAL`) and leaves flushing the log to `LogFlusher`. The response to a write waits
 * for the flush, so that the write survives a power failure and not only a crash of the process.
 */
function openFile(path: string): Handles {
  mkdirSync(dirname(path), { recursive: true })
  createPrivateFile(path)
  return retryWhileBusy(() => {
    const writer = new SqliteHandle(path)
    writer.database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
      PRAGMA wal_autocheckpoint = ${LOG_PAGES_MAX}; PRAGMA journal_size_limit = ${LOG_BYTES_KEPT_MAX};`)
    const reader = new SqliteHandle(path)
    // From now on, `begin` waits for other processes: waiting inside the engine would block every request.
    writer.database.exec('PRAGMA busy_timeout = 0')
    const cache = new ReadCache(new SqliteConnection(reader), sqliteCacheState(writer.prepare('PRAGMA data_version')))
    return { writer, reader, cache, flusher: new LogFlusher(`${path}-wal`) }
  })
}

/** Retries while the file is busy. If several processes open a new file, one of them switches it to WAL while the others get an error. */
function retryWhileBusy<T>(open: () => T): T {
  for (const end = performance.now() + OPEN_TIMEOUT_MS; ;) {
    try {
      return open()
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error
    }
    // Blocking is harmless here: the process serves no requests yet.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, OPEN_PAUSE_MS)
  }
}

/** Runs work on a handle that later work reuses. */
async function within<T>(handle: SqliteHandle, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = new SqliteConnection(handle)
  try {
    return await work(connection)
  } finally {
    connection.end()
  }
}

/** Reads in a transaction on a separate handle, so that other reads do not share its snapshot. */
async function readSnapshot<T>(path: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const handle = new SqliteHandle(path)
  try {
    handle.database.exec('BEGIN')
    return await work(new SqliteConnection(handle))
  } finally {
    handle.close()
  }
}

/**
 * While tables are rebuilt, references are not checked, and sorting uses files: the indexes of a large database may be larger than the
 * memory.
 */
const REBUILDING = 'PRAGMA foreign_keys = OFF; PRAGMA temp_store = FILE'

/** @param limit how long to wait for other writers, in this process and in others; undefined waits forever */
async function transact<T>(
  { writer, cache }: Handles,
  writeLock: Semaphore,
  work: (transaction: Transaction) => Promise<T>,
  limit: WaitLimit | undefined,
  rebuilds = false,
): Promise<T> {
  const end = limit ? performance.now() + limit.milliseconds : Infinity
  return writeLock.run(async () => {
    const { database } = writer
    if (rebuilds) database.exec(REBUILDING)
    try {
      await begin(database, end)
      const result = await within(writer, (connection) => work(connection as Transaction))
      database.exec('COMMIT')
      return result
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK')
      throw error
    } finally {
      if (writer.takeHasChangedAccess()) cache?.drop()
      if (rebuilds) writer.configure()
    }
  }, limit)
}

/** Returns the result of a transaction once it is on disk. The next transaction may run in the meantime. */
async function flushed<T>({ flusher }: Handles, transaction: () => Promise<T>): Promise<T> {
  const result = await transaction()
  await flusher?.flush().catch((error: unknown) => {
    throw outcomeUnknown(error)
  })
  return result
}

/** Takes the write lock of the file. @throws ServiceError `service_unavailable` if another process still holds it at `end` */
async function begin(handle: DatabaseSync, end: number): Promise<void> {
  for (let pauseMax = TURN_PAUSE_MS_MIN; ; pauseMax = Math.min(pauseMax * 2, TURN_PAUSE_MS_MAX)) {
    try {
      return handle.exec('BEGIN IMMEDIATE')
    } catch (error) {
      if (!isBusy(error)) throw error
      if (performance.now() > end) throw storageUnavailable(error)
    }
    await pause(1 + Math.random() * pauseMax)
  }
}

async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw sqliteFailure(error)
  }
}

async function close({ writer, reader, flusher }: Handles): Promise<void> {
  await flusher?.close()
  if (reader !== writer) reader.close()
  writer.close()
}

function sizes(handle: DatabaseSync): { database: number; free: number } {
  const row = handle
    .prepare(
      `select p.page_count * s.page_size as database, f.freelist_count * s.page_size as free
     from pragma_page_count p, pragma_page_size s, pragma_freelist_count f`,
    )
    .get()
  return { database: Number(row?.['database']), free: Number(row?.['free']) }
}

function fileSize(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
