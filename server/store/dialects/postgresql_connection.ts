import type pg from 'pg'
import { type Connection, type NewRows, type RecordColumns, type RecordOf } from '../database.ts'
import { changesAccess } from '../access_tables.ts'
import { requireStorable } from '../failures.ts'
import { shaped, type RowOf, type RowShape } from '../row_shape.ts'
import { around, sql, statementOf, wantedTable, type Sql, type SqlValue, type WantedTable } from '../sql.ts'

/** A limit higher than the number of rows that any statement returns. */
const ROWS_MANY = 1_000_000_000

const RECORD_TYPES = { id: 'uuid', text: 'text', integer: 'bigint' } as const

/** Runs a statement with `?` for its parameters. */
type RunStatement = (sql: string, values: readonly SqlValue[]) => Promise<pg.QueryResult<object>>

/** A `Connection` on top of a function that runs statements. */
export class PostgresqlConnection implements Connection {
  readonly forUpdate = ' for no key update'
  readonly forUpdateSkipLocked = ' for no key update skip locked'
  readonly prefersIndexes = false
  readonly #query: RunStatement
  #hasChangedAccess = false

  constructor(query: RunStatement) {
    this.#query = query
  }

  /** Whether a statement may have changed `accessTables`. */
  get hasChangedAccess(): boolean {
    return this.#hasChangedAccess
  }

  wordsOfTitle(workspaceId: string): Sql {
    return sql`coalesce(t.short_words, (select l.words from titles l where l.workspace_id = ${workspaceId} and l.id = t.id))`
  }

  wanted(ids: readonly string[]): WantedTable {
    return wantedTable('unnest(?::uuid[]) as wanted (id)', `{${[...new Set(ids)].join(',')}}`)
  }

  records<const C extends RecordColumns>(name: string, columns: C, rows: readonly RecordOf<C>[]): WantedTable {
    const list = Object.entries(columns).map(([column, type]) => `${column} ${RECORD_TYPES[type]}`)
    return wantedTable(`jsonb_to_recordset(?::jsonb) as ${name} (${list.join(', ')})`, JSON.stringify(rows))
  }

  /** Without the limit, the planner could join in the other direction. */
  lookUp(table: string, alias: string, condition: string): string
  lookUp(table: string, alias: string, condition: Sql): Sql
  lookUp(table: string, alias: string, condition: string | Sql): string | Sql {
    return around(`cross join lateral (select * from ${table} as ${alias} where `, condition, ` limit 1) as ${alias}`)
  }

  lookUpEach(table: string, alias: string, condition: string): string
  lookUpEach(table: string, alias: string, condition: Sql): Sql
  lookUpEach(table: string, alias: string, condition: string | Sql): string | Sql {
    return around(`cross join lateral (select * from ${table} as ${alias} where `, condition, ` limit ${ROWS_MANY}) as ${alias}`)
  }

  async all<S extends RowShape>(shape: S, statement: string | Sql, ...values: SqlValue[]): Promise<RowOf<S>[]> {
    const { sql, parameters } = statementOf(statement, values)
    this.#note(sql)
    const { fields, rows } = await this.#query(sql, parameters)
    return shaped(shape, sql, () => fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID })), rows)
  }

  async get<S extends RowShape>(shape: S, statement: string | Sql, ...values: SqlValue[]): Promise<RowOf<S> | undefined> {
    return (await this.all(shape, statement, ...values))[0]
  }

  async run(statement: string | Sql, ...values: SqlValue[]): Promise<void> {
    await this.change(statement, ...values)
  }

  async change(statement: string | Sql, ...values: SqlValue[]): Promise<number> {
    const { sql, parameters } = statementOf(statement, values)
    this.#note(sql)
    return (await this.#query(sql, parameters)).rowCount ?? 0
  }

  /** Passes all rows as one parameter, so that one prepared statement serves any number of them. */
  async insert({ table, columns, rows, ignoreConflicts }: NewRows): Promise<void> {
    if (rows.length === 0) return
    for (const row of rows) requireStorable(row)
    const list = columns.join(', ')
    const records = rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])))
    const end = ignoreConflicts ? ' on conflict do nothing' : ''
    const sql = `insert into ${table} (${list}) select ${list} from json_populate_recordset(null::${table}, ?)${end}`
    this.#note(sql)
    await this.#query(sql, [JSON.stringify(records)])
  }

  #note(sql: string): void {
    this.#hasChangedAccess ||= changesAccess(sql)
  }
}
