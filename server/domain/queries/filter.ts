import type {
  CheckboxCondition,
  DateCondition,
  ExistenceCondition,
  FormulaCondition,
  MultiOptionCondition,
  NumberCondition,
  OptionCondition,
  PeopleCondition,
  QueryFilter,
  RelationCondition,
  RollupCondition,
  TextCondition,
  VerificationCondition,
} from '../../../generated/types.ts'
import { invalid } from '../failures.ts'
import { findProperty, type StoredProperty } from '../properties/stored.ts'
import { formulaCriterion, rollupCriterion } from './computed_criteria.ts'
import {
  parseCheckbox,
  parseDateCondition,
  parseExistence,
  parseNumberCondition,
  parseOption,
  parseOptions,
  parsePeople,
  parseRelation,
  parseText,
} from './conditions.ts'
import {
  authorCriterion,
  checkboxCriterion,
  dateCriterion,
  elementsCriterion,
  existenceCriterion,
  numberCriterion,
  textCriterion,
  timeCriterion,
  verificationCriterion,
} from './criteria.ts'
import { combined, type Criterion } from './criterion.ts'
import type { QuerySchema } from './schema.ts'

/**
 * Reads a filter against the columns of a data source.
 * @param path where the filter stands in the request
 * @throws ServiceError `validation_error` for an unknown property, a condition that does not fit it, or an unknown option
 */
export function parseFilter(schema: QuerySchema, filter: QueryFilter, path: string): Criterion {
  for (const [word, kind] of [
    ['and', 'all'],
    ['or', 'any'],
  ] as const) {
    const entries: unknown = Reflect.get(filter, word)
    if (Array.isArray(entries)) {
      const parts = entries.map((entry, index) => parseFilter(schema, entry as QueryFilter, `${path}.${word}[${index}]`))
      return combined(kind, parts)
    }
  }
  return readCondition(schema, filter, path)
}

const NO_CONDITIONS: ReadonlySet<string> = new Set(['property', 'timestamp', 'type'])

function readCondition(schema: QuerySchema, filter: QueryFilter, path: string): Criterion {
  const [key = ''] = Object.keys(filter).filter((name) => !NO_CONDITIONS.has(name))
  const condition: unknown = Reflect.get(filter, key)
  const place = `${path}.${key}`
  if ('timestamp' in filter && filter.timestamp !== undefined)
    return timeCriterion(filter.timestamp, parseDateCondition(condition as DateCondition, schema.asker, place))
  const name = 'property' in filter ? filter.property : undefined
  const property = name === undefined ? undefined : findProperty(schema.columns, name)
  if (!property)
    throw invalid(
      `${path}.property`,
      `should be the name or id of a property: could not find property with name or id ${JSON.stringify(name)}`,
    )
  return parsePropertyCondition(schema, property, key, condition, place)
}

const UNFILTERED: ReadonlySet<StoredProperty['type']> = new Set(['button', 'place', 'location', 'last_visited_time'])
const TEXTS: ReadonlySet<StoredProperty['type']> = new Set(['title', 'rich_text', 'url', 'email', 'phone_number'])

/**
 * Reads the condition on one property.
 * @param key the key of the condition
 * @param place where the condition stands in the request
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
  if (UNFILTERED.has(property.type)) throw invalid(place, `should be not present: ${named}, which cannot be filtered`)
  if (key !== property.type && !(key === 'rich_text' && TEXTS.has(property.type)))
    throw invalid(place, `should be a condition named ${property.type} instead of ${key}: ${named}`)
  switch (property.type) {
    case 'title':
    case 'rich_text':
    case 'url':
    case 'email':
    case 'phone_number':
      return textCriterion(property, parseText(condition as TextCondition))
    case 'number':
    case 'unique_id':
      return numberCriterion(property, parseNumberCondition(condition as NumberCondition))
    case 'checkbox':
      return checkboxCriterion(property, parseCheckbox(condition as CheckboxCondition))
    case 'select':
    case 'status':
      return elementsCriterion(property, parseOption(condition as OptionCondition, property, place))
    case 'multi_select':
      return elementsCriterion(property, parseOptions(condition as MultiOptionCondition, property, place))
    case 'people':
      return elementsCriterion(property, parsePeople(condition as PeopleCondition, schema.asker))
    case 'relation':
      return elementsCriterion(property, parseRelation(condition as RelationCondition))
    case 'date':
      return dateCriterion(property, parseDateCondition(condition as DateCondition, schema.asker, place))
    case 'created_time':
    case 'last_edited_time':
      return timeCriterion(property.type, parseDateCondition(condition as DateCondition, schema.asker, place))
    case 'created_by':
    case 'last_edited_by':
      return authorCriterion(property.type, parsePeople(condition as PeopleCondition, schema.asker))
    case 'files':
      return existenceCriterion(property, parseExistence(condition as ExistenceCondition))
    case 'verification':
      return verificationCriterion(property, condition as VerificationCondition, schema.asker.now)
    case 'formula':
      return formulaCriterion(schema, property, condition as FormulaCondition, place)
    case 'rollup':
      return rollupCriterion(schema, property, condition as RollupCondition, place)
    default:
      throw invalid(place, `should be not present: ${named}, which cannot be filtered`)
  }
}
