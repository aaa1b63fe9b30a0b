import type { QueryFilter } from '../../../client/src/index.ts'
import { ToolError } from '../tool.ts'
import type { Lookup } from './lookup.ts'
import { propertyNamed, type NamedProperty } from './properties.ts'
import { requireBoolean, requireNumber, type WrittenValue } from './value_request.ts'

/** A condition on one property, in the words of the contract. */
export interface WrittenCondition {
  readonly property: string
  readonly condition: (typeof conditions)[number]
  readonly value?: WrittenValue | undefined
}

const LISTS = new Set(['multi_select', 'people', 'created_by', 'last_edited_by', 'relation'])
const PEOPLE = new Set(['people', 'created_by', 'last_edited_by'])
const STATES = ['is_empty', 'is_not_empty'] as const
const PERIODS = ['this_week', 'past_week', 'past_month', 'past_year', 'next_week', 'next_month', 'next_year'] as const
const MOMENTS = ['before', 'after', 'on_or_before', 'on_or_after'] as const
const TEXTS = ['contains', 'does_not_contain', 'starts_with', 'ends_with'] as const
const AMOUNTS = ['greater_than', 'less_than', 'greater_than_or_equal_to', 'less_than_or_equal_to'] as const

/** Conditions of filters, in the words of the contract. */
export const conditions = ['equals', 'does_not_equal', ...TEXTS, ...AMOUNTS, ...MOMENTS, ...PERIODS, ...STATES] as const

/**
 * The filter of a query.
 * @param properties of the data source
 * @throws ToolError for a property that does not exist, or cannot be compared in that way
 */
export async function filterOf(
  lookup: Lookup,
  properties: readonly NamedProperty[],
  where: readonly WrittenCondition[],
  match: 'all' | 'any',
): Promise<QueryFilter | undefined> {
  const filters: object[] = []
  for (const [index, written] of where.entries()) {
    const path = `where[${index}]`
    const property = propertyNamed(properties, written.property, `${path}.property`)
    const condition = await conditionOf(lookup, property, written, path)
    filters.push({ property: property.name, [property.type]: formOf(property, condition, written, path) })
  }
  if (filters.length === 0) return undefined
  // The members are named by the types of the properties, which the compiler cannot follow.
  return (match === 'all' ? { and: filters } : { or: filters }) as QueryFilter
}

async function conditionOf(
  lookup: Lookup,
  { name, type }: NamedProperty,
  { condition, value }: WrittenCondition,
  path: string,
): Promise<Readonly<Record<string, unknown>>> {
  if (includes(STATES, condition)) return { [condition]: true }
  if (includes(PERIODS, condition)) return { [condition]: {} }
  if (value === undefined || value === null)
    throw new ToolError(`${path}.value: missing. To find empty values, use the condition is_empty.`)
  const word = LISTS.has(type)
    ? condition.replace(/^equals$/, 'contains').replace(/^does_not_equal$/, 'does_not_contain')
    : condition
  if (PEOPLE.has(type) && value !== 'me') return { [word]: (await lookup.people([String(value)], `${path}.value`))[0] }
  if (type === 'relation') return { [word]: await lookup.relatedRow(name, String(value), `${path}.value`) }
  if (type === 'number' || type === 'unique_id') return { [word]: requireNumber(value, `${path}.value`) }
  if (type === 'checkbox') return { [word]: requireBoolean(value, `${path}.value`) }
  return { [word]: value }
}

/** Formulas and rollups need the type of their result: it follows from the condition. */
function formOf({ name, type }: NamedProperty, condition: object, written: WrittenCondition, path: string): object {
  if (type !== 'formula' && type !== 'rollup') return condition
  const { value } = written
  if (includes([...MOMENTS, ...PERIODS], written.condition)) return { date: condition }
  if (typeof value === 'number') return { number: condition }
  if (type === 'formula') return typeof value === 'boolean' ? { checkbox: condition } : { string: condition }
  throw new ToolError(`${path}: the rollup ${JSON.stringify(name)} can be compared with a number or a date only.`)
}

function includes(words: readonly string[], condition: string): boolean {
  return words.includes(condition)
}
