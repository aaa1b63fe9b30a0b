export type SqlValue = string | number | null | Uint8Array

/** A statement, or a part of one: its text, and a parameter for each `?` in it. */
export interface Sql {
  readonly sql: string
  readonly parameters: readonly SqlValue[]
}

/** The text that was last composed from a template, and the parts inserted into it. */
interface Composed {
  readonly parts: readonly (string | undefined)[]
  readonly text: string
}

const composed = new WeakMap<TemplateStringsArray, Composed>()

/**
 * A tagged template for SQL: a value becomes a parameter, and another `Sql` is inserted with its parameters. The text of a template is
 * cached while the inserted parts stay the same: engines find prepared statements by their text, and comparing a string with itself is
 * fast.
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

/** SQL from a text, such as the name of a column. Never use it for text from a request. */
export function raw(text: string | number): Sql {
  return { sql: String(text), parameters: [] }
}

export function joinSql(parts: readonly Sql[], separator: string): Sql {
  return { sql: parts.map((part) => part.sql).join(separator), parameters: parts.flatMap(({ parameters }) => parameters) }
}

/** A list of parameters, for use in `in (…)` or `values (…)`: `?, ?, ?` with their values. */
export function valueList(values: readonly SqlValue[]): Sql {
  return { sql: values.map(() => '?').join(', '), parameters: values }
}

export interface WantedTable extends Sql {
  readonly table: string
  readonly parameter: string
}

/** A table in SQL. @param table its text, with one `?` for the parameter */
export function wantedTable(table: string, parameter: string): WantedTable {
  return { table, parameter, sql: table, parameters: [parameter] }
}

/** The text `?, ?, ?` for this number of parameters. */
export function placeholders(count: number): string {
  return Array.from({ length: count }, () => '?').join(', ')
}

let observer: ((sql: string) => void) | undefined

/** Sets a function that is called with the text of every statement in this process that is not an insertion of rows, for tests. */
export function observeStatements(next: typeof observer): void {
  observer = next
}

/** A statement in the form of `Sql`. */
export function statementOf(statement: string | Sql, parameters: readonly SqlValue[]): Sql {
  observer?.(typeof statement === 'string' ? statement : statement.sql)
  return typeof statement === 'string' ? { sql: statement, parameters } : statement
}

/** Puts text before and after a condition. The result has the same type as the condition. */
export function around(before: string, condition: string | Sql, after: string): string | Sql {
  if (typeof condition === 'string') return `${before}${condition}${after}`
  return { sql: `${before}${condition.sql}${after}`, parameters: condition.parameters }
}
