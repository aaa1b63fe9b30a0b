import type { FormulaGroupingRequest, GroupByRequest } from '../../../generated/types.ts'
import { invalid } from '../failures.ts'
import type { PropertyType } from '../properties/stored.ts'
import { findFitting, requireFitting } from './properties.ts'
import { resultOf, type Result } from './results.ts'
import type { CheckedSchema, Members, ViewSchema } from './settings.ts'

/** The type of property behind each way to group that has another name. */
const PROPERTY_TYPES: Partial<Record<GroupByRequest['type'], PropertyType>> = { person: 'people', text: 'rich_text' }

function propertyTypeOf(type: GroupByRequest['type']): PropertyType {
  return PROPERTY_TYPES[type] ?? (type as PropertyType)
}

/** The way to group by properties of a type. */
export function groupTypeOf(type: PropertyType): string {
  return type === 'people' ? 'person' : type
}

const RESULTS: Readonly<Record<FormulaGroupingRequest['type'], Result>> = {
  date: 'date',
  text: 'string',
  number: 'number',
  checkbox: 'boolean',
}

/** @param path where the grouping stands in the request */
export function storeGroup(group: GroupByRequest, path: string, schema: CheckedSchema): Members {
  const type = propertyTypeOf(group.type)
  const fit = { words: `a property of type ${type}, by which groups of type ${group.type} are made`, types: [type] }
  const property = requireFitting(schema, group.property_id, `${path}.property_id`, fit)
  if (group.type === 'formula') {
    const result = resultOf(schema, property)
    if (result !== RESULTS[group.group_by.type]) {
      const gives = result === undefined ? 'nobody can tell before there is a value' : `is a ${result}`
      throw invalid(`${path}.group_by.type`, `should fit what the formula gives, which ${gives}`)
    }
  }
  return { ...group, property_id: property.id }
}

/** @returns undefined when the property that made the groups is gone, or another type by now */
export function presentGroup(stored: Members, schema: ViewSchema): Members | undefined {
  const type = propertyTypeOf(stored['type'] as GroupByRequest['type'])
  const property = findFitting(schema, stored['property_id'], { words: '', types: [type] })
  return property && { ...stored, property_name: property.name }
}
