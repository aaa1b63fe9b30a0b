export type SqlValue = string | number | null | Uint8Array

/** A statement, or a part of one: its text, and a parameter for each `?` in it. */
export interface Sql {
  readonly sql: string
  readonly parameters: readonly SqlValue[]
}

/** What one template was last put together to. */
interface Composed {
  readonly parts: readonly (string | undefined)[]
  readonly text: string
}

const composed = new WeakMap<TemplateStringsArray, Composed>()

/**
 * SQL as it is written: a value becomes a parameter, another `Sql` is put in with its own. The text of a template is kept as long as
 * the same parts are put into it, because engines find their prepared statements by it and would have to read a new one to its end.
 */
export function sql(strings: TemplateStringsArray, ...values: readonly (SqlValue | Sql)[]): Sql {
  const parameters: SqlValue[] = []
  const parts = values.map((value) => {
    if (!isSql(value)) {
      parameters.push(value)
      return undefined
    }
    parameters.push(...value.parameters)
    return value.sql
  })
  const known = composed.get(strings)
  if (known?.parts.every((part, index) => part === parts[index])) return { sql: known.text, parameters }
  const text = strings.reduce((before, after, index) => `${before}${parts[index - 1] ?? '?'}${after}`)
  composed.set(strings, { parts, text })
  return { sql: text, parameters }
}

function isSql(value: SqlValue | Sql): value is Sql {
  return typeof value === 'object' && value !== null && 'sql' in value
}

/** A text of our own in a statement, such as the name of a column: never one that somebody has sent. */
export function raw(text: string | number): Sql {
  return { sql: String(text), parameters: [] }
}

/** Parts with a text between each two; empty where there are none. */
export function joinSql(parts: readonly Sql[], separator: string): Sql {
  return { sql: parts.map((part) => part.sql).join(separator), parameters: parts.flatMap(({ parameters }) => parameters) }
}

/** A list of parameters, as for `in (…)` or `values (…)`: `?, ?, ?` with their values. */
export function valueList(values: readonly SqlValue[]): Sql {
  return { sql: values.map(() => '?').join(', '), parameters: values }
}

/** A table in SQL, with one `?` for its parameter. */
export interface WantedTable extends Sql {
  readonly table: string
  readonly parameter: string
}

export function wantedTable(table: string, parameter: string): WantedTable {
  return { table, parameter, sql: table, parameters: [parameter] }
}

/** `?, ?, ?` for a list of that many parameters. */
export function placeholders(count: number): string {
  return Array.from({ length: count }, () => '?').join(', ')
}

/** A statement in either form that connections take. */
export function statementOf(statement: string | Sql, parameters: readonly SqlValue[]): Sql {
  return typeof statement === 'string' ? { sql: statement, parameters } : statement
}

/** Text around a condition, in the form that the condition has. */
export function around(before: string, condition: string | Sql, after: string): string | Sql {
  if (typeof condition === 'string') return `${before}${condition}${after}`
  return { sql: `${before}${condition.sql}${after}`, parameters: condition.parameters }
}
