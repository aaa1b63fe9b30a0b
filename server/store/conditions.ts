import type { SqlValue } from './database.ts'

/** Conditions on the columns of one table, as a tree. @typeParam Column which columns may be asked for */
export type Condition<Column extends string> =
  | { readonly all: readonly Condition<Column>[] }
  | { readonly any: readonly Condition<Column>[] }
  | { readonly column: Column; readonly operator: '=' | '<' | '<=' | '>' | '>='; readonly value: string | number }
  | { readonly column: Column; readonly in: readonly string[] }

/** A condition in SQL with its parameters. */
interface SqlCondition {
  readonly sql: string
  readonly parameters: readonly SqlValue[]
}

/** An empty `all` is true, an empty `any` or `in` false. */
export function conditionSql<Column extends string>(condition: Condition<Column>): SqlCondition {
  if ('all' in condition) return joined(condition.all, ' and ', '1 = 1')
  if ('any' in condition) return joined(condition.any, ' or ', '1 = 0')
  if ('in' in condition) {
    if (condition.in.length === 0) return { sql: '1 = 0', parameters: [] }
    return { sql: `${condition.column} in (${condition.in.map(() => '?').join(', ')})`, parameters: condition.in }
  }
  return { sql: `${condition.column} ${condition.operator} ?`, parameters: [condition.value] }
}

function joined<Column extends string>(parts: readonly Condition<Column>[], word: string, empty: string): SqlCondition {
  if (parts.length === 0) return { sql: empty, parameters: [] }
  const each = parts.map((part) => conditionSql(part))
  return { sql: `(${each.map(({ sql }) => sql).join(word)})`, parameters: each.flatMap(({ parameters }) => parameters) }
}

/** One column that a list is sorted by. */
export interface SortKey<Column extends string> {
  readonly column: Column
  readonly isDescending: boolean
}

/** What stands behind `order by`. */
export function orderSql(keys: readonly SortKey<string>[]): string {
  return keys.map(({ column, isDescending }) => `${column}${isDescending ? ' desc' : ''}`).join(', ')
}

/** The rows behind one whose sort keys are given. Of the last column, no two rows have the same value. */
export function behindSql(keys: readonly SortKey<string>[], position: readonly SqlValue[] | undefined): SqlCondition {
  if (position === undefined) return { sql: '1 = 1', parameters: [] }
  const ways = keys.map(({ column, isDescending }, index) => ({
    sql: `(${[...keys.slice(0, index).map((key) => `${key.column} = ?`), `${column} ${isDescending ? '<' : '>'} ?`].join(' and ')})`,
    parameters: position.slice(0, index + 1),
  }))
  return { sql: `(${ways.map(({ sql }) => sql).join(' or ')})`, parameters: ways.flatMap(({ parameters }) => parameters) }
}
