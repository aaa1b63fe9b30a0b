import type {
  CheckboxCondition,
  DateCondition,
  ExistenceCondition,
  MultiOptionCondition,
  NumberCondition,
  OptionCondition,
  PeopleCondition,
  RelationCondition,
  RollupSubfilter,
  TextCondition,
} from '../../../generated/types.ts'
import { canonicalId } from '../../kernel/ids.ts'
import type { Bound } from '../../store/row_tests.ts'
import { invalid } from '../failures.ts'
import { hasOptions, type StoredProperty } from '../properties/stored.ts'
import type { ValueCheck, ExistenceCheck, ListComparison } from './checks.ts'
import { boundsOfDate } from './date_ranges.ts'

/** The time and the user against which relative conditions are resolved. */
export interface ConditionContext {
  readonly now: number
  /** The id of the user for whom `me` stands. */
  readonly me: string
}

/** The check of an `is_empty` or `is_not_empty` condition; undefined for any other condition. */
function existence({ is_empty: isEmpty, is_not_empty: isPresent }: Partial<ExistenceCondition>): ExistenceCheck | undefined {
  if (isEmpty) return { kind: 'empty' }
  return isPresent ? { kind: 'present' } : undefined
}

export function parseExistence(condition: ExistenceCondition): ExistenceCheck {
  return existence(condition) ?? { kind: 'present' }
}

const TEXT_KEYS = {
  equals: ['equals', false],
  does_not_equal: ['equals', true],
  contains: ['contains', false],
  does_not_contain: ['contains', true],
  starts_with: ['starts', false],
  ends_with: ['ends', false],
} as const satisfies Readonly<Record<Exclude<keyof TextCondition, keyof ExistenceCondition>, readonly [string, boolean]>>

export function parseText(condition: TextCondition): ValueCheck {
  for (const key of Object.keys(TEXT_KEYS) as (keyof typeof TEXT_KEYS)[]) {
    const operand = condition[key]
    const [comparison, negated] = TEXT_KEYS[key]
    if (operand !== undefined) return { kind: 'text', comparison, operand, negated }
  }
  return parseExistence(condition)
}

const NUMBER_KEYS = {
  equals: '=',
  does_not_equal: '=',
  greater_than: '>',
  less_than: '<',
  greater_than_or_equal_to: '>=',
  less_than_or_equal_to: '<=',
} as const satisfies Readonly<Record<Exclude<keyof NumberCondition, keyof ExistenceCondition>, Bound['operator']>>

export function parseNumberCondition(condition: NumberCondition): ValueCheck {
  for (const key of Object.keys(NUMBER_KEYS) as (keyof typeof NUMBER_KEYS)[]) {
    const value = condition[key]
    if (value !== undefined) return numbers([{ operator: NUMBER_KEYS[key], value }], key === 'does_not_equal')
  }
  return parseExistence(condition)
}

function numbers(bounds: readonly Bound[], negated = false): ValueCheck {
  return { kind: 'number', bounds, negated }
}

/** @throws ServiceError `validation_error` for a date that does not exist */
export function parseDateCondition(condition: DateCondition, path: string, { now }: ConditionContext): ValueCheck {
  const bounds = boundsOfDate(condition, now, path)
  return bounds ? numbers(bounds) : parseExistence(condition)
}

/** An unchecked checkbox has no stored value. */
export function parseCheckbox({ equals, does_not_equal: differs }: CheckboxCondition): ValueCheck {
  return { kind: (equals ?? differs === false) ? 'present' : 'empty' }
}

export function parsePeople(condition: PeopleCondition, _path: string, { me }: ConditionContext): ValueCheck {
  const idOf = (written: string): string => (written === 'me' ? me : canonicalId(written))
  return contained(condition, (written) => [idOf(written)]) ?? parseExistence(condition)
}

export function parseRelation(condition: RelationCondition): ValueCheck {
  return contained(condition, (written) => [canonicalId(written)]) ?? parseExistence(condition)
}

/** @throws ServiceError `validation_error` for a name or id that is not an option of the property */
export function parseOptions(
  condition: MultiOptionCondition,
  path: string,
  _context: ConditionContext,
  property: StoredProperty,
): ValueCheck {
  return contained(condition, (written, key) => optionIds(property, written, `${path}.${key}`)) ?? parseExistence(condition)
}

/** Like `parseOptions`, for a property that holds a single option. */
export function parseOption(
  condition: OptionCondition,
  path: string,
  _context: ConditionContext,
  property: StoredProperty,
): ValueCheck {
  for (const key of ['equals', 'does_not_equal'] as const) {
    const written = condition[key]
    if (written !== undefined)
      return { kind: 'list', keys: optionIds(property, written, `${path}.${key}`), negated: key === 'does_not_equal' }
  }
  return parseExistence(condition)
}

type Parse<C> = { parse(condition: C, path: string, context: ConditionContext, property: StoredProperty): ValueCheck }['parse']

/** Parsers for conditions on rollup elements and formula results, by their key in a rollup condition. */
const subfilters: { readonly [K in keyof RollupSubfilter]-?: Parse<Required<RollupSubfilter>[K]> } = {
  rich_text: parseText,
  number: parseNumberCondition,
  checkbox: parseCheckbox,
  select: parseOption,
  status: parseOption,
  multi_select: parseOptions,
  relation: parseRelation,
  date: parseDateCondition,
  people: parsePeople,
  files: parseExistence,
}

/** Parses a condition on a formula result or on rollup elements. @param property the formula, or the property that is rolled up */
export function parseSubfilter(
  key: keyof RollupSubfilter,
  condition: unknown,
  path: string,
  context: ConditionContext,
  property: StoredProperty,
): ValueCheck {
  const parse: Parse<unknown> = subfilters[key]
  return parse(condition, path, context, property)
}

function contained<T>(
  condition: { readonly contains?: T; readonly does_not_contain?: T },
  keysOf: (written: T, key: string) => string[],
): ListComparison | undefined {
  for (const key of ['contains', 'does_not_contain'] as const) {
    const written = condition[key]
    if (written !== undefined) return { kind: 'list', keys: keysOf(written, key), negated: key === 'does_not_contain' }
  }
  return undefined
}

function optionIds(property: StoredProperty, written: string | readonly string[], path: string): string[] {
  if (typeof written === 'string') return [optionId(property, written, path)]
  return [...new Set(written.map((one, index) => optionId(property, one, `${path}[${index}]`)))]
}

function optionId(property: StoredProperty, written: string, path: string): string {
  const options = hasOptions(property) ? property.options : []
  const found = options.find(({ name }) => name === written) ?? options.find(({ id }) => id === written)
  if (found) return found.id
  throw invalid(
    path,
    `should be the name or id of an option: the property ${JSON.stringify(property.name)} has no option ${JSON.stringify(written)}`,
  )
}
