import { ANY_ROW, type RowTest } from '../../../store/row_tests.ts'
import type { LoadedRow, Needs } from './loaded_row.ts'

/** A condition on rows: a test by which the index decides, and a check of loaded rows for those that the index cannot decide. */
export interface Criterion {
  readonly test: RowTest
  holds(row: LoadedRow): boolean
  readonly needs: Needs
}

export const NOTHING_NEEDED: Needs = { columns: [], links: [] }

/** Matches every row. */
export const EVERY_ROW: Criterion = { test: ANY_ROW, holds: () => true, needs: NOTHING_NEEDED }

/** The conjunction (`all`) or disjunction (`any`) of criteria. */
export function combined(kind: 'all' | 'any', parts: readonly Criterion[]): Criterion {
  if (parts.length === 0) return EVERY_ROW
  const [only, another] = parts
  if (only && !another) return only
  return {
    test: { kind, tests: parts.map(({ test }) => test) },
    holds: (row) => (kind === 'all' ? parts.every((part) => part.holds(row)) : parts.some((part) => part.holds(row))),
    needs: {
      columns: [...new Set(parts.flatMap(({ needs }) => needs.columns))],
      links: parts.flatMap(({ needs }) => needs.links),
    },
  }
}
