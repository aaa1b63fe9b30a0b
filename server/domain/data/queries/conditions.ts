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
  SchemaOption,
  TextCondition,
} from '../../../../generated/types.ts'
import { canonicalId } from '../../../kernel/ids.ts'
import type { Bound } from '../../../store/row_tests.ts'
import { invalid } from '../../shared/index.ts'
import { hasOptions, type StoredProperty } from '../properties/stored.ts'
import type { ValueCheck, ExistenceCheck } from './checks.ts'
import { boundsOfDate } from './date_ranges.ts'

/** The time and the user against which relative conditions are resolved. */
export interface ConditionContext {
  readonly now: number
  /** The user id for `me`. */
  readonly me: string
}

export function parseExistence({ is_empty: isEmpty }: ExistenceCondition): ExistenceCheck {
  return { kind: isEmpty ? 'empty' : 'present' }
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

/** The check for a checkbox. An unchecked one has no stored value. */
export function parseCheckbox({ equals, does_not_equal: differs }: CheckboxCondition): ValueCheck {
  return { kind: (equals ?? differs === false) ? 'present' : 'empty' }
}

export function parsePeople(condition: PeopleCondition, _path: string, { me }: ConditionContext): ValueCheck {
  return parseList(condition, CONTAINS, (written) => [written === 'me' ? me : canonicalId(written)])
}

export function parseRelation(condition: RelationCondition): ValueCheck {
  return parseList(condition, CONTAINS, (written) => [canonicalId(written)])
}

/** @throws ServiceError `validation_error` for a name or id that is not an option of the property */
export const parseOptions: Parse<MultiOptionCondition> = (condition, path, _context, property) =>
  parseList(condition, CONTAINS, (written, key) => optionIds(property, written, `${path}.${key}`))

/** Like `parseOptions`, for a property that holds a single option. */
export const parseOption: Parse<OptionCondition> = (condition, path, _context, property) =>
  parseList(condition, ['equals', 'does_not_equal'], (written, key) => optionIds(property, written, `${path}.${key}`))

/** A parser of conditions of one form. Its parameters are bivariant, as in a method, so that parsers of all forms fit into one table. */
export type Parse<C> = {
  parse(condition: C, path: string, context: ConditionContext, property: StoredProperty): ValueCheck
}['parse']

export type ElementCondition = Exclude<keyof RollupSubfilter, 'property'>

/** Parsers for conditions on rollup elements and formula results, by their key in a rollup condition. */
const subfilters: { readonly [K in ElementCondition]: Parse<Required<RollupSubfilter>[K]> } = {
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

/**
 * The parser of conditions on a formula result, or on rollup elements: the property passed to it is the formula, or the one that is rolled
 * up.
 */
export function subfilterParser(key: ElementCondition): Parse<unknown> {
  return subfilters[key]
}

const CONTAINS = ['contains', 'does_not_contain'] as const

/** @param names the names of the comparison and of its negation */
function parseList<Name extends string, C extends { readonly [N in Name]?: unknown } & ExistenceCondition>(
  condition: C,
  names: readonly [Name, Name],
  keysOf: (written: NonNullable<C[Name]>, name: Name) => string[],
): ValueCheck {
  for (const name of names) {
    const written = condition[name]
    if (written) return { kind: 'list', keys: keysOf(written, name), negated: name === names[1] }
  }
  return parseExistence(condition)
}

function optionIds(property: StoredProperty, written: string | readonly string[], path: string): string[] {
  if (typeof written === 'string') return [optionId(property, written, path)]
  return [...new Set(written.map((one, index) => optionId(property, one, `${path}[${index}]`)))]
}

/** Finds an option by its name, or else by its id. */
export function findWrittenOption(options: readonly SchemaOption[], written: string): SchemaOption | undefined {
  return options.find(({ name }) => name === written) ?? options.find(({ id }) => id === written)
}

function optionId(property: StoredProperty, written: string, path: string): string {
  const found = findWrittenOption(hasOptions(property) ? property.options : [], written)
  if (found) return found.id
  throw invalid(
    path,
    `should be the name or id of an option: the property ${JSON.stringify(property.name)} has no option ${JSON.stringify(written)}`,
  )
}
