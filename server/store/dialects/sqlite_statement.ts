import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import { changesAccess } from '../access_tables.ts'
import type { ReturnedColumn } from '../row_shape.ts'
import type { SqlValue } from '../sql.ts'
import { ID_TYPE, idOfHex, storedValue, textParameters, valueOf } from './sqlite_ids.ts'

type SqliteRow = Record<string, SQLOutputValue>

interface RowColumn {
  readonly name: string
  /** Whether the engine returns the ids of the column as hexadecimal digits. */
  readonly isHex: boolean
  /** The last value that the column returned, and the id for it: adjacent rows often have the same author and the same parent. */
  hex: SQLOutputValue
  id: SQLOutputValue
}

/**
 * A prepared statement. In its parameters and rows, ids are text. The engine returns rows as arrays, from which objects are built here:
 * objects that the engine builds are in dictionary mode, so that building and reading them takes half as long again.
 */
export class SqliteStatement {
  readonly #statement: StatementSync
  readonly #columns: readonly RowColumn[]
  /** The positions of the parameters that stay texts, even if they look like ids. */
  readonly #texts: readonly number[]
  readonly columns: () => readonly ReturnedColumn[]
  /** Whether the statement may change `accessTables`. */
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

  /** @returns the number of changed rows */
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
 * A statement in which limits and patterns are expressions instead of plain parameters. The engine plans by the values of plain ones, so it
 * would plan again for each run, which may take ten times as long as the run itself.
 */
function plannedOnce(sql: string): string {
  return sql.replaceAll(/\blimit \?/gi, '$& + 0').replaceAll(/\blike \?/gi, `$& || ''`)
}

/** A statement that returns its ids as hexadecimal digits: Node.js takes ten times as long to create an array of bytes as a text. */
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
