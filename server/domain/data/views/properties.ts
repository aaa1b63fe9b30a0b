import { invalid } from '../../shared/index.ts'
import { findById, requireProperty, type PropertyType, type StoredProperty } from '../properties/stored.ts'
import { facetsOf } from '../property_types/index.ts'
import type { ViewFacet } from '../property_types/property_facets.ts'
import { rollupFunctions } from '../rollups/functions.ts'
import type { CheckedSchema, ViewSchema } from './settings.ts'

/** The result type of a formula or rollup. */
export type Result = 'string' | 'number' | 'boolean' | 'date' | 'array'

/** The result type of a property; undefined if it is not computed, or if the type depends on the value. */
export function resultOf({ query }: CheckedSchema, property: StoredProperty): Result | undefined {
  if (property.type === 'formula') return query.resultTypes.get(property.id)
  return property.type === 'rollup' ? rollupFunctions[property.function].result : undefined
}

/** Which properties a setting accepts, and how messages describe them. */
export interface PropertyFit {
  readonly words: string
  takes(type: PropertyType): boolean
  /** Formulas and rollups with this result are accepted too. */
  readonly result?: Result
}

/** The properties that a view setting accepts. */
function partOf(part: ViewFacet['setting'], words: string): PropertyFit {
  return { words, takes: (type) => facetsOf(type).view.setting === part }
}

export const RELATION_FIT = partOf('relation', 'a relation')
export const FILES_FIT = partOf('cover', 'a property of type files')
export const PLACE_FIT = partOf('place', 'a property of type place or location')
export const DATE_FIT: PropertyFit = { ...partOf('date', 'a property with dates'), result: 'date' }

/**
 * The property to which a setting refers, by name or id.
 * @param path of the setting in the request
 * @throws ServiceError `validation_error` if there is no such property, or the setting does not accept it
 */
export function requireFitting(schema: CheckedSchema, key: string, path: string, fit?: PropertyFit): StoredProperty {
  const property = requireProperty(schema.properties, key, path)
  if (fit && !fits(property, fit, resultOf(schema, property))) {
    throw invalid(path, `should be ${fit.words}, instead was ${JSON.stringify(property.name)} of type ${property.type}`)
  }
  return property
}

/** The property of a stored setting, if it still exists and is still accepted. */
export function findFitting(schema: ViewSchema, id: unknown, fit?: PropertyFit): StoredProperty | undefined {
  const property = typeof id === 'string' ? findById(schema.properties, id) : undefined
  // To present a view, the result type of a formula is not determined again.
  return property && (!fit || fits(property, fit, fit.result)) ? property : undefined
}

/** Whether a setting accepts a property. @param resultType for formulas and rollups */
function fits({ type }: StoredProperty, fit: PropertyFit, resultType: Result | undefined): boolean {
  if (fit.takes(type)) return true
  return fit.result !== undefined && facetsOf(type).value.present === 'computed' && resultType === fit.result
}
