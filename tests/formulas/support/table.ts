import { describe, expect, it } from 'vitest'
import { given } from './workshop.ts'

/** Marks an expected value as a date: `YYYY-MM-DD`, an instant in UTC, or two of them around a slash. */
export interface ExpectedDate {
  readonly date: string
}

export const day = (date: string): ExpectedDate => ({ date })

export type Expected = string | number | boolean | ExpectedDate | { readonly empty: 'string' | 'number' | 'boolean' | 'date' }

export const noText: Expected = { empty: 'string' }
export const noNumber: Expected = { empty: 'number' }
export const noBoolean: Expected = { empty: 'boolean' }
export const noDate: Expected = { empty: 'date' }

export type Table = Readonly<Record<string, readonly (readonly [expression: string, expected: Expected])[]>>

/** Adds a test for each group. Failures list the wrong expressions. */
export function testTable(title: string, table: Table): void {
  describe(title, () => {
    it.each(Object.entries(table))('%s', (_group, rows) => {
      const results = Object.fromEntries(rows.map(([expression]) => [expression, given(expression)]))
      expect(results).toEqual(Object.fromEntries(rows.map(([expression, expected]) => [expression, expectedResult(expected)])))
      expect(Object.keys(results)).toHaveLength(rows.length)
    })
  })
}

function expectedResult(expected: Expected): { type: string; value: string | number | boolean | null } {
  if (typeof expected === 'object')
    return 'date' in expected ? { type: 'date', value: expected.date } : { type: expected.empty, value: null }
  if (typeof expected === 'string') return { type: 'string', value: expected }
  return typeof expected === 'number' ? { type: 'number', value: expected } : { type: 'boolean', value: expected }
}
