import type { Counters } from './counters.ts'
import type { RowOf, RowShape } from './row_shape.ts'
import type { Sql, SqlValue, WantedTable } from './sql.ts'

/** Rows of one table that are added together. */
export interface NewRows {
  readonly table: string
  readonly columns: readonly string[]
  /** Values in the order of the columns. */
  readonly rows: readonly (readonly Exclude<SqlValue, Uint8Array>[])[]
  /** Leaves rows as they are that are there already, by any key. */
  readonly unlessThere?: boolean
}

/**
 * What the rest of the store needs from an engine. SQL is written once, in the part of the language that every engine shares; what
 * differs between engines lives in `dialects/`. A statement is `sql`, or a text with `?` for the parameters behind it.
 */
export interface Connection {
  /** Behind a `select`: holds off other writers of these rows until the transaction ends. Empty where there is one writer anyway. */
  readonly forUpdate: string
  /** As `forUpdate`, leaving out rows that somebody else holds. */
  readonly forUpdateSkipLocked: string
  /** The engine's full-text index of titles. */
  readonly titleKeys: TitleKeys
  /** A list of ids as a table `wanted (id)`, to stand in front of `lookUp`. Unlike `in (…)` it has one form, however long the list. */
  wanted(ids: readonly string[]): WantedTable
  /** Records as a table of their columns, to stand in front of `lookUpEach` and `eachLookedUp`; one form, however many they are. */
  records<const C extends RecordColumns>(name: string, columns: C, rows: readonly RecordOf<C>[]): WantedTable
  /** Positions in lists as a table `followed (workspace_id, id, sequence)`, to stand in front of `lookUpEach`. */
  followed(positions: readonly FollowedPosition[]): WantedTable
  /**
   * Behind a table in `from`: joins each of its rows with at most one row of another table. The engine looks that one up by its
   * key, while a plain join leaves it the choice to read everything that the workspace holds.
   * @param condition names all columns of a key of `table`, by its alias
   */
  lookUp(table: string, alias: string, condition: string): string
  lookUp(table: string, alias: string, condition: Sql): Sql
  /** As `lookUp`, with every row that the condition finds; it names the first columns of an index. */
  lookUpEach(table: string, alias: string, condition: string): string
  lookUpEach(table: string, alias: string, condition: Sql): Sql
  /** Behind `update … where`: the rows of a table that `lookUp` finds for a list of ids. */
  rowsLookedUp(wanted: Sql, table: string, alias: string, condition: Sql): Sql
  /**
   * Behind `update … set …`: changes for each of the records the row of the table that the condition finds by its key. No column of the
   * records is called like one of the table.
   */
  eachLookedUp(records: Sql, table: string, condition: Sql): Sql
  /** @param shape the columns that the statement returns; `{}` where no one reads them */
  all<const S extends RowShape>(shape: S, statement: string | Sql, ...parameters: SqlValue[]): Promise<RowOf<S>[]>
  get<const S extends RowShape>(shape: S, statement: string | Sql, ...parameters: SqlValue[]): Promise<RowOf<S> | undefined>
  /** @returns how many rows changed */
  run(statement: string | Sql, ...parameters: SqlValue[]): Promise<number>
  /** Adds any number of rows in the way that the engine takes fastest. */
  insert(rows: NewRows): Promise<void>
}

/** What records hold, by the names of their columns. */
export type RecordColumns = Readonly<Record<string, 'id' | 'text' | 'integer'>>

/** A record; where nothing is known, null. */
export type RecordOf<C extends RecordColumns> = { readonly [K in keyof C]: (C[K] extends 'integer' ? number : string) | null }

/** How far somebody has read the numbered entries of a record. */
export interface FollowedPosition {
  readonly workspace_id: string
  readonly id: string
  readonly sequence: number
}

export const FOLLOWED_COLUMNS = { workspace_id: 'id', id: 'id', sequence: 'integer' } as const

/** A title as the index knows it. */
export interface NumberedTitle {
  readonly workspaceId: string
  readonly id: string
  /** Counts up with every title of the database. */
  readonly number: number
  readonly keys: readonly string[]
}

/** Which beginnings of keys a title must have: all of one of these lists. */
export type Prefilter = readonly (readonly string[])[]

/**
 * The full-text index of an engine, as far as titles need it. Engines collect all that an expression finds before they give the first
 * of it, so titles are indexed in portions of limited size, and each statement looks through one.
 */
export interface TitleKeys {
  /** The column of `titles` that stands in its indexes: the words, or null where they are too long for them. */
  readonly indexedWords: string
  /** How many titles one statement may go through: an engine inside the process does nothing else until it has. */
  readonly titlesAtOnce: number
  /** How many portions one statement may look through. */
  readonly portionsAtOnce: number
  /** Rows that bring titles into the index. */
  rowsOf(titles: readonly NumberedTitle[]): NewRows
  remove(db: Transaction, title: Omit<NumberedTitle, 'keys'>): Promise<void>
  /**
   * Behind `from`: titles `t` whose keys pass a prefilter.
   * @param portions one, or up to `portionsAtOnce`
   * @param limit how many may come from each portion
   */
  passing(workspaceId: string, portions: readonly number[], prefilter: Prefilter, limit: number): Sql
  /** Portions that hold titles. */
  portions(db: Connection): Promise<number>
}

declare const inTransaction: unique symbol

/** A connection inside a transaction. Functions that write ask for it by type. */
export interface Transaction extends Connection {
  readonly [inTransaction]: true
}

export interface Database {
  /** Which engine, for logs and `doctor`. */
  readonly engine: 'sqlite' | 'postgresql'
  /** Committed data as of each statement. */
  read<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  /** Everything that `work` reads is as it was at one moment, however long it takes. */
  snapshot<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  /**
   * As `read`, for what nearly every request asks for in the same way: an engine that knows that nothing at all has been committed
   * since, by any process, may give what it found before. Callers must not change what is found.
   * @param key names what is read, and how
   */
  readAgain<T>(key: string, work: (connection: Connection) => Promise<T>): Promise<T>
  /**
   * All of `work` or nothing: commits when it resolves, rolls back when it throws. Work that lost to a simultaneous change, so that
   * nothing of it was kept, may be run again from its beginning.
   * @param workspaceId holds off every other writer that names this workspace, in all processes: what `work` reads of the
   * workspace stays true until it commits
   * @throws ServiceError `conflict_error`, `service_unavailable`, `service_overload`, or `gateway_timeout` when no one can tell
   * whether a commit was kept
   */
  write<T>(work: (transaction: Transaction) => Promise<T>, workspaceId?: string): Promise<T>
  /**
   * As `write`, without waiting for the disk: it outlasts the process at once, and a power cut from the next `write` on that has ended.
   * For what may be done again, such as deliveries.
   */
  writeUnflushed<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>
  /** As `write`, and no other process does the same at this time: for changes of the schema. */
  exclusively<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>
  /** Shared by all processes on the database; undefined where the engine is part of one machine. */
  readonly counters: Counters | undefined
  /** Undefined unless the data are in the memory of this process. */
  readonly copies: MemoryCopies | undefined
  /** @throws Error when the engine does not answer */
  statistics(): Promise<DatabaseStatistics>
  close(): Promise<void>
}

/** Copies of a database in memory. They stay in memory too. */
export interface MemoryCopies {
  /** Copies what has been committed. */
  save(): Promise<MemoryCopy>
  /** Makes the database what it was when the copy was made. Transactions that have begun end first. The copy stays as it is. */
  restore(copy: MemoryCopy): Promise<void>
}

export interface MemoryCopy {
  /** Frees its memory. */
  close(): void
}

/** The state of the engine, for those who run the service. */
interface DatabaseStatistics {
  /** Sizes in bytes of parts of the database, which all processes share. */
  readonly bytes: Readonly<Record<string, number>>
  /** Connections of this process, and work that waits for one. */
  readonly counts: Readonly<Record<string, number>>
}
