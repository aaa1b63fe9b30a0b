import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import { changesAccess } from '../access_tables.ts'
import type { ReturnedColumn } from '../row_shape.ts'
import type { SqlValue } from '../sql.ts'
import { ID_TYPE, idOfHex, storedValue, textParameters, valueOf } from './sqlite_ids.ts'

type SqliteRow = Record<string, SQLOutputValue>

/** A column of the rows of a statement. */
interface RowColumn {
  readonly name: string
  /** Whether the engine returns its ids as hexadecimal digits. */
  readonly isHex: boolean
  /** The value that it returned last, and the id for it: adjacent rows often have the same author and the same parent. */
  hex: SQLOutputValue
  id: SQLOutputValue
}

/**
 * A prepared statement, whose parameters and rows have ids as text. The engine returns rows as arrays, and objects are built here: the
 * objects that the engine can build are in dictionary mode, which makes building and reading them half as slow again.
 */
export class SqliteStatement {
  readonly #statement: StatementSync
  readonly #columns: readonly RowColumn[]
  /** The positions of the parameters that stay texts, even in the form of ids. */
  readonly #texts: readonly number[]
  readonly columns: () => readonly ReturnedColumn[]
  /** Whether it may change `accessTables`. */
  readonly changesAccess: boolean

  constructor(handle: DatabaseSync, sql: string) {
    const lasting = plannedOnce(sql)
    const written = handle.prepare(lasting)
    this.columns = () => written.columns()
    const columns = this.columns()
    const returnsHex = READ.test(sql) && columns.some(isId)
    this.#statement = returnsHex ? handle.prepare(hexadecimal(lasting, columns)) : written
    this.#statement.setReturnArrays(true)
    this.#columns = columns.map((column) => ({ name: column.name, isHex: returnsHex && isId(column), hex: null, id: null }))
    this.#texts = textParameters(sql)
    this.changesAccess = changesAccess(sql)
  }

  all(parameters: readonly SqlValue[]): SqliteRow[] {
    const rows: unknown[] = this.#statement.all(...this.#stored(parameters))
    return rows.map((values) => this.#row(values as SQLOutputValue[]))
  }

  get(parameters: readonly SqlValue[]): SqliteRow | undefined {
    const values: unknown = this.#statement.get(...this.#stored(parameters))
    return values === undefined ? undefined : this.#row(values as SQLOutputValue[])
  }

  /** The first column of the first row. */
  value(): SQLOutputValue | undefined {
    const values: unknown = this.#statement.get()
    return Array.isArray(values) ? (values as SQLOutputValue[])[0] : undefined
  }

  /** @returns how many rows changed */
  run(parameters: readonly SqlValue[]): number {
    return Number(this.#statement.run(...this.#stored(parameters)).changes)
  }

  #stored(parameters: readonly SqlValue[]): SQLInputValue[] {
    if (this.#texts.length === 0) return parameters.map(storedValue)
    return parameters.map((value, place) => (this.#texts.includes(place) ? value : storedValue(value)))
  }

  #row(values: readonly SQLOutputValue[]): SqliteRow {
    const row: SqliteRow = {}
    const { length } = this.#columns
    // An iterator would double the cost of this function.
    for (let index = 0; index < length; index += 1) {
      const column = this.#columns[index]
      const value = values[index] ?? null
      if (column) row[column.name] = column.isHex ? idIn(column, value) : valueOf(value)
    }
    return row
  }
}

const READ = /^\s*(?:select|with)\b(?!.*\breturning\b)/is

function isId({ type }: ReturnedColumn): boolean {
  return type === ID_TYPE
}

/**
 * The statement without parameters for limits and patterns: the engine plans by their values, so it plans again on each run,
 * which may take ten times as long as the run.
 */
function plannedOnce(sql: string): string {
  return sql.replaceAll(/\blimit \?/gi, '$& + 0').replaceAll(/\blike \?/gi, `$& || ''`)
}

/** The statement with its ids as hexadecimal digits: an array of bytes takes Node.js ten times as long to make as a text. */
function hexadecimal(sql: string, columns: readonly ReturnedColumn[]): string {
  const list = columns.map((column) => (isId(column) ? `hex(t."${column.name}")` : `t."${column.name}"`))
  return `select ${list.join(', ')} from (${sql}) as t`
}

function idIn(column: RowColumn, hex: SQLOutputValue): SQLOutputValue {
  if (hex !== column.hex) {
    column.hex = hex
    column.id = idOfHex(hex)
  }
  return column.id
}
