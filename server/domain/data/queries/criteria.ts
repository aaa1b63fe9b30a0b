import { collationKey, SORTED_LENGTH, storable } from '../../../kernel/collation.ts'
import type { RowTest } from '../../../store/row_tests.ts'
import { holds, type ValueCheck, type PlainValue } from './checks.ts'
import { NOTHING_NEEDED, type Criterion } from './criterion.ts'
import type { LoadedRow } from './loaded_row.ts'

export function negatedIf(negated: boolean, test: RowTest): RowTest {
  return negated ? { kind: 'not', test } : test
}

/**
 * The criterion of a check on a property whose values are indexed.
 * @param along the index keys that hold the values
 * @param read returns the value of a loaded row
 */
export function indexedCriterion(
  propertyId: string,
  check: ValueCheck,
  along: 'texts' | 'numbers' | 'dates' | 'keys',
  read: (row: LoadedRow) => PlainValue,
  needs = NOTHING_NEEDED,
): Criterion {
  return { test: testOf(propertyId, check, along), holds: (row) => holds(check, read(row)), needs }
}

function testOf(propertyId: string, check: ValueCheck, along: 'texts' | 'numbers' | 'dates' | 'keys'): RowTest {
  switch (check.kind) {
    case 'empty':
    case 'present':
      return negatedIf(check.kind === 'empty', { kind: 'has', propertyId, isText: along === 'texts' })
    case 'text': {
      const { comparison, operand, negated } = check
      return negatedIf(negated, {
        kind: 'text',
        propertyId,
        comparison,
        operand,
        kept: storable(operand.toLowerCase()),
        key: collationKey(operand),
        isKeyWhole: [...operand].length < SORTED_LENGTH && storable(operand) === operand,
      })
    }
    case 'number':
      return negatedIf(check.negated, {
        kind: 'number',
        propertyId,
        along: along === 'dates' ? 'dates' : 'numbers',
        bounds: check.bounds,
      })
    case 'list':
      return negatedIf(check.negated, { kind: 'keys', propertyId, keys: check.keys })
  }
}

/** The criterion of a check on a timestamp of the row, which is never empty. */
export function timeCriterion(column: 'created_time' | 'last_edited_time', check: ValueCheck): Criterion {
  const test: RowTest =
    check.kind === 'number'
      ? negatedIf(check.negated, { kind: 'time', column, bounds: check.bounds })
      : always(check.kind === 'present')
  const read = ({ block }: LoadedRow): number => (column === 'created_time' ? block.createdTime : block.lastEditedTime)
  return { test, holds: (row) => holds(check, read(row)), needs: NOTHING_NEEDED }
}

export function authorCriterion(column: 'created_by' | 'last_edited_by', check: ValueCheck): Criterion {
  const test: RowTest =
    check.kind === 'list'
      ? negatedIf(check.negated, {
          kind: 'any',
          tests: check.keys.map((userId): RowTest => ({ kind: 'author', column, userId })),
        })
      : always(check.kind === 'present')
  const read = ({ block }: LoadedRow): string[] => [column === 'created_by' ? block.createdBy : block.lastEditedBy]
  return { test, holds: (row) => holds(check, read(row)), needs: NOTHING_NEEDED }
}

function always(holds: boolean): RowTest {
  return { kind: holds ? 'all' : 'any', tests: [] }
}

/** The criterion of a check on a computed value, which is in no index. @param test checks the computed value */
export function computedCriterion(column: Criterion['needs']['columns'][number], test: (value: unknown) => boolean): Criterion {
  return {
    test: { kind: 'unknown' },
    holds: (row) => test(row.computed.get(column.id)),
    needs: { columns: [column], links: [] },
  }
}
