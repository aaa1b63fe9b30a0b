import { allOf, anyOf } from './conditions.ts'
import type { RowSet } from './access_paths.ts'
import { valueList, raw, sql, type Sql } from './sql.ts'

export interface Bound {
  readonly operator: '=' | '<' | '<=' | '>' | '>='
  readonly value: number
}

interface TextTest {
  readonly kind: 'text'
  readonly propertyId: string
  readonly comparison: 'equals' | 'contains' | 'starts' | 'ends'
  /** The operand as written; never empty. */
  readonly operand: string
  /** The operand in its indexed form: in lower case. */
  readonly kept: string
  /** The collation key of the operand. `isKeyWhole` tells whether it covers the whole operand. */
  readonly key: string
  readonly isKeyWhole: boolean
}

/**
 * A filter on rows, evaluated on the index. Tests have three results: if the index does not contain enough information, the result is
 * unknown, and the stored row decides.
 */
export type RowTest =
  | { readonly kind: 'all' | 'any'; readonly tests: readonly RowTest[] }
  | { readonly kind: 'not'; readonly test: RowTest }
  | { readonly kind: 'unknown' }
  /** Passes if there is a value. `isText` marks text properties, whose value may turn out to be empty although it is in the index. */
  | { readonly kind: 'has'; readonly propertyId: string; readonly isText: boolean }
  /** Passes if one of the elements has one of these keys. */
  | { readonly kind: 'keys'; readonly propertyId: string; readonly keys: readonly string[] }
  /** Passes if the number, or the start of the date, satisfies all bounds. */
  | {
      readonly kind: 'number'
      readonly propertyId: string
      readonly along: 'numbers' | 'dates'
      readonly bounds: readonly Bound[]
    }
  | TextTest
  | { readonly kind: 'time'; readonly column: 'created_time' | 'last_edited_time'; readonly bounds: readonly Bound[] }
  | { readonly kind: 'author'; readonly column: 'created_by' | 'last_edited_by'; readonly userId: string }

/** A test that every row passes. */
export const ANY_ROW: RowTest = { kind: 'all', tests: [] }

/** The names by which tests refer to a row in a statement. */
export interface RowNames {
  readonly id: string
  readonly created: string
  /** The negated creation time, as cells contain it; undefined if the engine finds a key faster in the table of cells than in the index. */
  readonly tie: string | undefined
  /** The alias of the row's block, if the statement has one. */
  readonly block: string
}

/** The number of elementary tests in a test. */
export function sizeOf(test: RowTest): number {
  if (test.kind === 'all' || test.kind === 'any') return test.tests.reduce((sum, part) => sum + sizeOf(part), 0)
  return test.kind === 'not' ? sizeOf(test.test) : 1
}

/** Whether a test needs the block of a row. */
export function usesBlock(test: RowTest): boolean {
  if (test.kind === 'all' || test.kind === 'any') return test.tests.some(usesBlock)
  if (test.kind === 'not') return usesBlock(test.test)
  return test.kind === 'author' || (test.kind === 'time' && test.column === 'last_edited_time')
}

/** Whether a test contains an `unknown`, which the index cannot decide for any row. */
export function hasUnknown(test: RowTest): boolean {
  if (test.kind === 'all' || test.kind === 'any') return test.tests.some(hasUnknown)
  return test.kind === 'not' ? hasUnknown(test.test) : test.kind === 'unknown'
}

/** A test as an SQL expression that is true, false or null. Null means unknown. */
export function sqlOfTest(test: RowTest, rows: RowSet, names: RowNames): Sql {
  const { workspaceId } = rows
  switch (test.kind) {
    case 'all':
      return allOf(cheapestFirst(test.tests).map((part) => sqlOfTest(part, rows, names)))
    case 'any':
      return anyOf(cheapestFirst(test.tests).map((part) => sqlOfTest(part, rows, names)))
    case 'not':
      return sql`(not ${sqlOfTest(test.test, rows, names)})`
    case 'unknown':
      return sql`(null)`
    case 'has':
      return test.isText
        ? verdictOfCell(test.propertyId, sql`case when t.is_whole = 0 and t.text = '' then 2 else 1 end`, workspaceId, names)
        : cellExists(test.propertyId, sql``, workspaceId, names)
    case 'keys': {
      const [only, another] = test.keys
      return only !== undefined && another === undefined && names.tie !== undefined
        ? hasKey(test.propertyId, only, rows, names.id, names.tie)
        : cellExists(test.propertyId, sql`and ${sqlOfKeys(test.keys)}`, workspaceId, names)
    }
    case 'number':
      return cellExists(test.propertyId, sql`and ${sqlOfBounds('t.number_key', test.bounds)}`, workspaceId, names)
    case 'text':
      return verdictOfCell(test.propertyId, sqlOfText(test), workspaceId, names)
    case 'time':
      return sqlOfBounds(test.column === 'created_time' ? names.created : `${names.block}.last_edited_time`, test.bounds)
    case 'author':
      return sql`(${raw(names.block)}.${raw(test.column)} = ${test.userId})`
  }
}

/**
 * The costs of tests, which are evaluated in this order because engines stop early: tests on columns of the row come before those that need
 * a lookup, and equality comes before ranges.
 */
const COSTS: Readonly<Record<RowTest['kind'], number>> = {
  time: 0,
  author: 0,
  keys: 1,
  number: 2,
  has: 3,
  text: 4,
  not: 5,
  all: 6,
  any: 6,
  unknown: 7,
}

function cheapestFirst(tests: readonly RowTest[]): RowTest[] {
  return tests.toSorted((one, other) => COSTS[one.kind] - COSTS[other.kind])
}

export function sqlOfBounds(column: string, bounds: readonly Bound[]): Sql {
  return allOf(bounds.map(({ operator, value }) => sql`${raw(column)} ${raw(operator)} ${value}`))
}

/**
 * Matches any of some keys. It uses a list instead of a chain of `or`, because SQLite would compare the terms of a chain with one another,
 * for every test of a statement.
 */
function sqlOfKeys(keys: readonly string[]): Sql {
  return keys.length === 0 ? anyOf([]) : sql`t.text_key in (${valueList(keys)})`
}

/**
 * Whether a row has a key, by the index of texts. The condition is a range that contains only the one id, because with an equality the
 * engine may choose the primary key.
 */
function hasKey(propertyId: string, key: string, { workspaceId, dataSourceId, inTrash }: RowSet, id: string, tie: string): Sql {
  return sql`(coalesce((select 1 from cells t where t.workspace_id = ${workspaceId} and t.data_source_id = ${dataSourceId}
    and t.property_id = ${propertyId} and t.in_trash = ${raw(Number(inTrash))} and t.text_key = ${key} and t.tie = ${raw(tie)}
    and t.page_id between ${raw(id)} and ${raw(id)} limit 1), 0) = 1)`
}

function cellExists(propertyId: string, condition: Sql, workspaceId: string, { id }: RowNames): Sql {
  // PostgreSQL may turn `exists` into a hash of all cells that satisfy the condition, which is rebuilt for every statement.
  return sql`(coalesce((select 1 from cells t where t.workspace_id = ${workspaceId} and t.page_id = ${raw(id)}
    and t.property_id = ${propertyId} ${condition} limit 1), 0) = 1)`
}

/** The verdict by a row's only cell of a property. @param verdict 1 for pass, 0 for fail, 2 for unknown; without a cell, the result is 0 */
function verdictOfCell(propertyId: string, verdict: Sql, workspaceId: string, { id }: RowNames): Sql {
  return sql`(nullif(coalesce((select ${verdict} from cells t where t.workspace_id = ${workspaceId} and t.page_id = ${raw(id)}
    and t.property_id = ${propertyId} limit 1), 0), 2) = 1)`
}

/** A test of a text. The stored row decides about truncated texts. Complete texts never contain characters that the index drops. */
function sqlOfText({ comparison, operand, kept, key, isKeyWhole }: TextTest): Sql {
  const found = (condition: Sql, verdict = 1): Sql =>
    sql`case when t.is_whole = 0 then 2 when ${condition} then ${raw(verdict)} else 0 end`
  if (kept !== operand.toLowerCase()) return found(sql`1 = 0`)
  const length = [...kept].length
  // Without the cast, an operand that looks like an id would be compared as one.
  const text = sql`cast(${kept} as text)`
  switch (comparison) {
    case 'equals':
      return isKeyWhole ? found(sql`t.text_key = ${key}`) : found(sql`t.text_key = ${key} and t.text = ${text}`, 2)
    case 'contains':
      return found(sql`replace(t.text, ${text}, '') <> t.text`)
    case 'starts':
      return found(sql`substr(t.text, 1, ${length}) = ${text}`)
    case 'ends':
      return found(sql`length(t.text) >= ${length} and substr(t.text, length(t.text) - ${length} + 1, ${length}) = ${text}`)
  }
}
