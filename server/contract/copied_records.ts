/** What has to be known of records to make copies of them by requests, under other ids. */

import { isObject } from '../kernel/is_object.ts'

/** An object of the protocol. Other servers may add members that this contract does not know. */
type Values = Readonly<Record<string, unknown>>

/** The properties of a data source, or the values of a page, by name. */
export function propertyEntries(record: Values | undefined): readonly (readonly [name: string, property: Values])[] {
  const properties = record?.['properties']
  return Object.entries(isObject(properties) ? properties : {}).filter((entry): entry is [string, Values] => isObject(entry[1]))
}

const DEPENDENT: ReadonlySet<unknown> = new Set(['relation', 'rollup', 'formula'])

/** Whether a property names other properties or data sources, so that it can only be added when these are there. */
export function isDependent({ type }: Values): boolean {
  return DEPENDENT.has(type)
}

const OPTION_TYPES: ReadonlySet<unknown> = new Set(['select', 'multi_select', 'status'])

/** Whether values of a property or of a page are options, whose ids are others in the copy. */
export function hasOptionValues({ type }: Values): boolean {
  return OPTION_TYPES.has(type)
}

/** The settings of a property that name others, by their names: their ids are others in the copy. */
export function settingsByName({ id: _id, ...property }: Values): Values {
  const { relation, rollup } = property
  if (isObject(rollup)) {
    const { relation_property_name: relationName, rollup_property_name: name, function: how } = rollup
    return { ...property, rollup: { relation_property_name: relationName, rollup_property_name: name, function: how } }
  }
  if (!isObject(relation) || !isObject(relation['dual_property'])) return property
  const { synced_property_name: name } = relation['dual_property']
  const { data_source_id: id } = relation
  return { ...property, relation: { type: 'dual_property', data_source_id: id, dual_property: { synced_property_name: name } } }
}

/**
 * Takes items in whatever order they need each other: those that were refused are tried again as long as others are taken.
 * @param take returns whether the item was taken
 * @returns those that were refused to the end
 */
export async function takeInAnyOrder<T>(items: readonly T[], take: (item: T) => Promise<boolean>): Promise<readonly T[]> {
  let waiting = items
  for (let size = -1; size !== waiting.length;) {
    size = waiting.length
    const refused: T[] = []
    for (const item of waiting) if (!(await take(item))) refused.push(item)
    waiting = refused
  }
  return waiting
}

/** The id of the data source that a database was created with. */
export function firstDataSourceId({ data_sources: sources }: Values): string | undefined {
  const [first]: unknown[] = Array.isArray(sources) ? sources : []
  return isObject(first) ? String(first['id']) : undefined
}
