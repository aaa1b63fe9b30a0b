import { type Connection, type NewRows, type RecordColumns, type RecordOf } from '../database.ts'
import { requireStorable } from '../failures.ts'
import { shaped, type RowOf, type RowShape } from '../row_shape.ts'
import { around, raw, statementOf, wantedTable, type Sql, type SqlValue, type WantedTable } from '../sql.ts'
import type { SqliteHandle } from './sqlite_handle.ts'
import { isSearched, storedColumn } from './sqlite_ids.ts'
import { repairRows } from './sqlite_rows.ts'
import type { SqliteStatement } from './sqlite_statement.ts'

/** Runs the statements of one piece of work on a handle. The engine is synchronous: a statement has finished when its method returns. */
export class SqliteConnection implements Connection {
  readonly forUpdate = ''
  readonly forUpdateSkipLocked = ''
  /** In an index, equal values are adjacent, so that their pages stay in the small cache; rows are scattered over the file. */
  readonly prefersIndexes = true
  readonly #handle: SqliteHandle
  #hasEnded = false

  constructor(handle: SqliteHandle) {
    this.#handle = handle
  }

  /** Refuses statements from now on: on a shared handle, a late statement would become part of other work. */
  end(): void {
    this.#hasEnded = true
  }

  async all<S extends RowShape>(shape: S, statement: string | Sql, ...values: SqlValue[]): Promise<RowOf<S>[]> {
    const { sql, parameters } = statementOf(statement, values)
    requireStorable(parameters)
    const prepared = this.#statement(sql)
    return repairRows(shape, sql, shaped(shape, sql, prepared.columns, prepared.all(parameters)))
  }

  async get<S extends RowShape>(shape: S, statement: string | Sql, ...values: SqlValue[]): Promise<RowOf<S> | undefined> {
    const { sql, parameters } = statementOf(statement, values)
    requireStorable(parameters)
    const prepared = this.#statement(sql)
    const row = prepared.get(parameters)
    return repairRows(shape, sql, shaped(shape, sql, prepared.columns, row ? [row] : []))[0]
  }

  async run(statement: string | Sql, ...values: SqlValue[]): Promise<void> {
    await this.change(statement, ...values)
  }

  async change(statement: string | Sql, ...values: SqlValue[]): Promise<number> {
    const { sql, parameters } = statementOf(statement, values)
    requireStorable(parameters)
    return this.#statement(sql).run(parameters)
  }

  wordsOfTitle(): Sql {
    return raw('t.words')
  }

  wanted(ids: readonly string[]): WantedTable {
    return wantedTable(`(select unhex(value, '-') as id from json_each(?)) as wanted`, JSON.stringify([...new Set(ids)]))
  }

  records<const C extends RecordColumns>(name: string, columns: C, rows: readonly RecordOf<C>[]): WantedTable {
    const list = Object.entries(columns).map(([column, type]) => {
      const value = `value ->> '${column}'`
      return `${type === 'id' ? `unhex(${value}, '-')` : type === 'text' ? storedColumn(value) : value} as ${column}`
    })
    return wantedTable(`(select ${list.join(', ')} from json_each(?)) as ${name}`, JSON.stringify(rows))
  }

  /** SQLite never reorders a cross join. */
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

  async insert({ table, columns, rows, ignoreConflicts }: NewRows): Promise<void> {
    const end = ignoreConflicts ? ' on conflict do nothing' : ''
    const values = columns.map((column) => (isSearched(table, column) ? 'cast(? as text)' : '?'))
    const statement = this.#statement(`insert into ${table} (${columns.join(', ')}) values (${values.join(', ')})${end}`)
    for (const row of rows) {
      requireStorable(row)
      statement.run(row)
    }
  }

  #statement(sql: string): SqliteStatement {
    if (this.#hasEnded) throw new Error('The work of this connection has ended.')
    return this.#handle.using(sql)
  }
}
