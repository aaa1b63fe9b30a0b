import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
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
import { around, placeholders, raw, sql, statementOf, wantedTable, type Sql, type SqlValue, type WantedTable } from '../sql.ts'
import { LogFlusher } from './log_flusher.ts'
import { MemoryOfReads } from './memory_of_reads.ts'
import { Mutex, type WaitLimit } from './mutex.ts'
import { makePrivately } from './private_file.ts'
import { sqliteFailure, isBusy } from './sqlite_failures.ts'
import { SqliteMemoryCopies } from './sqlite_memory_copies.ts'
import { SqliteStatement } from './sqlite_statement.ts'
import { sqliteTitleKeys } from './title_keys.ts'

const STATEMENTS_KEPT_MAX = 500
/** A reader waits only while another process opens, repairs or closes the file, and everything else in this process waits with it. */
const BUSY_TIMEOUT_MS = 250
const OPEN_PATIENCE_MS = 15_000
const OPEN_PAUSE_MS = 20
const TURN_PAUSE_MS_MAX = 25
/** The first pause, which the next ones double: a thread of this process keeps the lock for a millisecond or two. */
const TURN_PAUSE_MS_MIN = 2
/** Pages of 4 KiB after which the log is brought into the file: larger groups of changed pages write more often changed ones once. */
const LOG_PAGES_MAX = 4_000
/** To which size the log's file shrinks after a transaction that made it larger. */
const LOG_BYTES_KEPT_MAX = 64 * 1024 * 1024

/** One SQLite handle with its prepared statements. The engine is synchronous; promises keep its interface equal to others. */
class SqliteConnection implements Connection {
  readonly forUpdate = ''
  readonly forUpdateSkipLocked = ''
  readonly titleKeys = sqliteTitleKeys
  readonly #statements = new Map<string, SqliteStatement>()
  #handle: DatabaseSync

  constructor(path: string) {
    this.#handle = prepareHandle(new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS }))
  }

  get handle(): DatabaseSync {
    return this.#handle
  }

  /** Goes on with another database, and closes the one before. */
  replace(handle: DatabaseSync): void {
    this.#statements.clear()
    this.#handle.close()
    this.#handle = prepareHandle(handle)
  }

  async all<S extends RowShape>(shape: S, statement: string | Sql, ...values: SqlValue[]): Promise<RowOf<S>[]> {
    const { sql, parameters } = statementOf(statement, values)
    requireStorable(parameters)
    const prepared = this.#prepared(sql)
    return shaped(shape, sql, prepared.columns, prepared.all(parameters))
  }

  async get<S extends RowShape>(shape: S, statement: string | Sql, ...values: SqlValue[]): Promise<RowOf<S> | undefined> {
    const { sql, parameters } = statementOf(statement, values)
    requireStorable(parameters)
    const prepared = this.#prepared(sql)
    const row = prepared.get(parameters)
    return shaped(shape, sql, prepared.columns, row ? [row] : [])[0]
  }

  async run(statement: string | Sql, ...values: SqlValue[]): Promise<number> {
    const { sql, parameters } = statementOf(statement, values)
    requireStorable(parameters)
    return this.#prepared(sql).run(parameters)
  }

  wanted(ids: readonly string[]): WantedTable {
    return wantedTable('(select value as id from json_each(?)) as wanted', JSON.stringify([...new Set(ids)]))
  }

  records<const C extends RecordColumns>(name: string, columns: C, rows: readonly RecordOf<C>[]): WantedTable {
    const list = Object.keys(columns).map((column) => `value ->> '${column}' as ${column}`)
    return wantedTable(`(select ${list.join(', ')} from json_each(?)) as ${name}`, JSON.stringify(rows))
  }

  followed(positions: readonly FollowedPosition[]): WantedTable {
    return this.records('followed', FOLLOWED_COLUMNS, positions)
  }

  /** A statement that is asked for without a look at the kept ones. */
  prepare(sql: string): SqliteStatement {
    return new SqliteStatement(this.handle.prepare(sql))
  }

  /** The engine keeps the order of a cross join. */
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

  async insert({ table, columns, rows, unlessThere }: NewRows): Promise<void> {
    const end = unlessThere ? ' on conflict do nothing' : ''
    const statement = this.#prepared(
      `insert into ${table} (${columns.join(', ')}) values (${placeholders(columns.length)})${end}`,
    )
    for (const row of rows) {
      requireStorable(row)
      statement.run(row)
    }
  }

  #prepared(sql: string): SqliteStatement {
    const known = this.#statements.get(sql)
    if (known) return known
    if (this.#statements.size >= STATEMENTS_KEPT_MAX) this.#statements.clear()
    const statement = this.prepare(sql)
    this.#statements.set(sql, statement)
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
  /** Undefined in memory, where nothing is to last. */
  readonly flusher: LogFlusher | undefined
}

/**
 * SQLite: one writer at a time, readers beside it (WAL). In memory there is a single handle, so reads take their turn too
 * and never see the inside of a transaction.
 * @param path a file, made with its folder if missing, or `:memory:`
 */
export function openSqlite(path: string, { turnMs }: StoreLimits): Database {
  const inMemory = path === ':memory:'
  const handles = inMemory ? openInMemory() : openFile(path)
  const { reader } = handles
  // In memory everything goes through one handle, which notices no change of its own.
  const memory = inMemory ? undefined : new MemoryOfReads(reader, reader.prepare('PRAGMA data_version'))
  const turn = new Mutex()
  const patience: WaitLimit = { milliseconds: turnMs, exhausted: () => storageOverloaded('no turn to write') }

  return {
    engine: 'sqlite',
    counters: undefined,
    copies: inMemory ? new SqliteMemoryCopies(reader, turn) : undefined,
    read: (work) => translated(() => (inMemory ? turn.run(() => work(reader)) : work(reader))),
    snapshot: (work) => translated(() => (inMemory ? turn.run(() => work(reader)) : readSnapshot(path, work))),
    readAgain: (key, work) => translated(() => (memory ? memory.read(key, work) : turn.run(() => work(reader)))),
    write: (work) => translated(() => flushed(handles, () => transact(handles, turn, work, patience))),
    writeUnflushed: (work) => translated(() => transact(handles, turn, work, patience)),
    exclusively: (work) => translated(() => flushed(handles, () => transact(handles, turn, work, undefined))),
    statistics: async () => ({
      bytes: { ...sizes(reader.handle), wal: inMemory ? 0 : fileSize(`${path}-wal`) },
      counts: { waiting: turn.waiting },
    }),
    close: () => turn.run(() => close(handles)),
  }
}

function openInMemory(): Handles {
  const only = new SqliteConnection(':memory:')
  return { writer: only, reader: only, flusher: undefined }
}

/**
 * The engine itself keeps the file sound (`synchronous = NORMAL`) and leaves the last step to the flusher: a write is answered
 * once the log is on the disk, so that it survives a power cut, not only a crash of the process.
 */
function openFile(path: string): Handles {
  mkdirSync(dirname(path), { recursive: true })
  makePrivately(path)
  return patiently(() => {
    const writer = new SqliteConnection(path)
    writer.handle.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
      PRAGMA wal_autocheckpoint = ${LOG_PAGES_MAX}; PRAGMA journal_size_limit = ${LOG_BYTES_KEPT_MAX};`)
    const reader = new SqliteConnection(path)
    // From here on the writer waits for other processes by itself, see `begin`: waiting inside the engine holds up every request.
    writer.handle.exec('PRAGMA busy_timeout = 0')
    return { writer, reader, flusher: new LogFlusher(`${path}-wal`) }
  })
}

/** Of several processes that open a new file at once, one changes its mode while the others are told that it is busy. */
function patiently<T>(open: () => T): T {
  for (const end = performance.now() + OPEN_PATIENCE_MS; ;) {
    try {
      return open()
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error
    }
    // Nothing else runs yet that would have to wait too.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, OPEN_PAUSE_MS)
  }
}

/** An open read keeps its view of the data, and needs a handle of its own. */
async function readSnapshot<T>(path: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = new SqliteConnection(path)
  try {
    connection.handle.exec('BEGIN')
    return await work(connection)
  } finally {
    connection.handle.close()
  }
}

/** @param patience how long to wait for a turn among the writers of this process, and for those of others; undefined waits forever */
async function transact<T>(
  { writer }: Handles,
  turn: Mutex,
  work: (transaction: Transaction) => Promise<T>,
  patience: WaitLimit | undefined,
): Promise<T> {
  const end = patience ? performance.now() + patience.milliseconds : Infinity
  return turn.run(async () => {
    await begin(writer.handle, end)
    try {
      const result = await work(writer as Connection as Transaction)
      writer.handle.exec('COMMIT')
      return result
    } catch (error) {
      if (writer.handle.isTransaction) writer.handle.exec('ROLLBACK')
      throw error
    }
  }, patience)
}

/** Gives the result of a transaction once it is on the disk. The next transaction runs meanwhile. */
async function flushed<T>({ flusher }: Handles, transaction: () => Promise<T>): Promise<T> {
  const result = await transaction()
  await flusher?.flush().catch((error: unknown) => {
    throw outcomeUnknown(error)
  })
  return result
}

/** Takes the write lock of the file. Another process may hold it for a moment, but one that keeps it is a fault. */
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
