import { DatabaseSync } from 'node:sqlite'
import { SqliteStatement } from './sqlite_statement.ts'

const STATEMENTS_KEPT_MAX = 500
/** Readers wait only while another process opens, recovers or closes the file. The wait blocks this process. */
const BUSY_TIMEOUT_MS = 250

/** A SQLite database as this process has opened it, with its prepared statements. */
export class SqliteHandle {
  readonly #statements = new Map<string, SqliteStatement>()
  #database: DatabaseSync
  #hasChangedAccess = false

  constructor(path: string) {
    this.#database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS })
    this.configure()
  }

  get database(): DatabaseSync {
    return this.#database
  }

  configure(): void {
    this.#database.exec('PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -8000;')
  }

  /** Replaces the database with another one, and closes the former. */
  replace(database: DatabaseSync): void {
    this.#statements.clear()
    this.#database.close()
    this.#database = database
    this.configure()
  }

  /** Whether statements may have changed `accessTables` since the last call. */
  takeHasChangedAccess(): boolean {
    const hasChanged = this.#hasChangedAccess
    this.#hasChangedAccess = false
    return hasChanged
  }

  /** The prepared statement for a text that will be run. */
  using(sql: string): SqliteStatement {
    const statement = this.#statements.get(sql) ?? this.#keep(sql)
    this.#hasChangedAccess ||= statement.changesAccess
    return statement
  }

  /** Prepares a statement without keeping it. */
  prepare(sql: string): SqliteStatement {
    return new SqliteStatement(this.#database, sql)
  }

  close(): void {
    this.#database.close()
  }

  #keep(sql: string): SqliteStatement {
    if (this.#statements.size >= STATEMENTS_KEPT_MAX) this.#statements.clear()
    const statement = this.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}
