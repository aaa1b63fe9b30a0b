import { joinSql, valueList, raw, sql, type Sql, type SqlValue } from './sql.ts'

/** A tree of conditions on the columns of one table. @typeParam Column the columns that conditions may use */
export type Condition<Column extends string> =
  | { readonly all: readonly Condition<Column>[] }
  | { readonly any: readonly Condition<Column>[] }
  | { readonly column: Column; readonly operator: '=' | '<' | '<=' | '>' | '>='; readonly value: string | number }
  | { readonly column: Column; readonly in: readonly string[] }

/** The condition in SQL. An empty `all` is true; an empty `any` or `in` is false. */
export function conditionSql<Column extends string>(condition: Condition<Column>): Sql {
  if ('all' in condition) return allOf(condition.all.map(conditionSql))
  if ('any' in condition) return anyOf(condition.any.map(conditionSql))
  const column = raw(condition.column)
  if ('in' in condition) return condition.in.length === 0 ? NEVER : sql`${column} in (${valueList(condition.in)})`
  return sql`${column} ${raw(condition.operator)} ${condition.value}`
}

const NEVER = sql`(1 = 0)`

export function allOf(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`(1 = 1)` : sql`(${joinSql(conditions, ' and ')})`
}

export function anyOf(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? NEVER : sql`(${joinSql(conditions, ' or ')})`
}

/** A column by which a list is sorted. */
export interface OrderColumn<Column extends string> {
  readonly column: Column
  readonly isDescending: boolean
}

export function orderSql(keys: readonly OrderColumn<string>[]): string {
  return keys.map(({ column, isDescending }) => `${column}${isDescending ? ' desc' : ''}`).join(', ')
}

/** The condition for rows after a row with the given sort keys. The values of the last column must be unique. */
export function afterSql(keys: readonly OrderColumn<string>[], position: readonly SqlValue[] | undefined): Sql {
  if (position === undefined) return allOf([])
  const comparison = ({ column }: OrderColumn<string>, operator: string, index: number): Sql =>
    sql`${raw(column)} ${raw(operator)} ${position[index] ?? null}`
  const ways = keys.map((key, index) =>
    allOf([
      ...keys.slice(0, index).map((equal, place) => comparison(equal, '=', place)),
      comparison(key, key.isDescending ? '<' : '>', index),
    ]),
  )
  return anyOf(ways)
}
