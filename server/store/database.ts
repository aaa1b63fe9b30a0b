import type { Presence } from './presence.ts'
import type { RowOf, RowShape } from './row_shape.ts'
import type { Sql, SqlValue, WantedTable } from './sql.ts'

/** Rows to insert into one table. */
export interface NewRows {
  readonly table: string
  readonly columns: readonly string[]
  /** Values in the order of the columns. */
  readonly rows: readonly (readonly Exclude<SqlValue, Uint8Array>[])[]
  /** Skips rows that conflict with an existing one in any unique key. */
  readonly ignoreConflicts?: boolean
}

/**
 * The interface of an engine for the rest of the store. SQL is written once, in the subset that all engines share; differences between them
 * are in `dialects/`. A statement is `sql`, or a text with `?` for each of the parameters that follow it.
 */
export interface Connection {
  /** Appended to a `select`: locks the rows until the transaction ends. Empty if the engine has only one writer at a time. */
  readonly forUpdate: string
  /** Like `forUpdate`, skipping rows that are locked. */
  readonly forUpdateSkipLocked: string
  /** Whether one value among equal ones is found sooner in an index than in the table among the values of its row. */
  readonly prefersIndexes: boolean
  /** The words of a title `t` of a workspace, read from an index unless they are too long for one. */
  wordsOfTitle(workspaceId: string): Sql
  /** A list of ids as a table `wanted (id)`, for use before `lookUp`. Unlike `in (…)`, the statement is the same for any length. */
  wanted(ids: readonly string[]): WantedTable
  /** Records as a table, for use before `lookUpEach`. The statement is the same for any number of them. */
  records<const C extends RecordColumns>(name: string, columns: C, rows: readonly RecordOf<C>[]): WantedTable
  /**
   * Placed after a table in `from`: joins each of its rows with at most one row of another table. It forces a lookup by key, while a
   * plain join leaves the planner free to read all rows of the workspace.
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
  /** Runs a statement. @returns how many rows changed */
  change(statement: string | Sql, ...parameters: SqlValue[]): Promise<number>
  /** Inserts any number of rows in the fastest way of the engine. */
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

/** The ways to work with a database, through certain connections. */
export interface DatabaseAccess {
  /**
   * Runs work that reads. Each statement sees all earlier commits.
   * @param workspaceId whose share of the connections the work uses, so that it cannot hold up other workspaces
   * @throws ServiceError `service_unavailable` or `service_overload`
   */
  read<T>(work: (connection: Connection) => Promise<T>, workspaceId?: string): Promise<T>
  /** Runs work that reads. All of its statements see the data as of one moment. */
  snapshot<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  /**
   * Runs work in a transaction: commits when it resolves, rolls back when it throws. After a conflict with a concurrent transaction, it is
   * rolled back and `work` runs again from the beginning. When it resolves, the commit is on the disk.
   * @param workspaceId excludes other writers of this workspace in all processes, so that its reads in `work` stay true until the commit
   * @throws ServiceError `conflict_error`, `service_unavailable`, `service_overload`, or `gateway_timeout` if it is unknown whether the
   * commit succeeded
   */
  write<T>(work: (transaction: Transaction) => Promise<T>, workspaceId?: string): Promise<T>
}

/** The access is that of requests. */
export interface Database extends DatabaseAccess {
  /** The access of work that no request waits for. */
  readonly background: DatabaseAccess
  /** For logs and `doctor`. */
  readonly engine: 'sqlite' | 'postgresql'
  /**
   * Like `read`, for reads of `accessTables`, and of no other table, that nearly every request needs. The result may be an earlier one,
   * which callers must not modify. Commits of this process count at once, and those of other processes within a second.
   * @param key identifies the read
   */
  readCached<T>(key: string, work: (connection: Connection) => Promise<T>): Promise<T>
  /**
   * Like `write`, while no other process runs a migration: for migrations.
   * @param rebuilds whether it rebuilds tables, during which references are not checked
   */
  exclusively<T>(work: (transaction: Transaction) => Promise<T>, rebuilds?: boolean): Promise<T>
  /** Makes the settings that the service needs defaults of its sessions. @throws UnusableDatabase if the database is read-only */
  configure(): Promise<void>
  /** Why the service cannot use the database, for operators; undefined if it can. @throws Error when the engine does not respond */
  outage(): Promise<string | undefined>
  /** Undefined for a database in memory, which no other process can open. */
  readonly presence: Presence | undefined
  /** Undefined unless the database is in memory. */
  readonly copies: MemoryCopies | undefined
  /** @throws Error when the engine does not respond */
  statistics(): Promise<DatabaseStatistics>
  close(): Promise<void>
}

/** Makes copies, in memory, of a database in memory. */
export interface MemoryCopies {
  /** Copies the committed data. */
  save(): Promise<MemoryCopy>
  /** Restores the data of a copy, which can be restored again. Waits for transactions that have begun. */
  restore(copy: MemoryCopy): Promise<void>
}

export interface MemoryCopy {
  /** Frees its memory. */
  close(): void
}

/** Statistics of the engine, for operators. */
interface DatabaseStatistics {
  /** The sizes of parts of the database, which all processes share, in bytes. */
  readonly bytes: Readonly<Record<string, number>>
  /** The connections of this process, and the number of tasks that wait for one. */
  readonly counts: Readonly<Record<string, number>>
}
