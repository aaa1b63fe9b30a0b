import type { DateCondition, QueryFilter } from '../../../../generated/types.ts'
import { invalid } from '../../shared/index.ts'
import { requireProperty, type PropertyType, type StoredProperty } from '../properties/stored.ts'
import { facetsOf } from '../property_types/index.ts'
import { parseDateCondition } from './conditions.ts'
import { timeCriterion } from './criteria.ts'
import { combined, type Criterion } from './criterion.ts'
import type { QuerySchema } from './schema.ts'

const CONNECTIVES = Object.entries({ and: 'all', or: 'any' } as const)

/**
 * Parses a filter on the columns of a data source.
 * @param path of the filter in the request
 * @throws ServiceError `validation_error` for an unknown property, a condition that does not fit it, or an unknown option
 */
export function parseFilter(schema: QuerySchema, filter: QueryFilter, path: string): Criterion {
  for (const [word, kind] of CONNECTIVES) {
    const entries: unknown = Reflect.get(filter, word)
    if (Array.isArray(entries)) {
      const parts = entries.map((entry, index) => parseFilter(schema, entry as QueryFilter, `${path}.${word}[${index}]`))
      return combined(kind, parts)
    }
  }
  return parsePlainCondition(schema, filter, path)
}

const NO_CONDITIONS: ReadonlySet<string> = new Set(['property', 'timestamp', 'type'])

function parsePlainCondition(schema: QuerySchema, filter: QueryFilter, path: string): Criterion {
  const [key = ''] = Object.keys(filter).filter((name) => !NO_CONDITIONS.has(name))
  const condition: unknown = Reflect.get(filter, key)
  const place = `${path}.${key}`
  if ('timestamp' in filter && filter.timestamp !== undefined)
    return timeCriterion(filter.timestamp, parseDateCondition(condition as DateCondition, place, schema.viewer))
  const name = 'property' in filter ? filter.property : undefined
  const property = requireProperty(schema.columns, name, `${path}.property`)
  return parsePropertyCondition(schema, property, key, condition, place)
}

/**
 * Parses the condition on one property.
 * @param key the key of the condition
 * @param place of the condition in the request
 * @throws ServiceError `validation_error`
 */
export function parsePropertyCondition(
  schema: QuerySchema,
  property: StoredProperty,
  key: string,
  condition: unknown,
  place: string,
): Criterion {
  const named = `the property ${JSON.stringify(property.name)} is of type ${property.type}`
  const { filter } = facetsOf(property.type)
  if (filter === 'none') throw invalid(place, `should be not present: ${named}, which cannot be filtered`)
  if (!fitsKey(property.type, key))
    throw invalid(place, `should be a condition named ${property.type} instead of ${key}: ${named}`)
  return filter.parse(property, condition, place, schema)
}

export function fitsKey(type: PropertyType, key: string): boolean {
  const { filter } = facetsOf(type)
  return filter !== 'none' && (key === type || filter.keys === `own or ${key}`)
}
