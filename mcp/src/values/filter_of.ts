import type { QueryFilter, WorkspaceClient } from '../../../client/src/index.ts'
import { recordIdIn } from '../forgiving.ts'
import { ToolError } from '../tool.ts'
import { idsOfPeople } from './people.ts'
import { propertyNamed, type NamedProperty } from './properties.ts'
import type { WrittenValue } from './value_request.ts'

/** A condition on one property, in the words of the contract. */
export interface WrittenCondition {
  readonly property: string
  readonly condition: string
  readonly value?: WrittenValue | undefined
}

const LISTS = new Set(['multi_select', 'people', 'created_by', 'last_edited_by', 'relation'])
const PEOPLE = new Set(['people', 'created_by', 'last_edited_by'])
/** Conditions without a value. */
const STATES = new Set(['is_empty', 'is_not_empty'])
const PERIODS = new Set(['this_week', 'past_week', 'past_month', 'past_year', 'next_week', 'next_month', 'next_year'])
const DATES = new Set(['before', 'after', 'on_or_before', 'on_or_after', ...PERIODS])

/**
 * The filter of a query.
 * @param properties of the data source
 * @throws ToolError for a property that does not exist, or cannot be compared in that way
 */
export async function filterOf(
  client: WorkspaceClient,
  properties: readonly NamedProperty[],
  conditions: readonly WrittenCondition[],
  match: 'all' | 'any',
): Promise<QueryFilter | undefined> {
  const filters: object[] = []
  for (const [index, written] of conditions.entries()) {
    const path = `where[${index}]`
    const property = propertyNamed(properties, written.property, `${path}.property`)
    const condition = await conditionOf(client, property, written, path)
    filters.push({ property: property.name, [property.type]: formOf(property, condition, written, path) })
  }
  if (filters.length === 0) return undefined
  // The members are named by the types of the properties, which the compiler cannot follow.
  return (match === 'all' ? { and: filters } : { or: filters }) as QueryFilter
}

async function conditionOf(
  client: WorkspaceClient,
  { type }: NamedProperty,
  { condition, value }: WrittenCondition,
  path: string,
): Promise<Readonly<Record<string, unknown>>> {
  if (STATES.has(condition)) return { [condition]: true }
  if (PERIODS.has(condition)) return { [condition]: {} }
  if (value === undefined || value === null)
    throw new ToolError(`${path}.value: missing. To find empty values, use the condition is_empty.`)
  const word = LISTS.has(type)
    ? condition.replace(/^equals$/, 'contains').replace(/^does_not_equal$/, 'does_not_contain')
    : condition
  if (PEOPLE.has(type) && value !== 'me') return { [word]: (await idsOfPeople(client, [String(value)], `${path}.value`))[0] }
  if (type === 'relation') return { [word]: recordIdIn(String(value), `${path}.value`) }
  if (type === 'number' || type === 'unique_id') return { [word]: Number(value) }
  if (type === 'checkbox') return { [word]: [true, 'true', 'yes'].includes(value as string | boolean) }
  return { [word]: value }
}

/** Formulas and rollups need the type of their result: it follows from the condition. */
function formOf({ name, type }: NamedProperty, condition: object, written: WrittenCondition, path: string): object {
  if (type !== 'formula' && type !== 'rollup') return condition
  const { value } = written
  if (DATES.has(written.condition)) return { date: condition }
  if (typeof value === 'number') return { number: condition }
  if (type === 'formula') return typeof value === 'boolean' ? { checkbox: condition } : { string: condition }
  throw new ToolError(`${path}: the rollup ${JSON.stringify(name)} can be compared with a number or a date only.`)
}
