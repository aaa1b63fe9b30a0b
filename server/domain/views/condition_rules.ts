import { invalid } from '../failures.ts'
import { hasOptions, type PropertyType, type StoredProperty } from '../properties/stored.ts'
import type { Members } from './settings.ts'

/** Types without conditions. */
const UNFILTERED: ReadonlySet<PropertyType> = new Set(['button', 'place', 'location', 'last_visited_time'])
/** Types that the condition key `rich_text` works for, besides its own. */
const TEXT_TYPES: ReadonlySet<PropertyType> = new Set(['title', 'rich_text', 'url', 'email', 'phone_number'])

/** Whether a condition, which has one key, can be asked of a property. */
export function fitsCondition({ type }: StoredProperty, condition: Members): boolean {
  const [key] = Object.keys(condition)
  if (key === undefined || UNFILTERED.has(type)) return false
  return key === type || (key === 'rich_text' && TEXT_TYPES.has(type))
}

/**
 * @param condition one condition key with its condition
 * @param path where the condition stands in the request
 * @throws ServiceError `validation_error`
 */
export function requireCondition(property: StoredProperty, condition: Members, path: string): void {
  const [key = ''] = Object.keys(condition)
  if (!fitsCondition(property, condition)) {
    throw invalid(
      `${path}.${key}`,
      `should be a condition for ${JSON.stringify(property.name)}, which is of type ${property.type} and takes no ${key}`,
    )
  }
  if (!hasOptions(property)) return
  for (const [operator, operand] of Object.entries(condition[key] as Members)) {
    for (const name of Array.isArray(operand) ? (operand as unknown[]) : [operand]) {
      if (typeof name !== 'string' || property.options.some((option) => option.name === name || option.id === name)) continue
      throw invalid(
        `${path}.${key}.${operator}`,
        `should be an option of ${JSON.stringify(property.name)}, instead was ${JSON.stringify(name)}`,
      )
    }
  }
}
