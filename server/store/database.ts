import type { Presence } from './presence.ts'
import type { RowOf, RowShape } from './row_shape.ts'
import type { Sql, SqlValue, WantedTable } from './sql.ts'

/** Rows to insert into one table. */
export interface NewRows {
  readonly table: string
  readonly columns: readonly string[]
  /** The values of each row, in the order of the columns. */
  readonly rows: readonly (readonly Exclude<SqlValue, Uint8Array>[])[]
  /** Whether rows that conflict with an existing one in any unique key are skipped. */
  readonly ignoreConflicts?: boolean
}

/**
 * The interface between an engine and the rest of the store. SQL is written once, in the subset that all engines share; the differences are
 * in `dialects/`. A statement is `sql`, or a text with `?` for each of the parameters that follow it.
 */
export interface Connection {
  /** Appended to a `select`: locks the rows until the transaction ends. Empty if the engine has only one writer at a time. */
  readonly forUpdate: string
  /** Like `forUpdate`, but skips rows that are locked. */
  readonly forUpdateSkipLocked: string
  /** Whether finding one of many equal values is faster by an index on the values than by the row to which it belongs. */
  readonly prefersIndexes: boolean
  /** An SQL expression for the words of a title `t` of a workspace. They are read from an index unless they are too long for it. */
  wordsOfTitle(workspaceId: string): Sql
  /** A list of ids as a table `wanted (id)`, for use before `lookUp`. Unlike `in (…)`, the statement is the same for any length. */
  wanted(ids: readonly string[]): WantedTable
  /** Records as a table, for use before `lookUpEach`. The statement is the same for any number of them. */
  records<const C extends RecordColumns>(name: string, columns: C, rows: readonly RecordOf<C>[]): WantedTable
  /**
   * Placed after a table in `from`: joins each of its rows with at most one row of another table. It forces a lookup by key, whereas a
   * plain join lets the planner read all rows of the workspace.
   * @param condition must fix all columns of a key of `table`, by its alias
   */
  lookUp(table: string, alias: string, condition: string): string
  lookUp(table: string, alias: string, condition: Sql): Sql
  /** Like `lookUp`, for any number of rows. The condition must fix the leading columns of an index. */
  lookUpEach(table: string, alias: string, condition: string): string
  lookUpEach(table: string, alias: string, condition: Sql): Sql
  /** All rows of a statement. @param shape the columns that the statement returns; `{}` if they are not used */
  all<const S extends RowShape>(shape: S, statement: string | Sql, ...parameters: SqlValue[]): Promise<RowOf<S>[]>
  /** The first row of a statement, if any. */
  get<const S extends RowShape>(shape: S, statement: string | Sql, ...parameters: SqlValue[]): Promise<RowOf<S> | undefined>
  /** Runs a statement and ignores its result. */
  run(statement: string | Sql, ...parameters: SqlValue[]): Promise<void>
  /** Runs a statement. @returns the number of changed rows */
  change(statement: string | Sql, ...parameters: SqlValue[]): Promise<number>
  /** Inserts any number of rows, in the fastest way that the engine has. */
  insert(rows: NewRows): Promise<void>
}

/** The columns of a record, with their types. */
export type RecordColumns = Readonly<Record<string, 'id' | 'text' | 'integer'>>

/** A record with these columns, each of which may be null. */
export type RecordOf<C extends RecordColumns> = { readonly [K in keyof C]: (C[K] extends 'integer' ? number : string) | null }

declare const inTransaction: unique symbol

/** A connection inside a read-write transaction. Functions that write require this type. */
export interface Transaction extends Connection {
  readonly [inTransaction]: true
}

/** A way to work with a database, through connections for a certain purpose. */
export interface DatabaseAccess {
  /**
   * Runs work that reads. Each statement sees all earlier commits.
   * @param workspaceId the workspace whose share of the connections is used, so that the work cannot delay other workspaces
   * @throws ServiceError `service_unavailable` or `service_overload`
   */
  read<T>(work: (connection: Connection) => Promise<T>, workspaceId?: string): Promise<T>
  /** Runs work that reads. All of its statements see the same state of the data. */
  snapshot<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  /**
   * Runs work in a transaction, which is committed if `work` resolves and rolled back if it throws. After a conflict with a concurrent
   * transaction, it is rolled back and `work` runs again from the beginning. Once the returned promise resolves, the commit is on disk.
   * @param workspaceId excludes other writers of this workspace, in all processes, so that what `work` reads remains true until the commit
   * @throws ServiceError `conflict_error`, `service_unavailable`, `service_overload`, or `gateway_timeout` if it is unknown whether the
   * commit succeeded
   */
  write<T>(work: (transaction: Transaction) => Promise<T>, workspaceId?: string): Promise<T>
}

/** A database. Its own methods are for requests. */
export interface Database extends DatabaseAccess {
  /** Access for work for which no request waits. */
  readonly background: DatabaseAccess
  /** The name of the engine, for logs and `doctor`. */
  readonly engine: 'sqlite' | 'postgresql'
  /**
   * Like `read`, for reads of `accessTables`, and of no other table, that nearly every request needs. The result may be cached, so callers
   * must not modify it. Commits of this process are visible at once, those of other processes within a second.
   * @param key identifies the read
   */
  readCached<T>(key: string, work: (connection: Connection) => Promise<T>): Promise<T>
  /**
   * Like `write`, but while no other process runs a migration. Only migrations use it.
   * @param rebuilds whether the work rebuilds tables; meanwhile, references are not checked
   */
  exclusively<T>(work: (transaction: Transaction) => Promise<T>, rebuilds?: boolean): Promise<T>
  /**
   * Changes the defaults for sessions of the database to the settings that the service needs. @throws UnusableDatabase if the database is
   * read-only
   */
  configure(): Promise<void>
  /** Why the service cannot use the database, for operators; undefined if it can. @throws Error if the engine does not respond */
  outage(): Promise<string | undefined>
  /** Undefined for a database in memory, which no other process can open. */
  readonly presence: Presence | undefined
  /** Undefined unless the database is in memory. */
  readonly copies: MemoryCopies | undefined
  /** @throws Error if the engine does not respond */
  statistics(): Promise<DatabaseStatistics>
  close(): Promise<void>
}

/** Copies a database in memory to other places in memory. */
export interface MemoryCopies {
  /** Makes a copy of the committed data. */
  save(): Promise<MemoryCopy>
  /** Restores the data of a copy, as often as needed. Waits for transactions that have begun. */
  restore(copy: MemoryCopy): Promise<void>
}

export interface MemoryCopy {
  /** Frees the memory of the copies. */
  close(): void
}

/** Statistics of the engine, for operators. */
interface DatabaseStatistics {
  /** The sizes of parts of the database, which all processes share, in bytes. */
  readonly bytes: Readonly<Record<string, number>>
  /** The connections of this process, and the number of tasks that wait for one. */
  readonly counts: Readonly<Record<string, number>>
}
