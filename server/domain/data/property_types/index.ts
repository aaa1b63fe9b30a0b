/**
 * The property types: one module per type or family, which defines the facets of `property_facets.ts`. Other modules look facets up
 * here.
 */
import type { CellKey } from '../../../store/cells.ts'
import type { PropertyType } from '../properties/stored.ts'
import { checkbox } from './checkbox.ts'
import { multi_select, select, status } from './choice.ts'
import { date } from './date.ts'
import { files } from './files.ts'
import { formula } from './formula.ts'
import { number } from './number.ts'
import { created_by, last_edited_by, people } from './people.ts'
import { place } from './place.ts'
import type { PropertyFacets } from './property_facets.ts'
import { relation } from './relation.ts'
import { rollup } from './rollup.ts'
import { email, phone_number, rich_text, title, url } from './texts.ts'
import { created_time, last_edited_time } from './times.ts'
import { unique_id } from './unique_id.ts'
import { button, last_visited_time, location } from './valueless.ts'
import { verification } from './verification.ts'

const propertyTypes: { readonly [T in PropertyType]: PropertyFacets<T> } = {
  title,
  rich_text,
  url,
  email,
  phone_number,
  number,
  unique_id,
  checkbox,
  select,
  multi_select,
  status,
  date,
  created_time,
  last_edited_time,
  people,
  created_by,
  last_edited_by,
  files,
  relation,
  place,
  verification,
  formula,
  rollup,
  button,
  location,
  last_visited_time,
}

export const propertyTypeNames = Object.keys(propertyTypes) as readonly PropertyType[]

export function facetsOf(type: PropertyType): PropertyFacets {
  return propertyTypes[type]
}

export function isPropertyType(name: string): name is PropertyType {
  return Object.hasOwn(propertyTypes, name)
}

/** Whether the service sets the values, so that requests cannot. */
export function isComputed(type: PropertyType): boolean {
  return propertyTypes[type].value.write === 'by the service'
}

/** The index keys by which a value is found and sorted. The migration that creates the index explains them. */
export function cellKeysOf(type: PropertyType, stored: unknown): CellKey[] {
  const { keys } = facetsOf(type).value
  return keys === 'none' || stored === undefined || stored === null ? [] : keys(stored)
}
