import { observeRows, type ReturnedColumn, type RowShape } from '../../server/store/row_shape.ts'

/**
 * Checks the result of every statement in this process against the shape that types its rows: the same columns, the declared types, and
 * only declared values. A mismatch fails the running test.
 */
export function watchRows(): void {
  observeRows((shape, sql, columns, rows) => {
    const wrong = differences(shape, isNewTo(shape, sql) ? columns() : [], rows)
    for (const what of wrong) found.push(`${what} in: ${sql.replaceAll(/\s+/g, ' ')}`)
  })
}

const found: string[] = []

const known = new WeakMap<RowShape, Set<string>>()

/** Whether a statement's columns are still to be checked: once, because reading them is slow. Never for `explain`, whose columns differ. */
function isNewTo(shape: RowShape, sql: string): boolean {
  const statements = known.get(shape) ?? new Set()
  known.set(shape, statements)
  if (statements.has(sql) || sql.startsWith('explain')) return false
  statements.add(sql)
  return true
}

/** @returns the mismatches since the last call */
export function wrongRows(): string[] {
  return found.splice(0)
}

function differences(shape: RowShape, columns: readonly ReturnedColumn[], rows: readonly object[]): string[] {
  const claimed = Object.keys(shape)
  if (claimed.length === 0) return []
  const wrong: string[] = []
  const names = columns.map(({ name }) => name)
  if (columns.length > 0 && names.toSorted().join() !== claimed.toSorted().join())
    wrong.push(`columns ${names.join(', ')} for ${claimed.join(', ')}`)
  for (const { name, type } of columns) {
    const announced = ANNOUNCED.get(type)
    const column = shape[name]
    if (announced && column && !announced.includes(kindOf(column)))
      wrong.push(`${name} is ${announced.join(' or ')}, not ${kindOf(column)}`)
  }
  for (const [name, column] of Object.entries(shape)) {
    const bad = rows.map((row) => (row as Record<string, unknown>)[name]).find((value) => !fits(value, column))
    if (bad !== undefined || rows.some((row) => !(name in row))) wrong.push(`${name} is ${String(bad)}, not ${String(column)}`)
  }
  return wrong
}

type Column = RowShape[string]

const kindOf = (column: Column): string => (typeof column === 'string' ? column.replace('?', '') : 'text')

/** Kinds by column type: a number in PostgreSQL, the declared type in SQLite. Computed columns have none in SQLite. */
const ANNOUNCED: ReadonlyMap<ReturnedColumn['type'], readonly string[]> = new Map<ReturnedColumn['type'], readonly string[]>([
  ...[25, 1043, 2950, 19, 'text', 'TEXT', 'uuid blob'].map((type) => [type, ['text', 'key']] as const),
  ...[20, 21, 23, 'integer', 'INTEGER'].map((type) => [type, ['integer', 'number', 'flag', 'key']] as const),
  ...[700, 701, 1700, 'real', 'REAL'].map((type) => [type, ['number', 'integer', 'key']] as const),
  ...[17, 'blob', 'BLOB'].map((type) => [type, ['bytes']] as const),
  [16, ['flag']],
])

const FITS: Readonly<Record<string, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  integer: (value) => Number.isInteger(value),
  number: (value) => typeof value === 'number',
  bytes: (value) => value instanceof Uint8Array,
  key: (value) => value === null || typeof value === 'string' || typeof value === 'number',
  flag: (value) => typeof value === 'boolean' || value === 0 || value === 1,
}

function fits(value: unknown, column: Column): boolean {
  if (typeof column !== 'string') return column.some((word) => word === value)
  return (value === null && column.endsWith('?')) || (FITS[kindOf(column)]?.(value) ?? false)
}
