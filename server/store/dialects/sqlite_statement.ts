import type { SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import type { ReturnedColumn } from '../row_shape.ts'

type SqliteRow = Record<string, SQLOutputValue>

/**
 * A prepared statement. The engine returns rows as arrays, and objects are built here: the objects that the engine can build are in
 * dictionary mode, which makes building and reading them half as slow again.
 */
export class SqliteStatement {
  readonly #statement: StatementSync
  readonly #columns: readonly string[]
  readonly columns: () => readonly ReturnedColumn[]

  constructor(statement: StatementSync) {
    statement.setReturnArrays(true)
    this.#statement = statement
    this.columns = () => statement.columns()
    this.#columns = this.columns().map(({ name }) => name)
  }

  all(parameters: readonly SQLInputValue[]): SqliteRow[] {
    const rows: unknown[] = this.#statement.all(...parameters)
    return rows.map((values) => this.#row(values as SQLOutputValue[]))
  }

  get(parameters: readonly SQLInputValue[]): SqliteRow | undefined {
    const values: unknown = this.#statement.get(...parameters)
    return values === undefined ? undefined : this.#row(values as SQLOutputValue[])
  }

  /** The first column of the first row. */
  value(): SQLOutputValue | undefined {
    const values: unknown = this.#statement.get()
    return Array.isArray(values) ? (values as SQLOutputValue[])[0] : undefined
  }

  /** @returns how many rows changed */
  run(parameters: readonly SQLInputValue[]): number {
    return Number(this.#statement.run(...parameters).changes)
  }

  #row(values: readonly SQLOutputValue[]): SqliteRow {
    const row: SqliteRow = {}
    const { length } = this.#columns
    // An iterator would double the cost of this function.
    for (let index = 0; index < length; index += 1) row[this.#columns[index] ?? ''] = values[index] ?? null
    return row
  }
}
