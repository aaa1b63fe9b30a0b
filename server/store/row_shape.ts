import { raw, type Sql } from './sql.ts'

/**
 * What a statement returns is said once, as a value: `{ id: 'text', expires_time: 'integer?', kind: ['person', 'bot'] }`. The type of
 * its rows follows from that (`RowOf`), and the tests hold every row that an engine gives against it (`observeRows`).
 */
export type RowShape = Readonly<Record<string, Column>>

/** `?` follows what may be null; a list has every value that there can be. */
type Column = keyof Kinds | `${keyof Kinds}?` | readonly (string | null)[]

interface Kinds {
  text: string
  integer: number
  number: number
  bytes: Uint8Array
  /** A column of an index that a statement is put together for. */
  key: string | number | null
  /** A condition in a `select`, for which engines have different types. */
  flag: boolean | number
}

type ValueOf<C> = C extends readonly (infer V)[]
  ? V
  : C extends keyof Kinds
    ? Kinds[C]
    : C extends `${infer K extends keyof Kinds}?`
      ? Kinds[K] | null
      : never

/** A row as the engine gives it. */
export type RowOf<S extends RowShape> = { readonly [C in keyof S]: ValueOf<S[C]> }

/** Keeps the words of a shape as they are written. */
export function rowOf<const S extends RowShape>(shape: S): S {
  return shape
}

/** The columns of a shape, as they stand behind `select`. */
export function columnNames(shape: RowShape, alias?: string): Sql {
  const prefix = alias === undefined ? '' : `${alias}.`
  return raw(
    Object.keys(shape)
      .map((name) => prefix + name)
      .join(', '),
  )
}

/** A column as the engine announces it: by the number of its type (PostgreSQL), or by the type it was made with (SQLite), if any. */
export interface ReturnedColumn {
  readonly name: string
  readonly type: number | string | null
}

type RowObserver = (shape: RowShape, sql: string, columns: () => readonly ReturnedColumn[], rows: readonly object[]) => void

let observer: RowObserver | undefined

/** Hears of the rows of every statement in this process: for tests. */
export function observeRows(next: RowObserver | undefined): void {
  observer = next
}

/** Passes on what an engine has returned for a shape. The one place where a row becomes typed. */
export function shaped<S extends RowShape>(
  shape: S,
  sql: string,
  columns: () => readonly ReturnedColumn[],
  rows: readonly object[],
): RowOf<S>[] {
  observer?.(shape, sql, columns, rows)
  return rows as RowOf<S>[]
}
