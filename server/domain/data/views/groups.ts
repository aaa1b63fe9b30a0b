import type { FormulaGroupingRequest, GroupByRequest } from '../../../../generated/types.ts'
import { invalid } from '../../shared/index.ts'
import type { PropertyType } from '../properties/stored.ts'
import { facetsOf, propertyTypeNames } from '../property_types/index.ts'
import { findFitting, requireFitting, resultOf, type PropertyFit, type Result } from './properties.ts'
import type { CheckedSchema, Members, ViewSchema } from './settings.ts'

/** The properties by which a grouping of this type can group. */
function fitOf(group: GroupByRequest['type']): PropertyFit {
  const makes = (type: PropertyType): boolean => facetsOf(type).view.group === group
  const type = propertyTypeNames.find(makes)
  return { words: `a property of type ${type}, which allows groups of type ${group}`, takes: makes }
}

const RESULTS: Readonly<Record<FormulaGroupingRequest['type'], Result>> = {
  date: 'date',
  text: 'string',
  number: 'number',
  checkbox: 'boolean',
}

/**
 * The stored form of a grouping.
 * @param path of the grouping in the request
 */
export function storeGroup(group: GroupByRequest, path: string, schema: CheckedSchema): Members {
  const property = requireFitting(schema, group.property_id, `${path}.property_id`, fitOf(group.type))
  if (group.type === 'formula') {
    const result = resultOf(schema, property)
    if (result !== RESULTS[group.group_by.type]) {
      const gives = result === undefined ? 'is unknown until a row has a value' : `is a ${result}`
      throw invalid(`${path}.group_by.type`, `should fit the result of the formula, which ${gives}`)
    }
  }
  const { property_name: _asRead, ...written } = group
  return { ...written, property_id: property.id }
}

/** A stored grouping in responses. @returns undefined if its property was deleted or changed its type */
export function presentGroup(stored: Members, schema: ViewSchema): Members | undefined {
  const property = findFitting(schema, stored['property_id'], fitOf(stored['type'] as GroupByRequest['type']))
  return property && { ...stored, property_name: property.name }
}
