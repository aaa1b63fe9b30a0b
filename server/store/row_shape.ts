import { raw, type Sql } from './sql.ts'

/**
 * The columns that a statement returns, as a value, such as `{ id: 'text', expires_time: 'integer?', kind: ['person', 'bot'] }`. The type
 * of the rows is derived from it (`RowOf`), and tests check every row that an engine returns against it (`observeRows`).
 */
export type RowShape = Readonly<Record<string, Column>>

/** The type of a column, followed by `?` if it may be null, or the list of its possible values. */
type Column = keyof Kinds | `${keyof Kinds}?` | readonly (string | null)[]

interface Kinds {
  text: string
  integer: number
  number: number
  bytes: Uint8Array
  /** A column whose type depends on the index for which a statement is composed. */
  key: string | number | null
  /** A condition in a `select`. Its type depends on the engine. */
  flag: boolean | number
}

type ValueOf<C> = C extends readonly (infer V)[]
  ? V
  : C extends keyof Kinds
    ? Kinds[C]
    : C extends `${infer K extends keyof Kinds}?`
      ? Kinds[K] | null
      : never

/** A row as an engine returns it. */
export type RowOf<S extends RowShape> = { readonly [C in keyof S]: ValueOf<S[C]> }

/** Returns the shape, with its literal types. */
export function rowOf<const S extends RowShape>(shape: S): S {
  return shape
}

/** The columns of a shape as a list for `select`. */
export function columnNames(shape: RowShape, alias?: string): Sql {
  const prefix = alias === undefined ? '' : `${alias}.`
  return raw(
    Object.keys(shape)
      .map((name) => prefix + name)
      .join(', '),
  )
}

/** A column as an engine describes it. The type is a number in PostgreSQL; in SQLite, it is the declared type, if any. */
export interface ReturnedColumn {
  readonly name: string
  readonly type: number | string | null
}

type RowObserver = (shape: RowShape, sql: string, columns: () => readonly ReturnedColumn[], rows: readonly object[]) => void

let observer: RowObserver | undefined

/** Sets a function that is called with the rows of every statement in this process, for tests. */
export function observeRows(next: RowObserver | undefined): void {
  observer = next
}

/** Gives rows from an engine the type of their shape. Only this function does so. */
export function shaped<S extends RowShape>(
  shape: S,
  sql: string,
  columns: () => readonly ReturnedColumn[],
  rows: readonly object[],
): RowOf<S>[] {
  observer?.(shape, sql, columns, rows)
  return rows as RowOf<S>[]
}
