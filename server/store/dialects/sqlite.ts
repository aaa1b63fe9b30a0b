import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { attempt, type MaybePromise } from '../../kernel/maybe_promise.ts'
import { outcomeUnknown, storageUnavailable } from '../../kernel/unavailable.ts'
import {
  FOLLOWED_COLUMNS,
  type Connection,
  type Database,
  type FollowedPosition,
  type NewRows,
  type RecordColumns,
  type RecordOf,
  type Transaction,
} from '../database.ts'
import { requireStorable, storageOverloaded } from '../failures.ts'
import type { StoreLimits } from '../limits.ts'
import { shaped, type RowOf, type RowShape } from '../row_shape.ts'
import { around, raw, sql, statementOf, wantedTable, type Sql, type SqlValue, type WantedTable } from '../sql.ts'
import { LogFlusher } from './log_flusher.ts'
import { ReadCache } from './read_cache.ts'
import { Mutex, type WaitLimit } from './mutex.ts'
import { createPrivateFile } from './private_file.ts'
import { sqliteFailure, isBusy } from './sqlite_failures.ts'
import { isSearched, storedColumn } from './sqlite_ids.ts'
import { SqlitePresence } from './sqlite_presence.ts'
import { SqliteMemoryCopies } from './sqlite_memory_copies.ts'
import { soundRows } from './sqlite_rows.ts'
import { SqliteStatement, type ChangedTable } from './sqlite_statement.ts'

const STATEMENTS_KEPT_MAX = 500
/** A reader waits only while another process opens, recovers or closes the file. The wait blocks this process. */
const BUSY_TIMEOUT_MS = 250
const OPEN_PATIENCE_MS = 15_000
const OPEN_PAUSE_MS = 20
const TURN_PAUSE_MS_MAX = 25
/** The first pause, which the next ones double: a thread of this process keeps the lock for a millisecond or two. */
const TURN_PAUSE_MS_MIN = 2
/** The size of the log, in pages of 4 KiB, that triggers a checkpoint. In a larger log, pages that change often are written back less often. */
const LOG_PAGES_MAX = 4_000
/** The size to which the log file is truncated after a checkpoint. */
const LOG_BYTES_KEPT_MAX = 64 * 1024 * 1024

/** A SQLite handle with its prepared statements. The engine is synchronous, so what is read is there at once. */
class SqliteConnection implements Connection {
  readonly forUpdate = ''
  readonly forUpdateSkipLocked = ''
  readonly wordsOfTitle = 't.words'
  /** Equal values lie together, so that their pages stay in the small cache, while rows are scattered over the file. */
  readonly prefersIndexes = true
  readonly batchMs = 8
  readonly #statements = new Map<string, SqliteStatement>()
  /** The words of all statements so far, the names of their tables among them. */
  readonly #words = new Set<string>()
  #changed = new Set<ChangedTable>()
  #handle: DatabaseSync

  constructor(path: string) {
    this.#handle = prepareHandle(new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS }))
  }

  get handle(): DatabaseSync {
    return this.#handle
  }

  /** Replaces the database by another one and closes the former handle. */
  replace(handle: DatabaseSync): void {
    this.#statements.clear()
    this.#handle.close()
    this.#handle = prepareHandle(handle)
  }

  /** Whether a statement of this connection may have used a table. */
  mayUse(table: ChangedTable): boolean {
    return table === 'any' || this.#words.has(table)
  }

  /** The tables that statements have changed since this was last asked for. */
  takeChanged(): ReadonlySet<ChangedTable> {
    const changed = this.#changed
    if (changed.size > 0) this.#changed = new Set()
    return changed
  }

  all<S extends RowShape>(shape: S, statement: string | Sql, ...values: SqlValue[]): RowOf<S>[] {
    const { sql, parameters } = statementOf(statement, values)
    requireStorable(parameters)
    const prepared = this.#using(sql)
    return soundRows(shape, sql, shaped(shape, sql, prepared.columns, prepared.all(parameters)))
  }

  get<S extends RowShape>(shape: S, statement: string | Sql, ...values: SqlValue[]): RowOf<S> | undefined {
    const { sql, parameters } = statementOf(statement, values)
    requireStorable(parameters)
    const prepared = this.#using(sql)
    const row = prepared.get(parameters)
    return soundRows(shape, sql, shaped(shape, sql, prepared.columns, row ? [row] : []))[0]
  }

  async run(statement: string | Sql, ...values: SqlValue[]): Promise<void> {
    this.#change(statement, values)
  }

  async change(statement: string | Sql, ...values: SqlValue[]): Promise<number> {
    return this.#change(statement, values)
  }

  #change(statement: string | Sql, values: readonly SqlValue[]): number {
    const { sql, parameters } = statementOf(statement, values)
    requireStorable(parameters)
    return this.#using(sql).run(parameters)
  }

  wanted(ids: readonly string[]): WantedTable {
    return wantedTable(`(select unhex(value, '-') as id from json_each(?)) as wanted`, JSON.stringify([...new Set(ids)]))
  }

  records<const C extends RecordColumns>(name: string, columns: C, rows: readonly RecordOf<C>[]): WantedTable {
    const list = Object.entries(columns).map(([column, type]) => {
      const value = `value ->> '${column}'`
      return `${type === 'id' ? `unhex(${value}, '-')` : type === 'text' ? storedColumn(value) : value} as ${column}`
    })
    return wantedTable(`(select ${list.join(', ')} from json_each(?)) as ${name}`, JSON.stringify(rows))
  }

  followed(positions: readonly FollowedPosition[]): WantedTable {
    return this.records('followed', FOLLOWED_COLUMNS, positions)
  }

  /** Prepares a statement without caching it. */
  prepare(sql: string): SqliteStatement {
    return new SqliteStatement(this.handle, sql)
  }

  /** SQLite does not reorder a cross join. */
  lookUp(table: string, alias: string, condition: string): string
  lookUp(table: string, alias: string, condition: Sql): Sql
  lookUp(table: string, alias: string, condition: string | Sql): string | Sql {
    return around(`cross join ${table} as ${alias} on `, condition, '')
  }

  lookUpEach(table: string, alias: string, condition: string): string
  lookUpEach(table: string, alias: string, condition: Sql): Sql
  lookUpEach(table: string, alias: string, condition: string | Sql): string | Sql {
    return around(`cross join ${table} as ${alias} on `, condition, '')
  }

  rowsLookedUp(wanted: Sql, table: string, alias: string, condition: Sql): Sql {
    return sql`rowid in (select ${raw(alias)}.rowid from ${wanted} ${this.lookUp(table, alias, condition)})`
  }

  eachLookedUp(records: Sql, _table: string, condition: Sql): Sql {
    return sql`from ${records} where ${condition}`
  }

  async insert({ table, columns, rows, ignoreConflicts }: NewRows): Promise<void> {
    const end = ignoreConflicts ? ' on conflict do nothing' : ''
    const values = columns.map((column) => (isSearched(table, column) ? 'cast(? as text)' : '?'))
    const statement = this.#using(`insert into ${table} (${columns.join(', ')}) values (${values.join(', ')})${end}`)
    for (const row of rows) {
      requireStorable(row)
      statement.run(row)
    }
  }

  /** The statement of a text, which is about to run. */
  #using(sql: string): SqliteStatement {
    const statement = this.#prepared(sql)
    if (statement.changes !== undefined) this.#changed.add(statement.changes)
    return statement
  }

  #prepared(sql: string): SqliteStatement {
    const known = this.#statements.get(sql)
    if (known) return known
    if (this.#statements.size >= STATEMENTS_KEPT_MAX) this.#statements.clear()
    const statement = this.prepare(sql)
    this.#statements.set(sql, statement)
    for (const [word] of sql.matchAll(/\w+/g)) this.#words.add(word)
    return statement
  }
}

function prepareHandle(handle: DatabaseSync): DatabaseSync {
  handle.exec('PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -8000;')
  return handle
}

interface Handles {
  readonly writer: SqliteConnection
  readonly reader: SqliteConnection
  /** What is read often and changes rarely. Undefined for a database in memory, where no number tells of commits. */
  readonly cache: ReadCache | undefined
  /** Undefined for a database in memory. */
  readonly flusher: LogFlusher | undefined
}

/**
 * Opens a SQLite database: one writer at a time, and concurrent readers (WAL). A database in memory has a single handle, so reads take
 * turns with transactions and never see uncommitted data.
 * @param path a file, created with its folder if missing, or `:memory:`
 */
export function openSqlite(path: string, { turnMs }: StoreLimits): Database {
  const inMemory = path === ':memory:'
  const handles = inMemory ? openInMemory() : openFile(path)
  const { reader, cache } = handles
  const turn = new Mutex()
  const presence = inMemory ? undefined : new SqlitePresence(path)
  const limit: WaitLimit = { milliseconds: turnMs, exhausted: () => storageOverloaded('no turn to write') }

  return {
    engine: 'sqlite',
    counters: undefined,
    presence,
    copies: inMemory ? new SqliteMemoryCopies(reader, turn) : undefined,
    read: (work) => translated(() => (inMemory ? turn.runAtOnce(() => work(reader)) : work(reader))),
    snapshot: async (work) => translated(() => (inMemory ? turn.run(() => work(reader)) : readSnapshot(path, work))),
    readCached: (key, work) => translated(() => (cache ? cache.read(key, work) : turn.runAtOnce(() => work(reader)))),
    write: async (work) => translated(() => flushed(handles, () => transact(handles, turn, work, limit))),
    exclusively: async (work, rebuilds) =>
      translated(() => flushed(handles, () => transact(handles, turn, work, undefined, rebuilds))),
    statistics: async () => ({
      bytes: { ...sizes(reader.handle), wal: inMemory ? 0 : fileSize(`${path}-wal`) },
      counts: { waiting: turn.waiting },
    }),
    close: () =>
      turn.run(() => {
        presence?.close()
        return close(handles)
      }),
  }
}

function openInMemory(): Handles {
  const only = new SqliteConnection(':memory:')
  return { writer: only, reader: only, cache: undefined, flusher: undefined }
}

/**
 * The engine keeps the file consistent (`synchronous = NORMAL`) and leaves the flush of the log to `LogFlusher`: a write is answered
 * after the flush, so that it survives a power failure, not only a crash of the process.
 */
function openFile(path: string): Handles {
  mkdirSync(dirname(path), { recursive: true })
  createPrivateFile(path)
  return patiently(() => {
    const writer = new SqliteConnection(path)
    writer.handle.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
      PRAGMA wal_autocheckpoint = ${LOG_PAGES_MAX}; PRAGMA journal_size_limit = ${LOG_BYTES_KEPT_MAX};`)
    const reader = new SqliteConnection(path)
    // From here on `begin` waits for other processes: waiting inside the engine would block every request.
    writer.handle.exec('PRAGMA busy_timeout = 0')
    const cache = new ReadCache(new SqliteConnection(path), writer.prepare('PRAGMA data_version'))
    return { writer, reader, cache, flusher: new LogFlusher(`${path}-wal`) }
  })
}

/** Retries while the file is busy: of several processes that open a new file, one switches it to WAL while the others get an error. */
function patiently<T>(open: () => T): T {
  for (const end = performance.now() + OPEN_PATIENCE_MS; ;) {
    try {
      return open()
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error
    }
    // Blocking is harmless here: the process serves no requests yet.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, OPEN_PAUSE_MS)
  }
}

/** Reads in a transaction on a handle of its own, so that other reads do not share its snapshot. */
async function readSnapshot<T>(path: string, work: (connection: Connection) => MaybePromise<T>): Promise<T> {
  const connection = new SqliteConnection(path)
  try {
    connection.handle.exec('BEGIN')
    return await work(connection)
  } finally {
    connection.handle.close()
  }
}

/**
 * Tables can be made anew only while references are not checked. What is sorted meanwhile goes to files: the indexes of a large database
 * may be larger than the memory.
 */
const REBUILDING = 'PRAGMA foreign_keys = OFF; PRAGMA temp_store = FILE'

/** @param limit how long to wait for other writers, in this process and in others; undefined waits forever */
async function transact<T>(
  { writer, cache }: Handles,
  turn: Mutex,
  work: (transaction: Transaction) => MaybePromise<T>,
  limit: WaitLimit | undefined,
  rebuilds = false,
): Promise<T> {
  const end = limit ? performance.now() + limit.milliseconds : Infinity
  return turn.run(async () => {
    if (rebuilds) writer.handle.exec(REBUILDING)
    try {
      await begin(writer.handle, end)
      const result = await work(writer as Connection as Transaction)
      writer.handle.exec('COMMIT')
      return result
    } catch (error) {
      if (writer.handle.isTransaction) writer.handle.exec('ROLLBACK')
      throw error
    } finally {
      cache?.forget(writer.takeChanged())
      if (rebuilds) prepareHandle(writer.handle)
    }
  }, limit)
}

/** Returns the result of a transaction once it is on the disk. The next transaction may run meanwhile. */
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

function translated<T>(work: () => MaybePromise<T>): MaybePromise<T> {
  return attempt(work, (error) => {
    throw sqliteFailure(error)
  })
}

async function close({ writer, reader, cache, flusher }: Handles): Promise<void> {
  await flusher?.close()
  cache?.close()
  if (reader !== writer) reader.handle.close()
  writer.handle.close()
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
