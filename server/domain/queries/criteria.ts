import type { DateValue, VerificationCondition } from '../../../generated/types.ts'
import { collationKey, SORTED_LENGTH, storable } from '../../kernel/collation.ts'
import type { Bound, RowTest } from '../../store/row_tests.ts'
import type { StoredProperty } from '../properties/stored.ts'
import { isExpired, linksOf, type StoredPerson, type StoredVerification } from '../properties/value_kinds.ts'
import { plainText } from '../rich_text/present.ts'
import type { StoredRichText } from '../rich_text/stored.ts'
import {
  listHolds,
  numberHolds,
  textHolds,
  type ExistenceCheck,
  type ListCheck,
  type NumberCheck,
  type TextCheck,
} from './checks.ts'
import type { Criterion } from './criterion.ts'
import type { LoadedRow } from './loaded_rows.ts'

export function negatedIf(negated: boolean, test: RowTest): RowTest {
  return negated ? { kind: 'not', test } : test
}

function has(property: StoredProperty, check: ExistenceCheck, isText = false): RowTest {
  return negatedIf(check.kind === 'empty', { kind: 'has', propertyId: property.id, isText })
}

const needing = (...columns: readonly StoredProperty[]): Criterion['needs'] => ({ columns, links: [] })

/** The text of a text-like property, empty where there is none. */
export function textOf(row: LoadedRow, { id, type }: StoredProperty): string {
  const stored = type === 'title' ? row.block.content['title'] : row.values[id]
  if (stored === undefined || stored === null) return ''
  return type === 'title' || type === 'rich_text' ? plainText(stored as StoredRichText, row.facts.facts) : (stored as string)
}

export function textCriterion(property: StoredProperty, check: TextCheck): Criterion {
  return { test: testOfText(property, check), holds: (row) => textHolds(check, textOf(row, property)), needs: needing(property) }
}

function testOfText(property: StoredProperty, check: TextCheck): RowTest {
  if (check.kind !== 'text') return has(property, check, true)
  const { comparison, operand, negated } = check
  return negatedIf(negated, {
    kind: 'text',
    propertyId: property.id,
    comparison,
    operand,
    kept: storable(operand.toLowerCase()),
    key: collationKey(operand),
    isKeyWhole: [...operand].length < SORTED_LENGTH && storable(operand) === operand,
  })
}

export function numberCriterion(property: StoredProperty, check: NumberCheck): Criterion {
  const valueOf = ({ values }: LoadedRow): number | null => (values[property.id] as number | undefined) ?? null
  return { test: testOfNumber(property, check, 'numbers'), holds: (row) => numberHolds(check, valueOf(row)), needs: needing() }
}

function testOfNumber(property: StoredProperty, check: NumberCheck, along: 'numbers' | 'dates'): RowTest {
  if (check.kind !== 'number') return has(property, check)
  return negatedIf(check.negated, { kind: 'number', propertyId: property.id, along, bounds: check.bounds })
}

export function dateCriterion(property: StoredProperty, check: NumberCheck): Criterion {
  const valueOf = ({ values }: LoadedRow): number | null => {
    const date = values[property.id] as DateValue | undefined
    return date ? Date.parse(date.start) : null
  }
  return { test: testOfNumber(property, check, 'dates'), holds: (row) => numberHolds(check, valueOf(row)), needs: needing() }
}

/** A time of the row itself, which is never empty. */
export function timeCriterion(column: 'created_time' | 'last_edited_time', check: NumberCheck): Criterion {
  const valueOf = ({ block }: LoadedRow): number => (column === 'created_time' ? block.createdTime : block.lastEditedTime)
  const test: RowTest =
    check.kind === 'number'
      ? negatedIf(check.negated, { kind: 'time', column, bounds: check.bounds })
      : always(check.kind === 'present')
  return { test, holds: (row) => numberHolds(check, valueOf(row)), needs: needing() }
}

function always(holds: boolean): RowTest {
  return { kind: holds ? 'all' : 'any', tests: [] }
}

export function authorCriterion(column: 'created_by' | 'last_edited_by', check: ListCheck): Criterion {
  const valueOf = ({ block }: LoadedRow): string[] => [column === 'created_by' ? block.createdBy : block.lastEditedBy]
  const test: RowTest =
    check.kind === 'list'
      ? negatedIf(check.negated, {
          kind: 'any',
          tests: check.keys.map((userId): RowTest => ({ kind: 'author', column, userId })),
        })
      : always(check.kind === 'present')
  return { test, holds: (row) => listHolds(check, valueOf(row)), needs: needing() }
}

export function checkboxCriterion({ id }: StoredProperty, isChecked: boolean): Criterion {
  return {
    test: negatedIf(!isChecked, { kind: 'has', propertyId: id, isText: false }),
    holds: ({ values }) => (values[id] === true) === isChecked,
    needs: needing(),
  }
}

/** Options, people, or related pages. */
export function elementsCriterion(property: StoredProperty, check: ListCheck): Criterion {
  const { id } = property
  if (check.kind !== 'list')
    return { test: has(property, check), holds: (row) => listHolds(check, elementsOf(row, property)), needs: needing() }
  const isLed = (row: LoadedRow): boolean => property.type === 'relation' && check.keys.some((pageId) => row.leadsTo(id, pageId))
  return {
    test: negatedIf(check.negated, { kind: 'keys', propertyId: id, keys: check.keys }),
    holds: (row) => (isLed(row) ? !check.negated : listHolds(check, elementsOf(row, property))),
    needs: { columns: [], links: property.type === 'relation' ? check.keys.map((pageId) => ({ propertyId: id, pageId })) : [] },
  }
}

function elementsOf({ values }: LoadedRow, property: StoredProperty): readonly string[] {
  const stored = values[property.id]
  if (stored === undefined) return []
  if (property.type === 'people') return (stored as StoredPerson[]).map(({ id }) => id)
  if (property.type === 'relation') return linksOf(stored).ids
  const ids = property.type === 'multi_select' ? (stored as string[]) : [stored as string]
  const options = 'options' in property ? property.options : []
  return ids.filter((id) => options.some((option) => option.id === id))
}

export function existenceCriterion(property: StoredProperty, check: ExistenceCheck): Criterion {
  const isEmpty = ({ values }: LoadedRow): boolean => values[property.id] === undefined
  return { test: has(property, check), holds: (row) => isEmpty(row) === (check.kind === 'empty'), needs: needing() }
}

export function verificationCriterion(
  { id }: StoredProperty,
  { status, does_not_equal: differs }: VerificationCondition,
  now: number,
): Criterion {
  const wanted = status ?? differs ?? 'none'
  const negated = status === undefined
  const stateOf = ({ values }: LoadedRow): string => {
    const stored = values[id] as StoredVerification | undefined
    return stored === undefined ? 'none' : isExpired(stored.date, now) ? 'expired' : 'verified'
  }
  const bound: Bound = { operator: wanted === 'expired' ? '<=' : '>', value: now }
  const test: RowTest =
    wanted === 'none'
      ? { kind: 'not', test: { kind: 'has', propertyId: id, isText: false } }
      : { kind: 'number', propertyId: id, along: 'numbers', bounds: [bound] }
  return { test: negatedIf(negated, test), holds: (row) => (stateOf(row) === wanted) !== negated, needs: needing() }
}
