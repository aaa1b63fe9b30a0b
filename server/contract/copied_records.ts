/** Facts about records that are needed to copy them through requests, under new ids. */

import { isObject } from '../kernel/is_object.ts'

/** An object of the protocol. Other servers may add members that this contract does not know. */
type Values = Readonly<Record<string, unknown>>

/** The properties of a data source, or the values of a page, by name. */
export function propertyEntries(record: Values | undefined): readonly (readonly [name: string, property: Values])[] {
  const properties = record?.['properties']
  return Object.entries(isObject(properties) ? properties : {}).filter((entry): entry is [string, Values] => isObject(entry[1]))
}

const DEPENDENT: ReadonlySet<unknown> = new Set(['relation', 'rollup', 'formula'])

/** Whether a property refers to other properties or data sources, which must exist before it can be added. */
export function isDependent({ type }: Values): boolean {
  return DEPENDENT.has(type)
}

const OPTION_TYPES: ReadonlySet<unknown> = new Set(['select', 'multi_select', 'status'])

/** Whether the values of a property are options, which get new ids in the copy. Accepts a property, or a value of one on a page. */
export function hasOptionValues({ type }: Values): boolean {
  return OPTION_TYPES.has(type)
}

/** The settings of a property that refer to other records, by name: the copy needs the new ids. */
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
 * Processes items that may depend on each other: retries refused items as long as others are accepted.
 * @param take returns whether the item was accepted
 * @returns the items that are still refused at the end
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
