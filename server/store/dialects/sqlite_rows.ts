import type { RowOf, RowShape } from '../row_shape.ts'
import { reportDamage } from '../stored/damage.ts'

/** A column of a shape: the type that its values must have, and the replacement for a value of another type. */
interface Column {
  readonly name: string
  readonly expected: string
  fits(value: unknown): boolean
  instead(value: unknown): unknown
}

const KINDS: Readonly<Record<string, Omit<Column, 'name' | 'expected'>>> = {
  text: { fits: (value) => typeof value === 'string', instead: textOf },
  integer: { fits: (value) => typeof value === 'number', instead: () => 0 },
  number: { fits: (value) => typeof value === 'number', instead: () => 0 },
  bytes: { fits: (value) => value instanceof Uint8Array, instead: () => new Uint8Array() },
}

function textOf(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString()
  return typeof value === 'number' ? String(value) : ''
}

const shapes = new WeakMap<RowShape, readonly Column[]>()

function columnsOf(shape: RowShape): readonly Column[] {
  const known = shapes.get(shape)
  if (known) return known
  const columns = Object.entries(shape).flatMap(([name, type]): Column[] => {
    if (typeof type !== 'string') {
      const values = new Set<unknown>(type)
      return [{ name, expected: `one of ${type.join(', ')}`, fits: (value) => values.has(value), instead: () => type.at(-1) }]
    }
    const kind = KINDS[type.replace('?', '')]
    if (!kind) return []
    const isNullable = type.endsWith('?')
    const fits = (value: unknown): boolean => kind.fits(value) || (isNullable && value === null)
    return [{ name, expected: `a value of type ${type}`, fits, instead: isNullable ? () => null : kind.instead }]
  })
  shapes.set(shape, columns)
  return columns
}

/**
 * Gives rows the types of their shape. A damaged file may contain values of other types, which SQLite does not check. Rows are never
 * removed, because their number tells whether a list continues.
 */
export function repairRows<S extends RowShape>(shape: S, sql: string, rows: RowOf<S>[]): RowOf<S>[] {
  const columns = columnsOf(shape)
  for (const row of rows as Record<string, unknown>[]) {
    for (const { name, expected, fits, instead } of columns) {
      if (fits(row[name])) continue
      row[name] = instead(row[name])
      const table = /\bfrom\s+(\w+)/i.exec(sql)?.[1] ?? 'statement'
      reportDamage({ place: `${table}.${name}`, id: String(row['id'] ?? ''), expected })
    }
  }
  return rows
}
